  // ---- all together

  setUpTheme();
  document.querySelector(".kicker").hidden = data.title === "Duet report";
  if (hasTables) {
    drawSummary();
    drawRatios();
    drawCactus();
    drawScaling();
  } else {
    document.getElementById("subtitle").textContent = data.solutions.map(function (solution) { return solution.name; }).join(", ");
  }
  drawGantts();
  document.getElementById("nav").hidden = links.children.length < 2;
  main.append(el("footer", null, "Made by duet report. This page is whole: it loads nothing."));
  redraw();
  let waiting = 0;
  window.addEventListener("resize", function () {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(redraw);
  });
  window.addEventListener("beforeprint", function () { root.dataset.theme = "light"; redraw(); });
  window.addEventListener("afterprint", function () { applyTheme(); redraw(); });
  root.dataset.ready = "1";
})();
