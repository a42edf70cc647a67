  // ---- runs solved to a proven optimum within a time

  function drawCactus() {
    const where = section("cactus", "Solved to optimality", "How many runs ended in a proven optimum within the time; further left and higher is better.");
    if (!data.groups.some(function (group) { return group.o; })) {
      absent(where, "Left out: no run has the status optimal and a time; that takes the columns status and seconds.");
      return;
    }
    const place = el("div"), nothing = el("p", { class: "absent" }, "No run of the selection ended in a proven optimum.");
    const panel = el("div", { class: "panel" }, place, saveChart(place, "solved"));
    where.append(nothing, panel);
    redraws.push(function () {
      const rows = bySeries().map(function (entry) {
        return { series: entry[0], all: samples(entry[1], "o"), runs: entry[1].reduce(function (sum, group) { return sum + group.n[RUNS]; }, 0) };
      }).filter(function (row) { return row.all.total > 0; });
      nothing.hidden = rows.length > 0;
      panel.hidden = rows.length === 0;
      if (rows.length === 0) {
        return;
      }
      const floor = 1e-6;
      const least = Math.max(floor, Math.min(...rows.map(function (row) { return row.all.list[0][0]; })));
      const most = Math.max(...rows.map(function (row) { return row.all.list[row.all.list.length - 1][0]; }), least * 10);
      const count = Math.max(...rows.map(function (row) { return row.all.total; }));
      const made = frame(place, "cactus-chart", 360,
        { from: least * 0.8, to: most * 1.25, log: true, label: "seconds", show: seconds },
        { from: 0, to: count * 1.03, label: "runs solved", show: whole });
      const spots = [];
      for (const row of rows) {
        let seen = 0;
        const points = [[made.left, made.sy(0), 0, 0]];
        for (const [value, weight] of row.all.list) {
          seen += weight;
          points.push([made.sx(Math.max(value, floor)), made.sy(seen), value, seen]);
        }
        const few = thin(points, 600);
        made.chart.append(line(row.series, [...few, [made.right, made.sy(seen)]], true));
        for (const at of thin(few.slice(1), 100)) {
          spots.push({ x: at[0], y: at[1], series: row.series, title: seriesName(row.series),
                       rows: [["within", seconds(at[2])], ["solved", whole(at[3]) + " of " + whole(row.runs)]] });
        }
      }
      watch(made, spots);
      place.replaceChildren(made.chart);
    });
  }

