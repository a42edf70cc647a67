  // ---- how time, cells and memory grow

  const growing = { t: ["seconds", seconds], e: ["cells of the table", short], b: ["memory", bytes] };
  function sizesOf(group) {
    const machine = data.machines[group.k[PLATFORM]] || [-1, -1];
    return { n: group.k[SIZE] < 0 ? -1 : data.sizes[group.k[SIZE]], m: machine[0], k: machine[1] };
  }
  // Slope of the medians on logarithmic axes by least squares; NaN for fewer than two sizes.
  function slope(points) {
    const logs = points.map(function (at) { return [Math.log(at.x), Math.log(at.median)]; });
    const n = logs.length;
    const mx = logs.reduce(function (sum, at) { return sum + at[0]; }, 0) / n;
    const my = logs.reduce(function (sum, at) { return sum + at[1]; }, 0) / n;
    const over = logs.reduce(function (sum, at) { return sum + (at[0] - mx) * (at[1] - my); }, 0);
    const under = logs.reduce(function (sum, at) { return sum + (at[0] - mx) ** 2; }, 0);
    return under > 0 ? over / under : NaN;
  }
  function growthRows(by, measure) {
    return bySeries().map(function (entry) {
      const at = new Map();
      for (const group of entry[1]) {
        const size = sizesOf(group)[by];
        if (group[measure] && size > 0) {
          at.set(size, at.get(size) || []);
          at.get(size).push(group);
        }
      }
      const points = [...at.entries()].sort(function (a, b) { return a[0] - b[0]; }).map(function (pair) {
        const all = samples(pair[1], measure);
        const floor = measure === "t" ? 1e-7 : 1;
        const q = function (share) { return Math.max(floor, quantile(all, share)); };
        return { x: pair[0], runs: all.total, low: q(0.25), median: q(0.5), high: q(0.75) };
      });
      return { series: entry[0], points: points, slope: slope(points) };
    }).filter(function (row) { return row.points.length > 0; });
  }

  function growthChart(place, rows, by, measure) {
    const all = rows.flatMap(function (row) { return row.points; });
    const xs = [...new Set(all.map(function (at) { return at.x; }))];
    const from = Math.min(...xs), to = Math.max(...xs, from * 1.5);
    const made = frame(place, "scaling-chart", 380,
      { from: from / 1.08, to: to * 1.08, log: true, label: { n: "tasks n", m: "CPUs m", k: "GPUs k" }[by], show: whole,
        ticks: xs.length <= 10 ? xs : null },
      { from: Math.min(...all.map(function (at) { return at.low; })) / 1.3, to: Math.max(...all.map(function (at) { return at.high; })) * 1.3,
        log: true, label: growing[measure][0], show: growing[measure][1] });
    const spots = [];
    for (const row of rows) {
      const colour = seriesInk(row.series);
      const upper = row.points.map(function (at) { return [made.sx(at.x), made.sy(at.high)]; });
      const lower = row.points.map(function (at) { return [made.sx(at.x), made.sy(at.low)]; }).reverse();
      made.chart.append(svg("path", { class: "band", "data-series": row.series, d: path([...upper, ...lower], false) + "Z", fill: colour }));
      const points = row.points.map(function (at) { return [made.sx(at.x), made.sy(at.median)]; });
      made.chart.append(line(row.series, points, false));
      row.points.forEach(function (at, i) {
        if (row.points.length <= 60) {
          made.chart.append(svg("circle", { "data-series": row.series, cx: points[i][0].toFixed(1), cy: points[i][1].toFixed(1), r: 3, fill: colour }));
        }
        spots.push({ x: points[i][0], y: points[i][1], series: row.series, title: seriesName(row.series),
                     rows: [[by, whole(at.x)], ["median", growing[measure][1](at.median)], ["middle half", growing[measure][1](at.low) + " \u2013 " + growing[measure][1](at.high)], ["runs", whole(at.runs)]] });
      });
    }
    watch(made, spots);
    place.replaceChildren(made.chart);
  }

  function chooser(label, key, values, chosenNow) {
    const select = el("select", { onchange: function () { keep(key, select.value); redraw(); } },
      ...values.map(function (value) { return el("option", { value: value[0], selected: value[0] === chosenNow() }, value[1]); }));
    return el("label", null, label, select);
  }

  function drawScaling() {
    const where = section("scaling", "Scaling", "Median with the middle half of the runs as a band, on logarithmic axes. The exponent is the slope of the medians.");
    const measures = Object.keys(growing).filter(function (key) { return data.groups.some(function (group) { return group[key]; }); });
    const axes = ["n", "m", "k"].filter(function (key) {
      return new Set(data.groups.map(function (group) { return sizesOf(group)[key]; }).filter(function (size) { return size > 0; })).size > 1;
    });
    if (measures.length === 0 || axes.length === 0) {
      absent(where, measures.length === 0 ? "Left out: no run has a time; that takes a column seconds."
                                          : "Left out: all runs have the same size, or none; that takes a column n (or tasks), m or k with different values.");
      return;
    }
    const by = function () { return axes.includes(state.by) ? state.by : axes[0]; };
    const measure = function () { return measures.includes(state.measure) ? state.measure : measures[0]; };
    const place = el("div"), list = el("div"), nothing = el("p", { class: "absent" }, "No run of the selection has that.");
    const controls = el("div", { class: "controls" }, chooser("Over", "by", axes.map(function (key) { return [key, { n: "tasks n", m: "CPUs m", k: "GPUs k" }[key]]; }), by),
      chooser("Of", "measure", measures.map(function (key) { return [key, growing[key][0]]; }), measure));
    const panel = el("div", { class: "panel" }, controls, el("div", { class: "gap" }), place, saveChart(place, "scaling"), list);
    where.append(nothing, panel);
    redraws.push(function () {
      const rows = growthRows(by(), measure());
      nothing.hidden = rows.length > 0;
      place.hidden = list.hidden = rows.length === 0;
      if (rows.length === 0) {
        return;
      }
      growthChart(place, rows, by(), measure());
      list.replaceChildren(table(["Algorithm", ">Exponent", ">Smallest", ">Median there", ">Largest", ">Median there"], rows.map(function (row) {
        const first = row.points[0], last = row.points[row.points.length - 1];
        return [seriesName(row.series), Number.isNaN(row.slope) ? "\u2013" : row.slope.toFixed(2), whole(first.x), growing[measure()][1](first.median), whole(last.x), growing[measure()][1](last.median)];
      })));
      list.firstChild.firstChild.id = "scaling-table";
      list.append(saveTable(list, "scaling"));
    });
  }

