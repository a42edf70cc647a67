  // ---- what is chosen, in the address after '#', so that a view can be kept and passed on

  const state = {};
  new URLSearchParams(location.hash.slice(1)).forEach(function (value, key) { state[key] = value; });

  function keep(key, value) {
    if (value === "" || value === null || value === undefined) {
      delete state[key];
    } else {
      state[key] = String(value);
    }
    try {
      const text = new URLSearchParams(state).toString();
      history.replaceState(null, "", text === "" ? location.pathname + location.search : "#" + text);
    } catch (fault) {
      // A browser may refuse this for a file; the page works without.
    }
  }

  const redraws = [];
  function redraw() {
    hideTip();
    for (const draw of redraws) {
      draw();
    }
    labelCells();
  }

  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  function applyTheme() {
    const dark = state.theme === undefined ? prefersDark.matches : state.theme === "dark";
    root.dataset.theme = dark ? "dark" : "light";
    document.getElementById("theme").textContent = dark ? "Light" : "Dark";
  }
  function setUpTheme() {
    applyTheme();
    document.getElementById("theme").addEventListener("click", function () {
      keep("theme", root.dataset.theme === "dark" ? "light" : "dark");
      applyTheme();
      redraw();
    });
    prefersDark.addEventListener("change", function () { applyTheme(); redraw(); });
  }

  // ---- the sections of the page

  const main = document.getElementById("main");
  const links = el("div", { class: "wrap" });
  document.getElementById("nav").append(links);
  function section(id, title, note) {
    const made = el("section", { id: id, "aria-labelledby": id + "-title" },
                    el("header", null, el("h2", { id: id + "-title" }, title),
                       note ? el("p", { class: "note" }, note) : null));
    main.append(made);
    // Not by '#': that holds the state.
    links.append(el("a", { href: "#" + id, onclick: function (event) {
      event.preventDefault();
      made.scrollIntoView({ behavior: "auto" });
    } }, title));
    return made;
  }
  function absent(where, why) {
    where.dataset.absent = "1";
    where.append(el("p", { class: "absent" }, why));
  }

