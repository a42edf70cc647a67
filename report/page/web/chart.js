  // ---- axes

  function linear(from, to, low, high) {
    const scale = function (value) { return low + (value - from) / (to - from || 1) * (high - low); };
    scale.back = function (at) { return from + (at - low) / (high - low) * (to - from); };
    return scale;
  }
  function logarithmic(from, to, low, high) {
    const inner = linear(Math.log10(from), Math.log10(to), low, high);
    const scale = function (value) { return inner(Math.log10(Math.max(value, from / 10))); };
    scale.back = function (at) { return 10 ** inner.back(at); };
    return scale;
  }
  function evenTicks(from, to, wanted) {
    const rough = (to - from) / Math.max(1, wanted);
    const power = 10 ** Math.floor(Math.log10(rough || 1));
    const step = [1, 2, 5, 10].find(function (digit) { return digit * power >= rough * 0.999; }) * power;
    const found = [];
    for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) {
      found.push(Number((i * step).toPrecision(12)));
    }
    return found;
  }
  function logTicks(from, to, wanted) {
    const low = Math.floor(Math.log10(from)), high = Math.ceil(Math.log10(to));
    const digits = (high - low) * 3 <= wanted ? [1, 2, 5] : [1];
    const stride = Math.max(1, Math.ceil((high - low) / Math.max(1, wanted)));
    const found = [];
    for (let power = low; power <= high; power += stride) {
      for (const digit of digits) {
        const value = Number((digit * 10 ** power).toPrecision(6));
        if (value >= from * 0.999 && value <= to * 1.001) {
          found.push(value);
        }
      }
    }
    return found.length > 1 ? found : [from, to];
  }

  // An empty chart with axes. x and y: {from, to, log, label, show}.
  function frame(where, id, height, x, y) {
    const width = Math.max(300, where.clientWidth || 900);
    const left = 72, right = 18, top = 12, bottom = 44;
    const chart = svg("svg", { class: "chart", id: id, viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": y.label + " by " + x.label });
    const sx = (x.log ? logarithmic : linear)(x.from, x.to, left, width - right);
    const sy = (y.log ? logarithmic : linear)(y.from, y.to, height - bottom, top);
    const counts = function (value) { return y.show !== whole || Number.isInteger(value); };
    for (const tick of (y.log ? logTicks : evenTicks)(y.from, y.to, 5).filter(counts)) {
      chart.append(svg("line", { class: "grid", x1: left, x2: width - right, y1: sy(tick), y2: sy(tick) }),
                   svg("text", { x: left - 8, y: sy(tick) + 4, "text-anchor": "end" }, y.show(tick)));
    }
    for (const tick of x.ticks || (x.log ? logTicks : evenTicks)(x.from, x.to, Math.max(2, width / 110))) {
      chart.append(svg("line", { class: "grid", x1: sx(tick), x2: sx(tick), y1: top, y2: height - bottom }),
                   svg("text", { x: sx(tick), y: height - bottom + 18, "text-anchor": "middle" }, x.show(tick)));
    }
    chart.append(svg("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }),
                 svg("text", { x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, x.label),
                 svg("text", { x: 14, y: (top + height - bottom) / 2, "text-anchor": "middle",
                               transform: "rotate(-90 14 " + (top + height - bottom) / 2 + ")" }, y.label));
    return { chart: chart, sx: sx, sy: sy, width: width, left: left, right: width - right, top: top, bottom: height - bottom };
  }

  // Steps or straight lines through points of the screen.
  function path(points, steps) {
    let text = "";
    points.forEach(function (at, i) {
      const x = at[0].toFixed(1), y = at[1].toFixed(1);
      text += i === 0 ? "M" + x + " " + y : steps ? "H" + x + "V" + y : "L" + x + " " + y;
    });
    return text;
  }
  function line(at, points, steps) {
    return svg("path", { class: "line", "data-series": at, d: path(points, steps), stroke: seriesInk(at), "stroke-dasharray": seriesDash(at) });
  }

  // Shows what is nearest to the pointer. `spots`: {x, y, series, title, rows}, in the chart's units.
  function watch(made, spots) {
    const chart = made.chart;
    const look = function (event) {
      const box = chart.getBoundingClientRect();
      const scale = made.width / box.width;
      const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
      let best = null, distance = 40 * 40;
      for (const spot of spots) {
        const far = (spot.x - x) ** 2 + (spot.y - y) ** 2;
        if (far < distance) {
          best = spot;
          distance = far;
        }
      }
      point(best === null ? null : best.series);
      if (best === null) {
        hideTip();
      } else {
        showTip(event.clientX, event.clientY, best.title, best.rows);
      }
    };
    chart.addEventListener("pointermove", look);
    chart.addEventListener("pointerdown", look); // a finger that taps does not move
    chart.addEventListener("pointerleave", function () { point(null); hideTip(); });
  }

  // At most `most` of the points, ends included.
  function thin(points, most) {
    if (points.length <= most) {
      return points;
    }
    return Array.from({ length: most }, function (_, i) { return points[Math.round(i * (points.length - 1) / (most - 1))]; });
  }

