  // ---- a schedule as typed arrays, and where it is on the canvas

  // Numbers of a box in the data: gap before it, length, kind, first task, runs (0: aborted).
  const BOX = 5;
  function unpack(solution) {
    const count = solution.rows.reduce(function (sum, row) { return sum + row[4].length / BOX; }, 0);
    const boxes = { start: new Float64Array(count), end: new Float64Array(count), kind: new Int32Array(count), task: new Float64Array(count), runs: new Float64Array(count) };
    const rows = [];
    let at = 0;
    for (const [type, processor, busy, lost, list] of solution.rows) {
      const row = { type: type, processor: processor, busy: busy, lost: lost, first: at, last: at };
      let time = 0;
      for (let i = 0; i < list.length; i += BOX, at++) {
        boxes.start[at] = time + list[i];
        time = boxes.end[at] = boxes.start[at] + list[i + 1];
        boxes.kind[at] = list[i + 2];
        boxes.task[at] = list[i + 3];
        boxes.runs[at] = list[i + 4];
      }
      row.last = at;
      rows.push(row);
    }
    addIdleRows(solution, rows);
    addClosed(solution, rows);
    const end = boxes.end.reduce(function (most, value) { return Math.max(most, value); }, 0);
    const plan = { solution: solution, boxes: boxes, rows: rows, count: count, hover: -1, end: Math.max(end, ...data.solutions.filter(function (other) { return sameAxis(other, solution); }).map(lastTime), 1) };
    plan.graph = unpackGraph(plan);
    return plan;
  }
  // Schedules of one instance have one time axis, so that a longer one looks longer.
  function sameAxis(a, b) { return a.instance === b.instance && a.unit === b.unit && a.decimals === b.decimals && a.tasks === b.tasks; }
  function lastTime(solution) { return Math.max(solution.makespan, solution.bound); }
  // Processors that run nothing have rows too where there are not too many.
  function addIdleRows(solution, rows) {
    const processors = solution.types.reduce(function (sum, type) { return sum + type[1]; }, 0);
    if (solution.hidden > 0 || processors > 4096) {
      return;
    }
    const there = new Set(rows.map(function (row) { return row.type + "," + row.processor; }));
    solution.types.forEach(function (type, t) {
      for (let p = 0; p < type[1]; p++) {
        if (!there.has(t + "," + p)) {
          rows.push({ type: t, processor: p, busy: 0, lost: 0, first: 0, last: 0 });
        }
      }
    });
    rows.sort(function (a, b) { return a.type - b.type || a.processor - b.processor; });
  }

  // When processors take no tasks.
  function addClosed(solution, rows) {
    const of = new Map(rows.map(function (row) { return [row.type + "," + row.processor, row]; }));
    for (const row of rows) {
      row.closed = [];
    }
    for (const [type, processor, from, to, why] of solution.closed) {
      const row = of.get(type + "," + processor);
      if (row) {
        row.closed.push({ from: from, to: to < 0 ? Infinity : to, why: why });
      }
    }
  }

  const LABELS = 160, IDLE = 62, HEAD = 34, FOOT = 30, GAP = 10;
  // `names`: width of the widest processor name.
  function layOut(plan, width, names) {
    const groups = new Set(plan.rows.map(function (row) { return row.type; })).size;
    const height = Math.max(3, Math.min(22, 520 / Math.max(1, plan.rows.length)));
    let y = 0, type = -1;
    plan.top = plan.rows.map(function (row) {
      y += type >= 0 && row.type !== type ? GAP : 0;
      type = row.type;
      y += height;
      return y - height;
    });
    plan.rowHeight = height;
    plan.content = Math.max(y, height);
    plan.width = width;
    plan.narrow = width < 560;
    plan.left = Math.min(names + 14, plan.narrow ? width / 4 : LABELS);
    plan.right = width - (plan.narrow ? 8 : IDLE);
    plan.height = Math.min(plan.content, 620) + HEAD + FOOT + (groups > 0 ? 0 : 20);
    plan.shown = plan.height - HEAD - FOOT;
  }
  function clampView(plan) {
    const span = Math.min(plan.end * 1.02, Math.max(plan.t1 - plan.t0, plan.end / 1e7));
    plan.t0 = Math.max(0, Math.min(plan.t0, plan.end * 1.02 - span));
    plan.t1 = plan.t0 + span;
    plan.scroll = Math.max(0, Math.min(plan.scroll, plan.content - plan.shown));
  }
  function timeX(plan, time) { return plan.left + (time - plan.t0) / (plan.t1 - plan.t0) * (plan.right - plan.left); }
  function xTime(plan, x) { return plan.t0 + (x - plan.left) / (plan.right - plan.left) * (plan.t1 - plan.t0); }

  // The first box of a row that ends after `time`.
  function firstAfter(plan, row, time) {
    let low = row.first, high = row.last;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (plan.boxes.end[middle] <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
  function rowAt(plan, y) {
    const inside = y - HEAD + plan.scroll;
    if (y < HEAD || y > plan.height - FOOT) {
      return -1;
    }
    return plan.top.findIndex(function (top) { return inside >= top && inside < top + plan.rowHeight; });
  }

  // What lies there: {row, box, part}, or {row, from, to} for idle time, with why where no task may be there, or null.
  function hit(plan, x, y) {
    const at = rowAt(plan, y);
    if (at < 0 || x < plan.left || x > plan.right) {
      return null;
    }
    const row = plan.rows[at], time = xTime(plan, x);
    const box = firstAfter(plan, row, time);
    if (box < row.last && plan.boxes.start[box] <= time) {
      const runs = Math.max(1, plan.boxes.runs[box]);
      const length = plan.boxes.end[box] - plan.boxes.start[box];
      const part = length > 0 ? Math.min(runs - 1, Math.floor((time - plan.boxes.start[box]) / length * runs)) : 0;
      return { row: at, box: box, part: part };
    }
    const closed = row.closed.find(function (part) { return part.from <= time && time < part.to; });
    if (closed) {
      return { row: at, from: closed.from, to: Math.min(closed.to, plan.end), why: closed.why };
    }
    return { row: at, from: box > row.first ? plan.boxes.end[box - 1] : 0, to: box < row.last ? plan.boxes.start[box] : plan.solution.makespan };
  }

  // That of the instance, else type and number.
  function processorName(solution, row) {
    const type = solution.types[row.type];
    return row.processor < type[4].length ? type[4][row.processor] : type[0] + " " + row.processor;
  }

  // What the tooltip and the line below the picture say.
  function describe(plan, found) {
    const solution = plan.solution, row = plan.rows[found.row], boxes = plan.boxes;
    const show = function (value) { return ticks(value, solution.axisDecimals, plan.end) + (solution.axisUnit ? " " + solution.axisUnit : ""); };
    if (found.box === undefined) {
      return { title: found.why || "idle", rows: [["processor", processorName(solution, row)], ["from", instant(plan, found.from)], ["to", instant(plan, Math.max(found.to, found.from))], ["for", show(Math.max(0, found.to - found.from))]] };
    }
    const kind = solution.kinds[boxes.kind[found.box]], runs = boxes.runs[found.box];
    let start = boxes.start[found.box], end = boxes.end[found.box];
    const rows = [["processor", processorName(solution, row)]];
    let title = kind[0];
    if (solution.level === 0) {
      const each = (end - start) / Math.max(1, runs);
      title += kind[2] ? "#" + (boxes.task[found.box] + found.part) : "";
      start += each * found.part;
      end = start + each;
      if (title !== kind[0]) {
        rows.push(["kind", kind[0]]);
      }
    } else {
      title = solution.level === 2 && runs > 1 ? "mostly " + solution.classes[kind[1]][0] : title;
      rows.push([solution.level === 2 ? "runs" : "tasks", whole(Math.max(1, runs))]);
    }
    if (runs === 0) {
      rows.push(["", "aborted"]);
    }
    rows.push(["start", instant(plan, start)], ["end", instant(plan, end)], ["for", show(end - start)]);
    return { title: title, rows: rows.concat(graphRows(plan, found)) };
  }

