  // ---- ratios: strips, cumulative shares, table

  function ratioRows() {
    return bySeries().map(function (entry) {
      const groups = entry[1];
      const all = samples(groups, "r");
      const proven = groups.filter(function (group) { return group.p; });
      let worst = null, exact = 0, exceeded = 0, below = 0;
      for (const group of groups) {
        exceeded += group.n[EXCEEDED];
        below += group.n[BELOW];
        exact += group.r && group.k[REFERENCE] === OPTIMUM ? group.r.c : 0;
        if (group.x && (worst === null || group.x[0] > worst[0])) {
          worst = group.x;
        }
      }
      return {
        series: entry[0], all: all, mean: all.mean, worst: worst, exact: exact, exceeded: exceeded, below: below,
        least: quantile(all, 0), q25: quantile(all, 0.25), median: quantile(all, 0.5), q75: quantile(all, 0.75),
        q90: quantile(all, 0.9), q99: quantile(all, 0.99), max: worst === null ? NaN : worst[0],
        low: proven.length === 0 ? null : Math.min(...proven.map(function (group) { return group.p[0]; })),
        proven: proven.length === 0 ? null : Math.max(...proven.map(function (group) { return group.p[1]; })),
        covered: proven.reduce(function (sum, group) { return sum + (group.r ? group.r.c : 0); }, 0)
      };
    }).filter(function (row) { return row.all.total > 0; });
  }
  function ratioAxis(rows) {
    const most = Math.max(...rows.map(function (row) { return row.max; }), 1.0001);
    const least = Math.min(1, ...rows.map(function (row) { return row.least; }));
    const log = most / least > 4;
    return { from: least, to: log ? most * 1.06 : most + (most - least) * 0.04, log: log, label: "ratio", show: function (value) { return String(Number(value.toPrecision(7))); } };
  }

  function provenText(row) {
    if (row.proven === null) {
      return "\u2013";
    }
    const text = row.low < row.proven ? ratio(row.low) + " \u2013 " + ratio(row.proven) : ratio(row.proven);
    return row.covered < row.all.total ? text + " (" + whole(row.covered) + " of " + whole(row.all.total) + " runs)" : text;
  }
  function against(row) {
    return row.exact === row.all.total ? "optimum" : row.exact === 0 ? "bound" : percent(row.exact, row.all.total) + " optimum";
  }
  function ratioFacts(row) {
    return [["runs", whole(row.all.total)], ["mean", ratio(row.mean)], ["median", ratio(row.median)], ["middle half", ratio(row.q25) + " \u2013 " + ratio(row.q75)],
            ["q99", ratio(row.q99)], ["max", ratio(row.max)], ["proven", provenText(row)], ["against", against(row)]];
  }

  // Thin line: all; box: the middle half; bar: median; ring: mean; dot: worst; flag: proven. The best mean comes first.
  function drawStrips(where, unsorted) {
    const rows = [...unsorted].sort(function (a, b) { return a.mean - b.mean || a.max - b.max || a.series - b.series; });
    const width = Math.max(300, where.clientWidth || 900);
    const names = Math.min(Math.max(...rows.map(function (row) { return seriesName(row.series).length; })) * 7 + 14, width * 0.45);
    const step = 28, top = 6, height = top + rows.length * step + 40;
    const axis = ratioAxis(rows);
    const sx = (axis.log ? logarithmic : linear)(axis.from, axis.to, names, width - 64);
    const chart = svg("svg", { class: "chart", id: "strips", viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": "Distribution of the ratio of each algorithm" });
    const bottom = top + rows.length * step;
    for (const tick of (axis.log ? logTicks : evenTicks)(axis.from, axis.to, Math.max(2, width / 130))) {
      chart.append(svg("line", { class: "grid", x1: sx(tick), x2: sx(tick), y1: top, y2: bottom }),
                   svg("text", { x: sx(tick), y: bottom + 18, "text-anchor": "middle" }, axis.show(tick)));
    }
    chart.append(svg("text", { x: (names + width - 64) / 2, y: height - 4, "text-anchor": "middle" }, "makespan / reference"));
    const spots = [];
    rows.forEach(function (row, i) {
      const y = top + (i + 0.5) * step, colour = seriesInk(row.series);
      const short = Math.floor((names - 14) / 7);
      const name = seriesName(row.series);
      const part = svg("g", { "data-series": row.series },
        svg("text", { class: "strong", x: names - 14, y: y + 4, "text-anchor": "end" }, name.length > short ? "\u2026" + name.slice(1 - short) : name),
        svg("line", { x1: sx(row.least), x2: sx(row.max), y1: y, y2: y, stroke: colour, "stroke-width": 1.5, "stroke-dasharray": seriesDash(row.series) }),
        svg("rect", { x: sx(row.q25), y: y - 6, width: Math.max(1.5, sx(row.q75) - sx(row.q25)), height: 12, rx: 2, fill: colour, "fill-opacity": 0.3, stroke: colour }),
        svg("line", { x1: sx(row.median), x2: sx(row.median), y1: y - 8, y2: y + 8, stroke: colour, "stroke-width": 2.5 }),
        svg("line", { x1: sx(row.q99), x2: sx(row.q99), y1: y - 4, y2: y + 4, stroke: colour, "stroke-width": 1.5 }),
        svg("circle", { cx: sx(row.max), cy: y, r: 3.2, fill: row.exceeded > 0 ? variable("--bad") : colour }),
        svg("circle", { cx: sx(row.mean), cy: y, r: 3.4, fill: variable("--surface"), stroke: colour, "stroke-width": 1.5 }));
      if (row.proven !== null && row.covered === row.all.total) { // else a dot beyond it need not be one of its runs
        const inside = row.proven <= axis.to;
        part.append(inside
          ? svg("path", { d: "M" + sx(row.proven).toFixed(1) + " " + (y + 10) + "v-20h6l-2 3l2 3h-6", fill: variable("--end"), stroke: variable("--end"), "stroke-width": 1.2, "data-proven": row.proven })
          : svg("text", { x: width - 58, y: y + 4, "data-proven": row.proven }, "\u2192 " + Number(row.proven.toPrecision(4))));
      }
      chart.append(part);
      for (const value of [row.least, row.q25, row.median, row.mean, row.q75, row.q99, row.max]) {
        spots.push({ x: sx(value), y: y, series: row.series, title: name, rows: ratioFacts(row) });
      }
    });
    watch({ chart: chart, width: width }, spots);
    where.replaceChildren(chart);
  }

  function drawShares(where, rows) {
    const axis = ratioAxis(rows);
    const made = frame(where, "shares", 330, axis, { from: 0, to: 1, label: "share of runs", show: function (value) { return Math.round(100 * value) + "\u2009%"; } });
    const spots = [];
    for (const row of rows) {
      let seen = 0;
      const steps = [[made.sx(row.least), made.sy(0), row.least, 0]];
      row.all.list.forEach(function (sample, i) {
        seen += sample[1];
        const next = row.all.list[i + 1];
        if (next === undefined || next[0] > sample[0]) {
          steps.push([made.sx(sample[0]), made.sy(seen / row.all.total), sample[0], seen / row.all.total]);
        }
      });
      const few = thin(steps, 400);
      made.chart.append(line(row.series, [...few, [made.right, made.sy(1)]], true));
      for (const at of thin(few, 100)) {
        spots.push({ x: at[0], y: at[1], series: row.series, title: seriesName(row.series),
                     rows: [["ratio at most", ratio(at[2])], ["runs", percent(at[3], 1)]] });
      }
    }
    watch(made, spots);
    where.replaceChildren(made.chart);
  }

  const ratioColumns = [
    ["Algorithm", function (row) { return seriesName(row.series); }],
    [">Runs", function (row) { return row.all.total; }, whole],
    [">Mean", function (row) { return row.mean; }, ratio],
    [">Median", function (row) { return row.median; }, ratio],
    [">q90", function (row) { return row.q90; }, ratio],
    [">q99", function (row) { return row.q99; }, ratio],
    [">Max", function (row) { return row.max; }, ratio],
    [">Proven", function (row) { return row.proven === null ? Infinity : row.proven; }],
    ["Against", function (row) { return row.exact / row.all.total; }],
    ["Worst instance", function (row) { return row.worst[1]; }],
    [">Makespan there", function (row) { return Number(row.worst[2] || NaN); }]];

  // What is shown where every algorithm has one run: mean, quantiles and maximum are the same then.
  const MAX = 6, MAKESPAN = 10, ONE_RUN = [0, MAKESPAN, MAX, 7, 8, 9];
  const oneRunHeads = { 6: ">Ratio", 9: "Instance", 10: ">Makespan" };
  function shownColumns(rows) {
    const one = rows.every(function (row) { return row.all.total === 1; });
    const told = rows.some(function (row) { return row.worst[2] !== undefined; });
    return (one ? ONE_RUN : [...ratioColumns.keys()])
      .filter(function (at) { return told || at !== MAKESPAN; })
      .map(function (at) { return [at, one && oneRunHeads[at] || ratioColumns[at][0]]; });
  }
  function ratioCell(row, at) {
    const cell = function (style, ...content) { return el("td", { class: style }, ...content); };
    switch (at) {
    case 0: return cell(null, seriesSwatch(row.series), seriesName(row.series));
    case MAX: return cell("r" + (row.exceeded > 0 ? " bad" : ""), ratio(row.max));
    case 7: return cell("r", provenText(row));
    case 8: return cell(row.exact === row.all.total ? null : "soft", against(row));
    case 9: return cell("wide", row.worst[1]);
    case MAKESPAN: return el("td", { class: "r", title: row.worst[2] || "" }, row.worst[2] ? String(Number(Number(row.worst[2]).toPrecision(6))) : "\u2013");
    default: return cell(ratioColumns[at][0][0] === ">" ? "r" : "", ratioColumns[at][2](ratioColumns[at][1](row)));
    }
  }
  function drawRatioTable(where, rows) {
    const by = Number(state.sort || 2), down = state.order === "down";
    const value = ratioColumns[Math.abs(by) % ratioColumns.length][1];
    const sorted = [...rows].sort(function (a, b) {
      const x = value(a), y = value(b);
      return (x < y ? -1 : x > y ? 1 : a.series - b.series) * (down ? -1 : 1);
    });
    const columns = shownColumns(rows);
    const heads = columns.map(function (column) {
      const at = column[0];
      return el("th", { scope: "col", class: column[1][0] === ">" ? "r" : null, "aria-sort": at === by ? (down ? "descending" : "ascending") : null },
        el("button", { type: "button", onclick: function () {
          keep("order", at === by && !down ? "down" : "");
          keep("sort", at);
          redraw();
        } }, column[1].replace(/^>/, "")));
    });
    where.replaceChildren(el("div", { class: "scroll" }, el("table", { id: "ratio-table" },
      el("thead", { class: "sorts" }, el("tr", null, ...heads)),
      el("tbody", null, ...sorted.map(function (row) {
        return el("tr", { "data-name": seriesName(row.series), onmouseenter: function () { point(row.series); }, onmouseleave: function () { point(null); } },
          ...columns.map(function (column) { return ratioCell(row, column[0]); }));
      })))), saveTable(where, "ratios"));
  }

  function drawRatios() {
    const where = section("ratios", "Ratios", "Makespan divided by the optimum, or by the best lower bound where the optimum is not known: then the true ratio is at most the one shown.");
    if (!data.groups.some(function (group) { return group.r; })) {
      absent(where, "Left out: no run has a ratio; that takes a column ratio, or makespan beside reference, lower_bound or optimum.");
      return;
    }
    const strips = el("div"), shares = el("div"), list = el("div"), nothing = el("p", { class: "absent" }, "No run of the selection has a ratio.");
    const panels = [el("div", { class: "panel" }, el("h3", null, "Distribution"), strips, saveChart(strips, "distribution"),
                       el("p", { class: "note" }, "Line: all runs. Box: the middle half. Bar: median. Ring: mean. Small bar: 99 %. Dot: worst. Flag: proven ratio (the largest, where it depends on the platform; none where some runs have none), \u2192 beyond the axis.")),
                    el("div", { class: "panel" }, el("h3", null, "Share of runs up to a ratio"), shares, saveChart(shares, "shares")),
                    el("div", { class: "panel" }, list)];
    where.append(nothing, ...panels);
    redraws.push(function () {
      const rows = ratioRows();
      nothing.hidden = rows.length > 0;
      panels.forEach(function (panel) { panel.hidden = rows.length === 0; });
      if (rows.length > 0) {
        drawStrips(strips, rows);
        panels[1].hidden = rows.every(function (row) { return row.all.total === 1; });
        drawShares(shares, rows);
        drawRatioTable(list, rows);
      }
    });
  }

