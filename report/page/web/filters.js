  // ---- which groups of runs count now

  // Places in the key of a group.
  const SERIES = 0, FILE = 1, SET = 2, FAMILY = 3, PLATFORM = 4, SIZE = 5, REFERENCE = 6;
  // Places in its counts.
  const RUNS = 0, OPTIMAL = 1, FAILED = 2, SKIPPED = 3, EXCEEDED = 4, BELOW = 5;
  const BOUND = 1, OPTIMUM = 2;

  function hidden() {
    return new Set((state.hide || "").split(",").filter(Boolean).map(Number));
  }
  function sizeName(size) {
    return data.coarseness === 1 && size > 1 ? whole(size) + "\u2013" + whole(2 * size - 1) : whole(size);
  }

  const filters = [];
  function addFilter(key, label, place, names, sorted) {
    const present = new Set(data.groups.map(function (group) { return group.k[place]; }));
    const values = names.map(function (name, at) { return [at, name]; })
                        .filter(function (value) { return present.has(value[0]) && value[1] !== ""; });
    if (present.size < 2 || values.length === 0) {
      return;
    }
    if (sorted) {
      values.sort(sorted);
    }
    tellApart(values);
    filters.push({ key: key, label: label, place: place, values: values });
  }
  // Names are shown cut, and two tables may have one name: what is chosen by its name needs one of its own.
  function tellApart(values) {
    const seen = new Map();
    for (const value of values) {
      const times = (seen.get(value[1]) || 0) + 1;
      seen.set(value[1], times);
      value[1] += times > 1 ? " (" + times + ")" : "";
    }
  }
  function findFilters() {
    addFilter("file", "Table", FILE, data.files);
    addFilter("set", "Set", SET, data.sets);
    addFilter("family", "Family", FAMILY, data.families);
    addFilter("platform", "Platform", PLATFORM, data.platforms);
    addFilter("n", "Tasks", SIZE, data.sizes.map(sizeName),
              function (a, b) { return data.sizes[a[0]] - data.sizes[b[0]]; });
    addFilter("against", "Ratio against", REFERENCE, ["", "a bound", "the optimum"]);
  }

  // Filters name what they choose, so that an address still holds when the table has grown.
  function chosen() {
    const wanted = filters.map(function (filter) {
      const found = filter.values.find(function (value) { return value[1] === state[filter.key]; });
      return found ? [filter.place, found[0]] : null;
    }).filter(Boolean);
    return data.groups.filter(function (group) {
      return wanted.every(function (want) { return group.k[want[0]] === want[1]; });
    });
  }

  // The chosen groups of each series that is not hidden, in the order of the series.
  function bySeries() {
    const off = hidden();
    const found = new Map();
    for (const group of chosen()) {
      const series = group.k[SERIES];
      if (!off.has(series)) {
        found.set(series, found.get(series) || []);
        found.get(series).push(group);
      }
    }
    return [...found.entries()].sort(function (a, b) { return a[0] - b[0]; });
  }

  // ---- samples: values in ascending order, each standing for as many as it weighs

  function samples(groups, measure) {
    const list = [];
    let total = 0, sum = 0;
    for (const group of groups) {
      const has = group[measure];
      if (has) {
        has.v.forEach(function (value, i) { list.push([value, has.w ? has.w[i] : 1]); });
        total += has.c;
        sum += has.s;
      }
    }
    list.sort(function (a, b) { return a[0] - b[0]; });
    return { list: list, total: total, mean: total > 0 ? sum / total : NaN };
  }
  // The smallest value that at least a share q of all do not exceed.
  function quantile(from, q) {
    let seen = 0;
    for (const [value, weight] of from.list) {
      seen += weight;
      if (seen >= q * from.total - 1e-9) {
        return value;
      }
    }
    return NaN;
  }

  function seriesName(at) { return data.series[at][0]; }
  function seriesInk(at) { return data.series[at][1]; }
  // The first twelve have colours of their own; those after them have them again, dashed.
  const dashes = [null, [7, 4], [2, 3], [9, 3, 2, 3]];
  function dashOf(at) { return dashes[data.series[at][2] % dashes.length]; }
  function seriesDash(at) { return dashOf(at) === null ? null : dashOf(at).join(" "); }
  // A piece of its line.
  function seriesSwatch(at) {
    const dash = dashOf(at), colour = seriesInk(at);
    const swatch = el("i", { class: "swatch line" + (dash === null ? "" : " dashed"), "data-dash": seriesDash(at) });
    if (dash === null) {
      swatch.style.background = colour;
      return swatch;
    }
    let from = 0;
    const stops = dash.map(function (length, i) {
      const paint = i % 2 === 0 ? colour : "transparent", text = paint + " " + from + "px " + (from + length) + "px";
      from += length;
      return text;
    });
    swatch.style.background = "repeating-linear-gradient(90deg, " + stops.join(", ") + ")";
    return swatch;
  }

  // Algorithms that ran somewhere: of the others there is nothing to show or hide.
  function triedSeries() {
    const tried = new Set();
    for (const group of data.groups) {
      if (group.n[RUNS] > group.n[SKIPPED]) {
        tried.add(group.k[0]);
      }
    }
    return [...tried].sort(function (a, b) { return a - b; });
  }

  // Points at a series in every chart at once.
  function point(at) {
    for (const chart of document.querySelectorAll("svg.chart")) {
      chart.classList.toggle("hot", at !== null && chart.querySelector('[data-series="' + at + '"]') !== null);
      for (const part of chart.querySelectorAll("[data-series]")) {
        part.classList.toggle("on", part.dataset.series === String(at));
      }
    }
  }

  function drawFilters(where) {
    findFilters();
    const panel = el("div", { class: "panel" });
    const controls = el("div", { class: "controls" });
    for (const filter of filters) {
      const select = el("select", { id: "filter-" + filter.key, onchange: function () {
        keep(filter.key, select.value);
        redraw();
      } }, el("option", { value: "" }, "all"), ...filter.values.map(function (value) {
        return el("option", { value: value[1], selected: state[filter.key] === value[1] }, value[1]);
      }));
      controls.append(el("label", null, filter.label, select));
    }
    if (filters.length > 0) {
      panel.append(controls);
    }
    const chips = el("div", { class: "chips" });
    panel.append(chips);
    where.append(panel);
    redraws.push(function () {
      const off = hidden();
      chips.replaceChildren(...triedSeries().map(function (at, place) {
        return el("button", {
          type: "button", class: "chip", "aria-pressed": String(!off.has(at)),
          title: "Show or hide",
          onclick: function () {
            if (!off.delete(at)) {
              off.add(at);
            }
            keep("hide", [...off].sort(function (a, b) { return a - b; }).join(","));
            redraw();
            chips.children[place].focus();
          },
          onmouseenter: function () { point(at); }, onmouseleave: function () { point(null); }
        }, seriesSwatch(at), seriesName(at));
      }));
    });
  }

