  // ---- summary

  function total(place) {
    return data.groups.reduce(function (sum, group) { return sum + group.n[place]; }, 0);
  }
  function table(heads, rows) {
    // A head that begins with '>' is over numbers.
    return el("div", { class: "scroll" }, el("table", null,
      el("thead", null, el("tr", null, ...heads.map(function (head) {
        return el("th", { scope: "col", class: head[0] === ">" ? "r" : null }, head.replace(/^>/, ""));
      }))),
      el("tbody", null, ...rows.map(function (row) {
        return el("tr", null, ...row.map(function (cell, at) {
          return cell instanceof Node ? cell : el("td", { class: heads[at][0] === ">" ? "r" : null }, cell);
        }));
      }))));
  }

  // On a narrow screen a row becomes a block (page.css), in which each cell names its head.
  const narrow = matchMedia("(max-width: 700px)");
  function labelCells() {
    if (!narrow.matches) {
      return;
    }
    for (const shown of document.querySelectorAll("table")) {
      const heads = [...shown.tHead.rows[0].children].map(function (head) { return head.textContent; });
      for (const row of shown.tBodies[0].rows) {
        [...row.children].forEach(function (cell, at) { cell.dataset.head = heads[at]; });
      }
    }
  }

  function drawAlerts(where) {
    const exceeded = total(EXCEEDED), below = total(BELOW);
    root.dataset.exceeded = String(exceeded);
    root.dataset.below = String(below);
    if (exceeded + below === 0) {
      return;
    }
    const parts = [];
    if (exceeded > 0) {
      parts.push(whole(exceeded) + (exceeded === 1 ? " run exceeds its" : " runs exceed their") + " proven ratio");
    }
    if (below > 0) {
      parts.push(whole(below) + (below === 1 ? " run is" : " runs are") +
                 " below the optimum or a lower bound, which cannot be");
    }
    where.append(el("div", { class: "alert", role: "alert" }, parts.join("; ") + ".",
      table(["Algorithm", "Instance", ">Ratio", ">Proven", ""], data.flagged.map(function (run) {
        return [seriesName(run[0]), el("td", { class: "wide" }, run[1]), ratio(run[2]), ratio(run[3]),
                run[4] ? "below 1" : "exceeds"];
      })),
      data.flagged.length < exceeded + below ? el("p", null, "Only the first " + data.flagged.length + " are listed.") : null));
  }

  function drawFailures(where) {
    if (data.failures.length === 0) {
      return;
    }
    where.append(el("details", { open: total(FAILED) > 0 && data.failures.length <= 12 },
      el("summary", null, "Runs without a schedule"),
      table(["Algorithm", "Outcome", ">Runs", "Reason", "For example"], data.failures.map(function (line) {
        return [seriesName(line[0]), line[1] ? "skipped" : "failed", whole(line[2]),
                el("td", { class: "wide" }, line[4]), el("td", { class: "wide" }, line[3])];
      }))));
  }

  // Runs that the charts of ratios cannot show, and why.
  function drawUnreferred(where) {
    data.unreferred.forEach(function (line) {
      where.append(el("p", { class: "note", "data-unreferred": String(line[1]) },
        line[0] + ": " + whole(line[1]) + (line[1] === 1 ? " run" : " runs") + " without a ratio, the first of " + line[2] +
        " on " + line[3] + ", are left out of the charts of ratios: " + line[4] + "."));
    });
  }

  function drawSummary() {
    const where = section("summary", "Summary");
    drawAlerts(where);
    const optimal = total(OPTIMAL), failed = total(FAILED), skipped = total(SKIPPED), tried = triedSeries().length;
    const tiles = [[data.runs - skipped, data.runs - skipped === 1 ? "run" : "runs"],
                   [tried, tried === 1 ? "algorithm" : "algorithms"], [data.instances, data.instances === 1 ? "instance" : "instances"]];
    if (data.groups.some(function (group) { return group.n[OPTIMAL] + group.n[FAILED] + group.n[SKIPPED] > 0; })) {
      tiles.push([optimal, "proven optimal"], [failed, "failed", failed > 0]);
      if (skipped > 0) {
        tiles.push([skipped, "skipped"]);
      }
    }
    if (data.groups.some(function (group) { return group.p; })) {
      tiles.push([total(EXCEEDED), "above a proven ratio", total(EXCEEDED) > 0]);
    }
    where.append(el("div", { class: "tiles" }, ...tiles.map(function (tile) {
      return el("div", { class: "tile" + (tile[2] ? " bad" : ""), "data-tile": tile[1] },
                el("b", null, whole(tile[0])), el("span", null, tile[1]));
    })));
    drawUnreferred(where);
    drawFailures(where);
    if (data.points !== null) {
      where.append(el("p", { class: "note" },
        "There are too many runs for one page to hold each: every group of like runs is shown by at most " + data.points +
        " of its values, so that quantiles are near ones; counts, means and extremes are exact." +
        (data.coarseness === 0 ? "" : data.coarseness === 1 ? " Numbers of tasks are grouped by powers of two."
                                    : " Runs are not told apart by number of tasks" + (data.coarseness > 2 ? " and other properties." : "."))));
    }
    document.getElementById("subtitle").textContent = data.files.join(", ");
    const choice = section("filter", "Selection", "What is chosen here counts for all charts and tables of runs below.");
    drawFilters(choice);
  }

