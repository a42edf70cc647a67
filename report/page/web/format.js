  // ---- elements and numbers. Names come from files: they only ever become text.

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) {
        node.addEventListener(name.slice(2), value);
      } else if (value !== null && value !== undefined && value !== false) {
        node.setAttribute(name, value === true ? "" : String(value));
      }
    }
    for (const child of children) {
      if (child !== null && child !== undefined) {
        node.append(child);
      }
    }
    return node;
  }
  function el(tag, attributes, ...children) {
    return fill(document.createElement(tag), attributes, children);
  }
  function svg(tag, attributes, ...children) {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  }

  function whole(value) {
    const digits = String(Math.round(value));
    return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  }
  function ratio(value) {
    return value === null || value === undefined || Number.isNaN(value) ? "\u2013" : value.toFixed(6);
  }
  function percent(part, of) {
    return of > 0 ? (100 * part / of).toFixed(1) + "\u2009%" : "\u2013";
  }
  function short(value) {
    if (value === 0) {
      return "0";
    }
    const size = Math.abs(value);
    return size >= 1e5 || size < 1e-3 ? value.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e")
                                      : String(Number(value.toPrecision(4)));
  }
  function seconds(value) {
    for (const [unit, size] of [["s", 1], ["ms", 1e-3], ["\u00b5s", 1e-6]]) {
      if (value >= size || unit === "\u00b5s") {
        return String(Number((value / size).toPrecision(3))) + "\u2009" + unit;
      }
    }
    return "";
  }
  function bytes(value) {
    for (const [unit, size] of [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 1024]]) {
      if (value >= size) {
        return String(Number((value / size).toPrecision(3))) + "\u2009" + unit;
      }
    }
    return whole(value) + "\u2009B";
  }
  // Whole ticks as a decimal of the instance's unit, of at most six digits; marked where what the value was
  // made from (`most`) is more than numbers here hold exactly.
  function ticks(value, decimals, most) {
    const about = Math.max(most, Math.abs(value)) > Number.MAX_SAFE_INTEGER ? "\u2248\u2009" : "";
    let digits = BigInt(Math.round(Math.abs(value))).toString();
    if (decimals > 0) {
      digits = digits.padStart(decimals + 1, "0");
      const at = digits.length - decimals;
      digits = (digits.slice(0, at) + "." + digits.slice(at)).replace(/\.?0+$/, "");
    }
    if (digits.replace(/\D|^[0.]+/g, "").length > 6) {
      digits = String(Number(Number(digits).toPrecision(6)));
    }
    return about + (value < 0 ? "\u2212" : "") + digits;
  }

  // ---- colours: the same in light and dark.

  function channels(colour) {
    return [1, 3, 5].map(function (at) { return parseInt(colour.slice(at, at + 2), 16); });
  }
  function luminance(rgb) {
    const [r, g, b] = rgb.map(function (c) {
      return c <= 10 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  // Black or white letters, whichever stand out more: at least 4.5:1.
  function letters(colour) {
    const bright = luminance(channels(colour)) + 0.05;
    return bright / 0.05 > 1.05 / bright ? "#000000" : "#ffffff";
  }
  function variable(name) {
    return getComputedStyle(root).getPropertyValue(name).trim();
  }

  // ---- the tooltip

  const tip = document.getElementById("tip");
  function showTip(x, y, title, rows) {
    tip.replaceChildren(el("b", null, title), el("dl", null, ...rows.flatMap(function (row) {
      return [el("dt", null, row[0]), el("dd", null, row[1])];
    })));
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const left = x + 14 + box.width > innerWidth ? x - 14 - box.width : x + 14;
    const top = y + 16 + box.height > innerHeight ? y - 12 - box.height : y + 16;
    tip.style.left = Math.max(4, Math.min(left, innerWidth - box.width - 4)) + "px";
    tip.style.top = Math.max(4, top) + "px";
  }
  function hideTip() {
    tip.hidden = true;
  }

