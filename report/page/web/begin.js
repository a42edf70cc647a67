// SPDX-License-Identifier: Apache-2.0
(function () {
  "use strict";
  const root = document.documentElement;

  // A fault of this page is shown, not swallowed.
  window.addEventListener("error", function (event) {
    root.dataset.error = String(event.message);
    const box = document.createElement("p");
    box.className = "alert";
    box.textContent = "This page has a fault: " + event.message;
    document.getElementById("main").prepend(box);
  });

  const data = JSON.parse(document.getElementById("data").textContent);
  const hasTables = data.groups !== undefined;

