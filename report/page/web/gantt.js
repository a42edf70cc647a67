  // ---- drawing a schedule: only what is in view, and nothing finer than a pixel

  function hatching(context) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 7;
    const pen = tile.getContext("2d");
    pen.strokeStyle = variable("--muted");
    pen.lineWidth = 1.6;
    pen.beginPath();
    for (const shift of [-7, 0, 7]) {
      pen.moveTo(shift - 1, 8);
      pen.lineTo(shift + 8, -1);
    }
    pen.stroke();
    return context.createPattern(tile, "repeat");
  }

  function drawBox(plan, pen, box, x0, x1, y, height) {
    const runs = plan.boxes.runs[box], kind = plan.solution.kinds[plan.boxes.kind[box]];
    const width = Math.max(x1 - x0 - (x1 - x0 > 3 ? 0.7 : 0), 0.6);
    pen.context.fillStyle = runs === 0 ? pen.hatch : pen.colour[kind[1]];
    pen.context.fillRect(x0, y, width, height);
    if (runs === 0) {
      pen.context.strokeStyle = pen.faint;
      pen.context.strokeRect(x0 + 0.5, y + 0.5, Math.max(0, width - 1), height - 1);
      return;
    }
    if (runs > 1 && plan.solution.level < 2 && (x1 - x0) / runs > 3) {
      pen.context.fillStyle = pen.surface;
      const from = Math.max(1, Math.floor((plan.left - x0) / (x1 - x0) * runs)), to = Math.min(runs - 1, Math.ceil((plan.right - x0) / (x1 - x0) * runs));
      for (let i = from; i <= to; i++) {
        pen.context.fillRect(x0 + (x1 - x0) / runs * i - 0.7, y, 0.7, height);
      }
    }
    const each = (x1 - x0) / runs;
    if (height >= 13 && each > 26 && plan.solution.level < 2) {
      const text = kind[0] + (plan.solution.level === 0 && kind[2] ? "#" + plan.boxes.task[box] : "");
      for (let i = 0; i < runs; i++) {
        const left = Math.max(x0 + each * i, plan.left), right = Math.min(x0 + each * (i + 1), plan.right);
        const name = plan.solution.level === 0 && kind[2] ? kind[0] + "#" + (plan.boxes.task[box] + i) : text;
        const shown = right > plan.left && left < plan.right ? endOf(pen.context, name, right - left - 8) : "";
        if (shown !== "") {
          pen.context.fillStyle = pen.over[kind[1]];
          pen.context.fillText(shown, left + 4, y + height / 2 + 4);
        }
      }
    }
  }

  function drawRow(plan, pen, at) {
    const row = plan.rows[at], boxes = plan.boxes, height = Math.max(plan.rowHeight - (plan.rowHeight > 8 ? 2 : plan.rowHeight > 4 ? 1 : 0), 1);
    const y = HEAD + plan.top[at] - plan.scroll;
    const end = Math.min(timeX(plan, plan.solution.makespan), plan.right);
    pen.context.fillStyle = pen.idle;
    pen.context.fillRect(plan.left, y, Math.max(0, end - plan.left), height);
    for (const part of row.closed) {
      const from = Math.max(timeX(plan, part.from), plan.left), to = Math.min(timeX(plan, Math.min(part.to, plan.end)), plan.right);
      pen.context.fillStyle = pen.hatch;
      pen.context.fillRect(from, y, Math.max(0, to - from), height);
      pen.closed += to > from ? 1 : 0;
    }
    let painted = -1;
    for (let box = firstAfter(plan, row, plan.t0); box < row.last && boxes.start[box] < plan.t1; box++) {
      const x0 = Math.max(timeX(plan, boxes.start[box]), plan.left - 2), x1 = Math.min(timeX(plan, boxes.end[box]), plan.right + 2);
      pen.boxes++;
      // Within a pixel that is painted already nothing more would be seen.
      if (x1 - x0 < 0.5 && Math.floor(x1 * 2) === painted) {
        continue;
      }
      painted = Math.floor(x1 * 2);
      pen.drawn++;
      drawBox(plan, pen, box, timeX(plan, boxes.start[box]), timeX(plan, boxes.end[box]), y, height);
    }
  }

  function drawAxis(plan, pen) {
    const context = pen.context, clock = plan.solution.clock, marked = axisTicks(plan, (plan.right - plan.left) / 120);
    context.fillStyle = pen.muted;
    context.textAlign = "center";
    for (const [tick, text] of marked) {
      const x = timeX(plan, tick);
      context.fillStyle = pen.grid;
      context.fillRect(Math.round(x), HEAD, 1, plan.shown);
      context.fillStyle = pen.muted;
      context.fillText(text, x, plan.height - 10);
    }
    context.textAlign = "right";
    context.fillText(clock === null ? plan.solution.axisUnit : clock.zone, plan.width - 2, plan.height - 10);
    plan.axis = marked.map(function (mark) { return mark[1]; }).join("|");
  }
  function drawMark(plan, pen, time, text, colour, dash, right) {
    const x = Math.round(timeX(plan, time)) + 0.5, context = pen.context;
    if (x < plan.left - 1 || x > plan.right + 1) {
      return;
    }
    // An edge in the colour of the ground keeps it visible on any box.
    for (const [paint, width, dashes] of [[pen.surface, 4, []], [colour, 1.5, dash]]) {
      context.strokeStyle = paint;
      context.lineWidth = width;
      context.setLineDash(dashes);
      context.beginPath();
      context.moveTo(x, HEAD - 6);
      context.lineTo(x, HEAD + plan.shown);
      context.stroke();
    }
    context.setLineDash([]);
    context.lineWidth = 1;
    context.fillStyle = colour;
    const wide = context.measureText(text).width + 4;
    const left = right ? x + wide < plan.width : x - wide < 0;
    context.textAlign = left ? "left" : "right";
    context.fillText(text, x + (left ? 2 : -2), right ? 10 : 24);
  }
  function drawLabels(plan, pen) {
    const solution = plan.solution, context = pen.context, size = plan.rowHeight;
    const every = Math.max(1, Math.ceil(13 / size));
    let type = -1, n = 0;
    plan.rows.forEach(function (row, at) {
      const y = HEAD + plan.top[at] - plan.scroll + size / 2 + 4;
      n = row.type === type ? n + 1 : 0;
      type = row.type;
      if (n % every !== 0 || y < HEAD + 4 || y > plan.height - FOOT + 6) {
        return;
      }
      context.fillStyle = pen.muted;
      context.textAlign = "right";
      context.fillText(fitName(context, processorName(solution, row), plan.left - 12), plan.left - 8, y);
      if (!plan.narrow) {
        const idle = solution.makespan > 0 ? 1 - (row.busy + row.lost) / solution.makespan : 0;
        context.fillStyle = pen.faint;
        context.fillText((100 * Math.max(0, idle)).toFixed(1) + "\u2009%", plan.width - 6, y);
      }
    });
    if (!plan.narrow) {
      context.fillStyle = pen.faint;
      context.textAlign = "right";
      context.fillText("idle", plan.width - 6, 24);
    }
  }

  // Of a task's name as much of its end as there is room for, which tells it from others: at least four letters,
  // or nothing.
  function endOf(context, name, room) {
    const wide = context.measureText(name).width;
    if (wide < room) return name;
    for (let kept = Math.floor(name.length * room / wide); kept >= 4; kept--) {
      const text = "\u2026" + name.slice(name.length - kept);
      if (context.measureText(text).width < room) return text;
    }
    return "";
  }
  // A name that is too wide loses its beginning: the number of the processor is at its end.
  function fitName(context, name, room) {
    let text = name;
    for (let from = 1; context.measureText(text).width > room && from < name.length; from++) {
      text = "\u2026" + name.slice(from);
    }
    return text;
  }
  function widestName(plan, canvas) {
    const context = canvas.getContext("2d");
    context.font = ganttFont();
    return plan.rows.reduce(function (most, row) { return Math.max(most, context.measureText(processorName(plan.solution, row)).width); }, 0);
  }
  function ganttFont() { return "11.5px " + getComputedStyle(document.body).fontFamily; }

  function drawGantt(plan, canvas) {
    const width = Math.max(280, canvas.parentNode.clientWidth), sharp = devicePixelRatio || 1;
    if (plan.width !== width) {
      layOut(plan, width, widestName(plan, canvas));
      canvas.style.touchAction = plan.content > plan.shown + 1 ? "none" : "pan-y";
    }
    clampView(plan);
    canvas.width = Math.round(width * sharp);
    canvas.height = Math.round(plan.height * sharp);
    canvas.style.height = plan.height + "px";
    const context = canvas.getContext("2d");
    context.setTransform(sharp, 0, 0, sharp, 0, 0);
    context.font = ganttFont();
    const pen = { context: context, hatch: hatching(context), boxes: 0, drawn: 0, closed: 0, idle: variable("--idle"), muted: variable("--muted"), faint: variable("--faint"), grid: variable("--grid"), surface: variable("--surface"), ink: variable("--ink"), accent: variable("--accent"),
                  colour: plan.solution.classes.map(function (entry) { return entry[1]; }), over: plan.solution.classes.map(function (entry) { return letters(entry[1]); }) };
    drawAxis(plan, pen);
    context.save();
    context.beginPath();
    context.rect(plan.left, HEAD, plan.right - plan.left, plan.shown);
    context.clip();
    context.textAlign = "left";
    plan.rows.forEach(function (row, at) {
      const y = plan.top[at] - plan.scroll;
      if (y + plan.rowHeight > 0 && y < plan.shown) {
        drawRow(plan, pen, at);
      }
    });
    drawGraph(plan, pen, canvas);
    context.restore();
    drawLabels(plan, pen);
    const same = plan.solution.same;
    if (plan.solution.bound > 0 && !same) {
      drawMark(plan, pen, plan.solution.bound, "lower bound", variable("--bound"), [5, 3], false);
    }
    if (plan.solution.now > 0) {
      const above = timeX(plan, plan.solution.now) + 40 < timeX(plan, plan.solution.makespan);
      drawMark(plan, pen, plan.solution.now, "now", pen.muted, [7, 3, 2, 3], above);
    }
    drawMark(plan, pen, plan.solution.makespan, same ? "makespan = bound" : "makespan", variable("--end"), [], true);
    if (plan.selected && plan.selected.box !== undefined) {
      outline(plan, context, plan.selected);
    }
    canvas.dataset.boxes = String(pen.boxes);
    canvas.dataset.drawn = String(pen.drawn);
    canvas.dataset.rows = String(plan.rows.length);
    canvas.dataset.closed = String(pen.closed);
    canvas.dataset.axis = plan.axis;
  }
  function outline(plan, context, found) {
    const y = HEAD + plan.top[found.row] - plan.scroll, boxes = plan.boxes;
    const runs = Math.max(1, boxes.runs[found.box]), each = (boxes.end[found.box] - boxes.start[found.box]) / runs;
    const x0 = timeX(plan, boxes.start[found.box] + each * found.part), x1 = timeX(plan, boxes.start[found.box] + each * (found.part + 1));
    context.strokeStyle = variable("--ink");
    context.lineWidth = 2;
    context.strokeRect(Math.max(x0, plan.left), y, Math.max(2, Math.min(x1, plan.right) - Math.max(x0, plan.left)), Math.max(2, plan.rowHeight - 1));
    context.lineWidth = 1;
  }

