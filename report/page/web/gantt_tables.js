  // ---- what moves the picture, and the tables beside it

  function zoomBy(plan, factor, around) {
    const t0 = around - (around - plan.t0) * factor;
    plan.t1 = t0 + (plan.t1 - plan.t0) * factor;
    plan.t0 = t0;
  }
  function resetView(plan) {
    plan.t0 = 0;
    plan.t1 = plan.end * 1.02;
    plan.scroll = 0;
  }
  function keepView(plan) {
    clampView(plan);
    const unit = 10 ** plan.solution.decimals;
    const whole = plan.t0 <= 0 && plan.t1 >= plan.end * 1.02 * 0.999999;
    keep("zoom", whole ? "" : Number((plan.t0 / unit).toPrecision(9)) + "," + Number((plan.t1 / unit).toPrecision(9)));
  }

  function listen(plan, canvas, draw, say) {
    const spot = function (event) {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("wheel", function (event) {
      const out = event.deltaY > 0 && plan.t1 - plan.t0 >= plan.end * 1.0199;
      if (out || (event.deltaY === 0 && event.deltaX === 0)) {
        return; // nothing left to zoom out of: the page scrolls
      }
      event.preventDefault();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        const shift = (event.deltaX || event.deltaY) / (plan.right - plan.left) * (plan.t1 - plan.t0);
        plan.t0 += shift;
        plan.t1 += shift;
      } else {
        zoomBy(plan, 1.0015 ** event.deltaY, xTime(plan, spot(event)[0]));
      }
      keepView(plan);
      draw();
    }, { passive: false });
    // Fingers on the picture, by pointer: two of them pinch, whatever lies between them stays there.
    const fingers = new Map();
    let drag = null, pinch = null, tapped = -Infinity;
    const spread = function () {
      const [a, b] = [...fingers.values()];
      return { middle: (a[0] + b[0]) / 2, apart: Math.max(24, Math.hypot(a[0] - b[0], a[1] - b[1])) };
    };
    // Lights what belongs to a task of a graph; -1: nothing.
    const light = function (task) {
      if (plan.hover !== task) {
        plan.hover = task;
        draw();
      }
    };
    const lift = function (event) {
      fingers.delete(event.pointerId);
      pinch = null;
      drag = null;
    };
    canvas.addEventListener("pointerdown", function (event) {
      fingers.set(event.pointerId, spot(event));
      if (fingers.size === 2) {
        const now = spread();
        pinch = { apart: now.apart, span: plan.t1 - plan.t0, time: xTime(plan, now.middle) };
        drag = null;
        return;
      }
      drag = { x: event.clientX, y: event.clientY, t0: plan.t0, t1: plan.t1, scroll: plan.scroll, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", function (event) {
      if (fingers.has(event.pointerId)) {
        fingers.set(event.pointerId, spot(event));
      }
      if (pinch !== null && fingers.size === 2) {
        const now = spread(), span = pinch.span * pinch.apart / now.apart;
        plan.t0 = pinch.time - (now.middle - plan.left) / (plan.right - plan.left) * span;
        plan.t1 = plan.t0 + span;
        keepView(plan);
        hideTip();
        draw();
        return;
      }
      if (drag !== null) {
        const shift = (drag.x - event.clientX) / (plan.right - plan.left) * (drag.t1 - drag.t0);
        drag.moved = drag.moved || Math.abs(drag.x - event.clientX) + Math.abs(drag.y - event.clientY) > 4;
        plan.t0 = drag.t0 + shift;
        plan.t1 = drag.t1 + shift;
        plan.scroll = drag.scroll + drag.y - event.clientY;
        hideTip();
        draw();
        return;
      }
      const found = hit(plan, ...spot(event));
      light(taskOf(plan, found));
      if (found === null) {
        hideTip();
      } else {
        const text = describe(plan, found);
        showTip(event.clientX, event.clientY, text.title, text.rows);
      }
    });
    canvas.addEventListener("pointerup", function (event) {
      const tap = drag !== null && !drag.moved;
      lift(event);
      if (tap && event.pointerType === "touch" && event.timeStamp - tapped < 350) {
        resetView(plan);
      } else if (tap) {
        plan.selected = hit(plan, ...spot(event));
      }
      tapped = tap ? event.timeStamp : -Infinity;
      if (tap) {
        say();
        draw();
      }
      keepView(plan);
    });
    canvas.addEventListener("pointercancel", lift);
    canvas.addEventListener("pointerleave", function () { hideTip(); light(-1); });
    canvas.addEventListener("dblclick", function () { resetView(plan); keepView(plan); draw(); });
    canvas.addEventListener("keydown", function (event) {
      if (!event.ctrlKey && !event.altKey && !event.metaKey && press(plan, event.key)) {
        event.preventDefault();
        keepView(plan);
        say();
        draw();
      }
    });
  }

  // The next box of the row, or the first of the next row; likewise backwards.
  function select(plan, step) {
    const at = plan.selected, row = at === null ? -1 : at.row;
    const box = at !== null && at.box !== undefined ? at.box + step : -1;
    if (row >= 0 && box >= plan.rows[row].first && box < plan.rows[row].last) {
      plan.selected = { row: row, box: box, part: 0 };
    } else {
      for (let next = row < 0 ? 0 : row + step; next >= 0 && next < plan.rows.length; next += step) {
        const there = plan.rows[next];
        if (there.first < there.last) {
          plan.selected = { row: next, box: step > 0 ? there.first : there.last - 1, part: 0 };
          break;
        }
      }
    }
    if (plan.selected !== null && plan.selected.box !== undefined) {
      const start = plan.boxes.start[plan.selected.box], span = plan.t1 - plan.t0;
      if (start < plan.t0 || start >= plan.t1) {
        plan.t0 = start - span / 10;
        plan.t1 = plan.t0 + span;
      }
      const y = plan.top[plan.selected.row];
      plan.scroll = Math.min(Math.max(plan.scroll, y + plan.rowHeight - plan.shown), y);
    }
  }
  function press(plan, key) {
    const step = (plan.t1 - plan.t0) * 0.15;
    switch (key) {
    case "ArrowLeft": plan.t0 -= step; plan.t1 -= step; return true;
    case "ArrowRight": plan.t0 += step; plan.t1 += step; return true;
    case "ArrowUp": plan.scroll -= 60; return true;
    case "ArrowDown": plan.scroll += 60; return true;
    case "+": case "=": zoomBy(plan, 0.7, (plan.t0 + plan.t1) / 2); return true;
    case "-": zoomBy(plan, 1 / 0.7, (plan.t0 + plan.t1) / 2); return true;
    case "0": case "Home": resetView(plan); return true;
    case "n": select(plan, 1); return true;
    case "p": select(plan, -1); return true;
    case "Escape": plan.selected = null; return true;
    default: return false;
    }
  }

  function idleTable(solution) {
    return table(["Type", ">Processors", ">Busy", ">Aborted", ">Idle", ">Idle time" + (solution.axisUnit ? " (" + solution.axisUnit + ")" : "")], solution.types.map(function (type) {
      const all = type[1] * solution.makespan, idle = Math.max(0, all - type[2] - type[3]);
      return [type[0], whole(type[1]), percent(type[2], all), percent(type[3], all), percent(idle, all), ticks(idle, solution.axisDecimals, Math.max(all, type[2] + type[3]))];
    }));
  }
  function processorTable(plan) {
    const solution = plan.solution, show = function (value) { return ticks(value, solution.axisDecimals, plan.end); };
    return table(["Processor", ">Boxes", ">Busy", ">Aborted", ">Idle", ">Share idle"], plan.rows.map(function (row) {
      const idle = Math.max(0, solution.makespan - row.busy - row.lost);
      return [processorName(solution, row), whole(row.last - row.first), show(row.busy), show(row.lost), show(idle), percent(idle, solution.makespan)];
    }));
  }
  function ganttFacts(solution) {
    const fact = function (name, value, style) { return el("div", { class: style || null }, el("span", null, name), value); };
    return el("div", { class: "facts", id: "gantt-facts" }, fact("instance", solution.instance), fact("algorithm", solution.algorithm + (solution.foundBy ? " (" + solution.foundBy + ")" : "")), fact("tasks", whole(solution.tasks)),
      fact("makespan", solution.makespanText), solution.clock !== null ? fact("ends at", solution.endsAt) : null, solution.boundText ? fact("lower bound", solution.boundText + (solution.boundName ? " (" + solution.boundName + ")" : "")) : null,
      solution.gap ? fact("gap", solution.gap.replace(" %", "\u2009%")) : null, fact("status", solution.status + (solution.ending ? ", " + solution.ending : ""), solution.fault ? null : solution.status));
  }
  function ganttLegend(solution) {
    const entry = function (text, paint) {
      const swatch = el("i", { class: "swatch" });
      paint(swatch);
      return el("span", null, swatch, text);
    };
    const hatched = ["aborted", "busy", "lost"].filter(function (why) {
      return why === "aborted" ? solution.types.some(function (type) { return type[3] > 0; }) : solution.closed.some(function (part) { return part[4] === why; });
    });
    return el("div", { class: "legend" }, solution.heading ? el("span", null, solution.heading) : null,
      ...solution.classes.filter(function (kind) { return kind[2] > 0; }).map(function (kind) {
        return entry(kind[0] + " (" + whole(kind[2]) + ")", function (swatch) { swatch.style.background = kind[1]; });
      }),
      solution.graph !== null && solution.level === 0 ? entry("critical path", function (swatch) { swatch.classList.add("frame"); }) : null,
      hatched.length > 0 ? entry(hatched.join(", "), function (swatch) { swatch.classList.add("hatch"); }) : null,
      entry("idle", function (swatch) { swatch.style.background = "var(--idle)"; swatch.style.outline = "1px solid var(--line)"; }));
  }

  const levels = ["", "There are more tasks than one page can hold: successive tasks of a kind are one box, without their ids.",
                  "There are more tasks than one page can hold: each box is what a processor does within a short time, in the colour of most of it."];
  function showSolution(where, solution) {
    const plan = unpack(solution);
    plan.selected = null;
    resetView(plan);
    if (state.zoom) {
      const unit = 10 ** solution.decimals, wanted = state.zoom.split(",").map(Number);
      if (wanted.length === 2 && wanted[1] > wanted[0]) {
        plan.t0 = wanted[0] * unit;
        plan.t1 = wanted[1] * unit;
      }
    }
    const canvas = el("canvas", { tabindex: 0, role: "img", id: "gantt-canvas", "aria-describedby": "gantt-keys",
                                  "aria-label": "Gantt chart of " + solution.name + ": " + whole(plan.count) + " boxes on " + whole(plan.rows.length) + " processors" });
    const said = el("p", { class: "selected", id: "gantt-selected", "aria-live": "polite" });
    const say = function () {
      const text = plan.selected === null ? null : describe(plan, plan.selected);
      said.textContent = text === null ? "" : text.title + " \u00b7 " + text.rows.map(function (row) { return row[0] + " " + row[1]; }).join(" \u00b7 ");
    };
    const draw = function () { drawGantt(plan, canvas); };
    const button = function (key, text, title) {
      return el("button", { type: "button", class: "button", title: title, "aria-label": title, onclick: function () { press(plan, key); keepView(plan); draw(); } }, text);
    };
    const details = el("details", { id: "processors" }, el("summary", null, "Idle time of each processor"));
    details.addEventListener("toggle", function () {
      if (details.open && details.children.length === 1) {
        const list = el("div", null, processorTable(plan));
        list.append(saveTable(list, "processors"));
        details.append(list);
        labelCells();
      }
    });
    const idle = idleTable(solution);
    where.replaceChildren(
      solution.fault ? el("p", { class: "alert", id: "gantt-fault" }, "The checker finds this schedule at fault: " + solution.fault) : "",
      ganttFacts(solution),
      el("div", { class: "panel" }, el("div", { class: "gantt" }, canvas), said, ganttLegend(solution),
        el("div", { class: "controls zoom" }, button("+", "+", "Zoom in"), button("-", "\u2212", "Zoom out"), button("ArrowLeft", "\u2190", "Earlier"), button("ArrowRight", "\u2192", "Later"), button("0", "All", "Show the whole schedule"),
          saveButton("Save PNG", "Save what is shown as a picture", function () { canvas.toBlob(function (blob) { saveAs("schedule.png", "image/png", blob); }); })),
        el("p", { class: "note", id: "gantt-keys" }, matchMedia("(any-pointer: coarse)").matches ? "Pinch: zoom. Drag: move. Tap: what a box is. Double tap: whole schedule. " : "",
          "Wheel: zoom. Drag: move. Double click: whole schedule. Keys, once the picture has the focus: arrows, + and \u2212, 0 for the whole, n and p for the next and previous box.",
          solution.graph !== null && solution.level === 0 ? " A task that is pointed at or chosen lights those that it waits for and, dashed, those that wait for it." : ""),
        solution.level > 0 ? el("p", { class: "note" }, levels[solution.level]) : "",
        solution.hidden > 0 ? el("p", { class: "note" }, whole(solution.hidden) + " more processors run tasks and are not drawn; the table counts them.") : ""),
      el("div", { class: "panel" }, el("h3", null, "Idle time by type"), idle, saveTable(idle, "idle"), details));
    where.append(kindPanel(solution));
    listen(plan, canvas, draw, say);
    draw();
    if (state.box !== undefined) {
      for (let i = 0; i <= Number(state.box); i++) {
        select(plan, 1);
      }
      say();
      draw();
    }
    details.open = state.idle === "1";
    return draw;
  }

  function drawGantts() {
    if (data.solutions.length === 0) {
      return;
    }
    const where = section("gantt", "Schedule", null), place = el("div");
    let draw = function () {};
    const chosenNow = function () { return Math.min(Math.max(0, Number(state.gantt) || 0), data.solutions.length - 1); };
    if (data.solutions.length > 1) {
      const choose = el("select", { id: "gantt-choice", onchange: function () {
        keep("gantt", choose.value);
        keep("zoom", "");
        keep("box", "");
        draw = showSolution(place, data.solutions[chosenNow()]);
        labelCells();
      } }, ...data.solutions.map(function (solution, at) {
        return el("option", { value: at, selected: at === chosenNow() }, solution.name);
      }));
      where.append(el("div", { class: "controls" }, el("label", null, "Schedule", choose)));
    }
    where.append(place);
    draw = showSolution(place, data.solutions[chosenNow()]);
    redraws.push(function () { draw(); });
  }

