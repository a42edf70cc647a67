  // ---- task graphs: what a task waits for, what waits for it, and the critical path

  // Codes of "why" that are no edges; from the last one the task before on the processor is taken.
  const PAUSE = -1, AT_ONCE = -2, PROCESSOR = -3;

  // Rows of edges, and where each task is: its [row, box, part]s, several of a moldable one.
  function unpackGraph(plan) {
    const solution = plan.solution, graph = solution.graph;
    if (graph === null || solution.level > 0) {
      return null;
    }
    const tasks = graph.why.length, before = [], after = [], spots = [];
    for (let task = 0; task < tasks; task++) {
      before.push([]);
      after.push([]);
      spots.push([]);
    }
    for (let e = 0; e < graph.edges.length; e += 2) {
      before[graph.edges[e + 1]].push(graph.edges[e]);
      after[graph.edges[e]].push(graph.edges[e + 1]);
    }
    plan.rows.forEach(function (there, at) {
      for (let b = there.first; b < there.last; b++) {
        const first = solution.kinds[plan.boxes.kind[b]][3] + plan.boxes.task[b];
        for (let i = 0; i < plan.boxes.runs[b]; i++) {
          spots[first + i].push([at, b, i]);
        }
      }
    });
    return { before: before, after: after, spots: spots, critical: new Set(graph.path) };
  }
  // The task of what hit() found; -1: none, or there is no graph.
  function taskOf(plan, found) {
    if (plan.graph === null || found === null || found === undefined || found.box === undefined) {
      return -1;
    }
    return plan.solution.kinds[plan.boxes.kind[found.box]][3] + plan.boxes.task[found.box] + found.part;
  }
  function taskName(plan, task) {
    const spots = plan.graph.spots[task];
    if (spots.length === 0) {
      return "a task that is nowhere";
    }
    const kind = plan.solution.kinds[plan.boxes.kind[spots[0][1]]];
    return kind[0] + (kind[2] ? "#" + (task - kind[3]) : "");
  }
  function namesOf(plan, tasks) {
    const shown = tasks.slice(0, 4).map(function (task) { return taskName(plan, task); }).join(", ");
    return tasks.length > 4 ? shown + " and " + whole(tasks.length - 4) + " more" : shown;
  }

  // Why a task starts when it does, in words.
  function whyItStarts(plan, task) {
    const why = plan.solution.graph.why[task];
    if (why <= PROCESSOR) {
      return "as " + taskName(plan, PROCESSOR - why) + " ends on its processor";
    }
    if (why >= 0) {
      const from = plan.solution.graph.edges[2 * why];
      return plan.solution.transfers ? "as the data of " + taskName(plan, from) + " are there" : "as " + taskName(plan, from) + " ends";
    }
    return why === AT_ONCE ? "at once" : "after a pause";
  }
  // What the tooltip says of a task beyond its times.
  function graphRows(plan, found) {
    const task = taskOf(plan, found);
    if (task < 0 || plan.boxes.runs[found.box] === 0) {
      return [];
    }
    const rows = [["starts", whyItStarts(plan, task)]];
    if (plan.graph.before[task].length > 0) {
      rows.push(["waits for", namesOf(plan, plan.graph.before[task])]);
    }
    if (plan.graph.after[task].length > 0) {
      rows.push(["needed by", namesOf(plan, plan.graph.after[task])]);
    }
    if (plan.graph.critical.has(task)) {
      rows.push(["", "on the critical path"]);
    }
    return rows;
  }

  // Where a task is on the canvas.
  function placesOf(plan, task) {
    return plan.graph.spots[task].map(function ([row, box, part]) {
      const start = plan.boxes.start[box], each = (plan.boxes.end[box] - start) / plan.boxes.runs[box];
      return { x0: timeX(plan, start + each * part), x1: timeX(plan, start + each * (part + 1)), y: HEAD + plan.top[row] - plan.scroll,
               height: Math.max(2, plan.rowHeight - (plan.rowHeight > 8 ? 2 : 0)), kind: plan.solution.kinds[plan.boxes.kind[box]] };
    });
  }
  // A frame in a colour, with an edge in that of the ground, so that it is seen on any box.
  function frameBox(pen, place, colour, dash) {
    const width = Math.max(2, place.x1 - place.x0);
    for (const [paint, line, dashes] of [[pen.surface, 4, []], [colour, 2, dash]]) {
      pen.context.strokeStyle = paint;
      pen.context.lineWidth = line;
      pen.context.setLineDash(dashes);
      pen.context.strokeRect(place.x0 + 1, place.y + 1, Math.max(1, width - 2), Math.max(1, place.height - 2));
    }
    pen.context.setLineDash([]);
    pen.context.lineWidth = 1;
  }
  function drawPath(plan, pen) {
    let last = null;
    for (const task of plan.solution.graph.path) {
      const places = placesOf(plan, task), place = places[0];
      if (place === undefined) {
        continue;
      }
      for (const each of places) {
        if (each.x1 - each.x0 > 4 && each.x1 > plan.left && each.x0 < plan.right) {
          frameBox(pen, each, pen.ink, []);
        }
      }
      if (last !== null && last.y !== place.y) {
        for (const [paint, line] of [[pen.surface, 3], [pen.ink, 1.3]]) {
          pen.context.strokeStyle = paint;
          pen.context.lineWidth = line;
          pen.context.beginPath();
          pen.context.moveTo(last.x1, last.y + last.height / 2);
          pen.context.lineTo(place.x0, place.y + place.height / 2);
          pen.context.stroke();
        }
      }
      last = place;
    }
    pen.context.lineWidth = 1;
  }
  // Dims everything but a task, those that it waits for and those that wait for it.
  function drawLit(plan, pen, task) {
    const lit = [[plan.graph.before[task], pen.accent, []], [plan.graph.after[task], pen.accent, [4, 3]], [[task], pen.ink, []]];
    pen.context.globalAlpha = 0.72;
    pen.context.fillStyle = pen.surface;
    pen.context.fillRect(plan.left, HEAD, plan.right - plan.left, plan.shown);
    pen.context.globalAlpha = 1;
    for (const [tasks, colour, dash] of lit) {
      for (const other of tasks) {
        for (const place of placesOf(plan, other)) {
          pen.context.fillStyle = pen.colour[place.kind[1]];
          pen.context.fillRect(place.x0, place.y, Math.max(1, place.x1 - place.x0), place.height);
          frameBox(pen, place, colour, dash);
          const shown = place.height >= 13 ? endOf(pen.context, taskName(plan, other), place.x1 - place.x0 - 12) : "";
          if (shown !== "") {
            pen.context.fillStyle = pen.over[place.kind[1]];
            pen.context.fillText(shown, place.x0 + 6, place.y + place.height / 2 + 4);
          }
        }
      }
    }
  }
  // Over the boxes of a task graph: the critical path, or what belongs to the task that is pointed at.
  function drawGraph(plan, pen, canvas) {
    if (plan.graph === null) {
      return;
    }
    const task = plan.hover >= 0 ? plan.hover : taskOf(plan, plan.selected);
    if (task >= 0) {
      drawLit(plan, pen, task);
    } else {
      drawPath(plan, pen);
    }
    canvas.dataset.critical = String(plan.solution.graph.path.length);
    canvas.dataset.lit = task >= 0 ? plan.graph.before[task].length + " " + plan.graph.after[task].length : "";
  }
