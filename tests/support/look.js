// SPDX-License-Identifier: Apache-2.0
// Looks at a page or a picture in a frame of the browser: contrast as WCAG 2 defines it, and whether anything is cut off.
// Returns lines: "FAIL ..." for each fault, then "looked at N texts, M shapes".
function look(view) {
  "use strict";
  const page = view.document, root = page.documentElement, faults = [];
  let texts = 0, shapes = 0;

  function channels(colour) {
    const found = /rgba?\(([^)]*)\)/.exec(colour);
    return found === null ? null : found[1].split(/[ ,/]+/).map(Number);
  }
  function luminance(rgb) {
    const [r, g, b] = rgb.map(function (c) { return c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  function contrast(a, b) {
    const x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return Math.max(x, y) / Math.min(x, y);
  }
  // What is behind an element: the nearest ground that is not seen through.
  function ground(node) {
    for (let at = node; at !== null; at = at.parentElement) {
      const colour = channels(view.getComputedStyle(at).backgroundColor);
      if (colour !== null && (colour.length === 3 || colour[3] === 1)) {
        return colour.slice(0, 3);
      }
    }
    return [255, 255, 255];
  }
  function name(node) {
    return node.tagName + (node.id ? "#" + node.id : "") + (node.getAttribute("class") ? "." + node.getAttribute("class") : "") +
           " '" + node.textContent.trim().slice(0, 30) + "'";
  }
  function hold(what, node, a, b, least) {
    const ratio = contrast(a.slice(0, 3), b);
    if (!(ratio >= least)) {
      faults.push("FAIL " + what + " of " + name(node) + ": " + ratio.toFixed(2) + ":1, expected " + least + ":1");
    }
  }
  function within(node, box, outer, what) {
    if (box.left < outer.left - 1 || box.right > outer.right + 1 || box.top < outer.top - 1 || box.bottom > outer.bottom + 1) {
      faults.push("FAIL " + name(node) + " reaches out of " + what + ": " + [box.left, box.right, box.top, box.bottom].map(Math.round) +
                  " of " + [outer.left, outer.right, outer.top, outer.bottom].map(Math.round));
    }
  }
  function seen(node) {
    return node.getClientRects().length > 0 && view.getComputedStyle(node).visibility === "visible";
  }
  const everything = { left: 0, right: root.clientWidth, top: -1e9, bottom: 1e9 };

  // A picture of its own: texts on boxes, boxes on idle time.
  function lookAtPicture() {
    const outer = root.getBoundingClientRect();
    const page_ = root.querySelector("rect[height='100%']");
    const behind = channels(view.getComputedStyle(page_).fill);
    const boxes = [...root.querySelectorAll("rect")].filter(function (rect) { return rect.querySelector("title") && !view.getComputedStyle(rect).fill.startsWith("url"); });
    const hatched = new Set([...root.querySelectorAll("rect")].filter(function (rect) { return view.getComputedStyle(rect).fill.startsWith("url"); })
                            .map(function (rect) { return rect.textContent; }));
    const idle = channels(view.getComputedStyle(root.querySelector("path:not([stroke])")).fill);
    const places = boxes.map(function (rect) { return rect.getBoundingClientRect(); });
    boxes.forEach(function (rect, i) {
      if (!hatched.has(rect.textContent)) { // its strokes and its edge stand out there
        hold("contrast of the box", rect, channels(view.getComputedStyle(rect).fill), idle, 3);
        shapes++;
      }
    });
    for (const text of root.querySelectorAll("text")) {
      const box = text.getBoundingClientRect(), x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
      within(text, box, outer, "the picture");
      const at = places.findIndex(function (place) { return place.left <= x && x <= place.right && place.top <= y && y <= place.bottom; });
      hold("contrast", text, channels(view.getComputedStyle(text).fill), at >= 0 ? channels(view.getComputedStyle(boxes[at]).fill) : behind, 4.5);
      if (at >= 0 && box.width > places[at].width + 1) {
        faults.push("FAIL " + name(text) + " is wider than its box");
      }
      texts++;
    }
  }

  function lookAtTexts() {
    const walk = page.createTreeWalker(page.body, view.NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const node = walk.currentNode.parentElement;
      if (walk.currentNode.textContent.trim() === "" || ["SCRIPT", "STYLE", "OPTION", "NOSCRIPT"].includes(node.tagName) || !seen(node)) {
        continue;
      }
      const drawn = node.closest("svg") !== null, style = view.getComputedStyle(node);
      hold("contrast", node, channels(drawn ? style.fill : style.color), ground(drawn ? node.closest("svg").parentElement : node), 4.5);
      const range = page.createRange();
      range.selectNodeContents(walk.currentNode);
      within(node, range.getBoundingClientRect(), everything, "the screen");
      if (drawn) {
        within(node, node.getBoundingClientRect(), node.closest("svg").getBoundingClientRect(), "its chart");
      }
      texts++;
    }
    for (const node of page.querySelectorAll("*")) {
      if (seen(node) && node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0 && view.getComputedStyle(node).overflowX !== "visible" && node.tagName !== "SELECT") {
        faults.push("FAIL " + name(node) + " is cut: " + node.scrollWidth + " in " + node.clientWidth);
      }
    }
  }
  function lookAtShapes() {
    for (const line of page.querySelectorAll("svg .line, svg g[data-series] line, svg g[data-series] rect, svg circle[data-series]")) {
      const style = view.getComputedStyle(line), paint = channels(style.stroke) || channels(style.fill);
      hold("contrast of the line", line, paint, ground(line.closest("svg").parentElement), 3);
      shapes++;
    }
    for (const control of page.querySelectorAll(".button, .chip, select")) {
      if (seen(control)) {
        hold("contrast of the edge", control, channels(view.getComputedStyle(control).borderTopColor), ground(control.parentElement), 3);
        shapes++;
      }
    }
    for (const swatch of page.querySelectorAll(".legend .swatch")) {
      const fill = channels(view.getComputedStyle(swatch).backgroundColor), probe = page.createElement("i");
      probe.style.background = "var(--idle)";
      page.body.append(probe);
      const idle = channels(view.getComputedStyle(probe).backgroundColor);
      probe.remove();
      if (swatch.parentElement.textContent !== "idle" && !swatch.classList.contains("hatch")) {
        hold("contrast of the box", swatch.parentElement, fill, idle, 3);
        hold("contrast of the box on the card", swatch.parentElement, fill, ground(swatch.parentElement), 3);
        shapes++;
      }
    }
  }

  if (root.tagName === "svg") {
    lookAtPicture();
  } else {
    if (root.dataset.ready !== "1" || root.dataset.error !== undefined) {
      faults.push("FAIL the page is not ready: " + root.dataset.error);
    }
    lookAtTexts();
    lookAtShapes();
  }
  return [...faults, "looked at " + texts + " texts, " + shapes + " shapes"].join("\n");
}
