  // ---- times of day, where time 0 has one

  const DAY = 86400;
  const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, DAY];

  // The time of day so many seconds after time 0, to `places` of a second: "09:00", "11-28 01:15:00.5" with the day.
  function timeOfDay(clock, passed, places, day) {
    const power = 10 ** places, parts = Math.round(passed * power);
    const whole = Math.floor(parts / power), fraction = parts - whole * power;
    const text = new Date(1000 * (clock.from + whole)).toISOString().slice(-19, -5);
    const exact = (fraction > 0 ? text + "." + String(fraction).padStart(places, "0").replace(/0+$/, "") : text.replace(/:00$/, ""));
    return day ? exact.replace("T", " ") : exact.slice(6);
  }
  // Whether what ends so many ticks after time 0 ends on a later day.
  function endsLater(clock, ticksAfter) {
    return Math.floor((clock.from + ticksAfter * clock.tick) / DAY) > Math.floor(clock.from / DAY);
  }
  // An instant as people read it: a time of day, to six digits of what has passed since time 0, or a time.
  function instant(plan, value) {
    const solution = plan.solution, clock = solution.clock;
    if (clock === null) {
      return ticks(value, solution.axisDecimals, plan.end) + (solution.axisUnit ? " " + solution.axisUnit : "");
    }
    const passed = value * clock.tick, digits = passed > 0 ? Math.floor(Math.log10(passed)) + 1 : 1;
    return timeOfDay(clock, passed, Math.min(9, Math.max(0, 6 - digits)), endsLater(clock, plan.end));
  }
  // What is marked at the axis: [ticks, text] of whole hours, quarters of them, days; of seconds' parts where
  // less is in view; else of round numbers.
  function axisTicks(plan, wanted) {
    const clock = plan.solution.clock, unit = 10 ** plan.solution.axisDecimals;
    if (clock === null) {
      return evenTicks(plan.t0 / unit, plan.t1 / unit, wanted).map(function (tick) { return [tick * unit, String(tick)]; });
    }
    const from = plan.t0 * clock.tick, to = plan.t1 * clock.tick, least = (to - from) / Math.max(1, wanted);
    const day = endsLater(clock, plan.end);
    if (least < 0.5) {
      const places = Math.min(9, Math.max(0, Math.ceil(-Math.log10(least))));
      return evenTicks(from, to, wanted).map(function (passed) { return [passed / clock.tick, timeOfDay(clock, passed, places, day)]; });
    }
    const step = CLOCK_STEPS.find(function (size) { return size >= least; }) || DAY * Math.ceil(least / DAY);
    const found = [];
    for (let at = Math.ceil((clock.from + from) / step) * step; at <= clock.from + to; at += step) {
      found.push([(at - clock.from) / clock.tick, timeOfDay(clock, at - clock.from, 0, day)]);
    }
    return found;
  }

