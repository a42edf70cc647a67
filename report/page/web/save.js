  // ---- charts and tables as files

  function saveAs(name, type, content) {
    const blob = content instanceof Blob ? content : new Blob([content], { type: type });
    const link = el("a", { href: URL.createObjectURL(blob), download: name });
    root.dataset.saved = name;
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 10000);
  }
  function saveButton(text, title, save) {
    return el("button", { type: "button", class: "button small", title: title, onclick: save }, text);
  }

  // A chart with what its style sheet says written into it, so that it looks alike elsewhere.
  const painted = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "font-family", "font-size"];
  function standalone(chart) {
    const copy = chart.cloneNode(true);
    const from = [chart, ...chart.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
    from.forEach(function (node, i) {
      const style = getComputedStyle(node);
      for (const name of painted) {
        to[i].setAttribute(name, style.getPropertyValue(name).replace(/"/g, "'"));
      }
      to[i].removeAttribute("class");
    });
    const box = chart.viewBox.baseVal;
    copy.setAttribute("width", box.width);
    copy.setAttribute("height", box.height);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.prepend(svg("title", null, data.title + ": " + chart.getAttribute("aria-label")),
                 svg("rect", { width: "100%", height: "100%", fill: variable("--surface") }));
    return new XMLSerializer().serializeToString(copy);
  }
  function saveChart(where, name) {
    return el("div", { class: "saves" }, saveButton("Save SVG", "Save this chart as a picture", function () {
      point(null);
      saveAs(name + ".svg", "image/svg+xml", standalone(where.querySelector("svg")));
    }));
  }

  // Heads and rows of a table as text, with how its columns are aligned.
  function cellsOf(table) {
    const texts = function (row) {
      return [...row.children].map(function (cell) { return cell.textContent.trim(); });
    };
    return { heads: texts(table.tHead.rows[0]), rows: [...table.tBodies[0].rows].map(texts),
             right: [...table.tHead.rows[0].children].map(function (cell) { return cell.classList.contains("r"); }) };
  }
  function asCsv(table) {
    const cells = cellsOf(table);
    return [cells.heads, ...cells.rows].map(function (row) {
      return row.map(function (text) {
        const plain = text.replace(/\u202f/g, "").replace(/\u2009/g, " ").replace(/^\u2013$/, "");
        return /[",\n\r]/.test(plain) ? '"' + plain.replace(/"/g, '""') + '"' : plain;
      }).join(",") + "\n";
    }).join("");
  }
  const latexWords = { "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#", "%": "\\%", "_": "\\_",
                       "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "\u202f": "\\,", "\u2009": "\\,", "\u2013": "--",
                       "\u2192": "$\\to$", "\u2248": "$\\approx$", "\u00b5": "$\\mu$", "\u2026": "\\dots{}" };
  function asLatex(table) {
    const cells = cellsOf(table);
    const line = function (row) {
      return "  " + row.map(function (text) {
        return text.replace(/[\\{}$&#%_~^\u202f\u2009\u2013\u2192\u2248\u00b5\u2026]/g, function (c) { return latexWords[c]; });
      }).join(" & ") + " \\\\\n";
    };
    return "% \\usepackage{booktabs}\n\\begin{tabular}{" + cells.right.map(function (right) { return right ? "r" : "l"; }).join("") + "}\n  \\toprule\n" +
           line(cells.heads) + "  \\midrule\n" + cells.rows.map(line).join("") + "  \\bottomrule\n\\end{tabular}\n";
  }
  function saveTable(where, name) {
    const table = function () { return where.querySelector("table"); };
    return el("div", { class: "saves" },
      saveButton("Save CSV", "Save this table as CSV", function () { saveAs(name + ".csv", "text/csv", asCsv(table())); }),
      saveButton("Save LaTeX", "Save this table as a LaTeX tabular", function () { saveAs(name + ".tex", "text/x-tex", asLatex(table())); }));
  }

