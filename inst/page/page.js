// Comfort only: without it all cards are open and an edge is a link to its card.
(function () {
  "use strict";
  var root = document.documentElement;
  var panel = document.getElementById("panel");
  var folds = Array.from(document.querySelectorAll("details.fold"));
  var links = Array.from(document.querySelectorAll("a.edge"));
  var opened = [];
  root.classList.add("js");

  function open_target() {
    var target = document.getElementById(location.hash.slice(1));
    if (target !== null) {
      if (target.tagName.toLowerCase() === "details") { target.open = true; }
    }
  }
  folds.forEach(function (fold) { fold.open = false; });
  open_target();
  window.addEventListener("hashchange", open_target);

  // Paper cannot be unfolded.
  window.addEventListener("beforeprint", function () {
    opened = folds.filter(function (fold) { return fold.open; });
    folds.forEach(function (fold) { fold.open = true; });
  });
  window.addEventListener("afterprint", function () {
    folds.forEach(function (fold) { fold.open = opened.includes(fold); });
  });

  if (panel === null) { return; }

  function clear() {
    panel.classList.remove("filled");
    panel.replaceChildren();
    links.forEach(function (link) { link.classList.remove("chosen"); });
  }

  function show(name) {
    var card = document.getElementById(name);
    if (card === null) { return; }
    var heading = document.createElement("h3");
    var close = document.createElement("button");
    var label = card.querySelector("summary").cloneNode(true);
    close.type = "button";
    close.textContent = "\u00d7";
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", clear);
    heading.append(...label.childNodes);
    clear();
    panel.append(heading, close, card.querySelector(".body").cloneNode(true));
    panel.classList.add("filled");
    panel.scrollTop = 0;
    links.forEach(function (link) {
      if (link.getAttribute("href") === "#" + name) { link.classList.add("chosen"); }
    });
  }

  links.forEach(function (link) {
    var name = link.getAttribute("href").slice(1);
    link.addEventListener("mouseenter", function () { show(name); });
    link.addEventListener("focus", function () { show(name); });
    link.addEventListener("click", function (event) {
      event.preventDefault();
      show(name);
    });
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") { clear(); }
  });
}());
