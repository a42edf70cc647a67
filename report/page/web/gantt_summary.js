  // ---- which tasks go where

  function kindPanel(solution) {
    const heads = ["Tasks of", ">All"].concat(solution.types.map(function (type) { return ">on " + type[0]; }));
    const rows = solution.summary.map(function (row) {
      const name = row[1] === 1 ? row[0] : (row[0] || "all") + " (" + whole(row[1]) + " kinds)";
      return [name, whole(row[2])].concat(row[3].map(function (count) { return count === 0 ? "\u2013" : whole(count); }));
    });
    const kinds = table(heads, rows), busy = solution.types[solution.bottleneck[0]];
    return el("div", { class: "panel", id: "kinds" }, el("h3", null, "Tasks by kind and type"), kinds, saveTable(kinds, "kinds"),
      solution.tasks === 0 ? null : el("p", { class: "note" }, "Bottleneck: " + busy[0] + ", at work " + solution.bottleneck[1] +
        "\u2009% of the makespan. The makespan is decided by a chain of " + whole(solution.bottleneck[2]) +
        (solution.bottleneck[2] === 1 ? " task" : " tasks") + " without a pause."));
  }
