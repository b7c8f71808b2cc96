// What only a browser can tell about the pages of publish(): node test_page.js <folder of pages>.
// Pictures at the width of a desk and of a phone, and the printed page, are left beside the pages.
"use strict";
const fs = require("fs");
const path = require("path");
const { Browser, find_browser } = require("./browser.js");

const folder = process.argv[2];
const names = ["asia", "alarm", "hostile", "graph_alone"];
const counts = { passed: 0, failed: 0 };

function check(page, what, is, wanted = true) {
  if (JSON.stringify(is) === JSON.stringify(wanted)) {
    counts.passed += 1;
    return;
  }
  counts.failed += 1;
  console.log(`FAILED ${page}: ${what}\n  is     ${JSON.stringify(is)}\n  wanted ${JSON.stringify(wanted)}`);
}

// A point on the k-th edge of the picture that is shown, brought into view; one where no other edge
// or label lies above it.
const point_of = (k) => `(() => {
  const shown = [...document.querySelectorAll(".picture")].find((box) => box.offsetParent !== null);
  const line = shown.querySelectorAll("a.edge")[${k}].querySelector(".hit");
  shown.scrollIntoView();
  scrollBy(0, line.getBoundingClientRect().top - 200);
  for (let share = 0.1; share < 1; share += 0.05) {
    const at = line.getPointAtLength(line.getTotalLength() * share).matrixTransform(line.getScreenCTM());
    const hit = document.elementFromPoint(at.x, at.y);
    if (hit !== null && hit.closest("a.edge") === line.parentNode) return { x: at.x, y: at.y };
  }
  return null;
})()`;
const panel_title = `(() => { const h = document.querySelector("#panel h3"); return h === null ? "" : h.textContent; })()`;
const card_of = (k) => `[...document.querySelectorAll(".picture")].find((box) => box.offsetParent !== null)
  .querySelectorAll("a.edge")[${k}].getAttribute("href").slice(1)`;
const title_of_edge = (k) => `document.getElementById(${card_of(k)}).querySelector("summary").textContent`;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Of every label of a node, whether it stays inside its box.
const labels_fit = `[...document.querySelectorAll(".picture")].filter((box) => box.offsetParent !== null)
  .every((box) => [...box.querySelectorAll(".node")].every((node) => {
    const text = node.querySelector("text").getBoundingClientRect();
    const frame = node.querySelector("rect").getBoundingClientRect();
    return text.left >= frame.left - 0.5 && text.right <= frame.right + 0.5;
  }))`;

// Whatever is wider than the page, but for what scrolls in a box of its own.
const too_wide = `[...document.querySelectorAll("body *")].filter((node) =>
  node.getBoundingClientRect().right > document.documentElement.clientWidth + 1 &&
  node.closest(".scroll, .picture") === null).map((node) => node.tagName)`;

async function at_desk(browser, name, file) {
  const page = await browser.open(file, { width: 1280 });
  check(name, "asks for nothing", page.requests.filter((url) => !url.startsWith("file:")), []);
  check(name, "is well-formed XML", await page.eval(
    `new DOMParser().parseFromString(${JSON.stringify(fs.readFileSync(file, "utf8"))},
     "application/xhtml+xml").querySelector("parsererror") === null`));
  check(name, "its script runs", await page.eval(`document.documentElement.classList.contains("js")`));
  check(name, "one picture is shown", await page.eval(
    `[...document.querySelectorAll(".picture")].filter((box) => box.offsetParent !== null).length`), 1);
  check(name, "labels stay in their boxes", await page.eval(labels_fit));
  check(name, "nothing is wider than the page", await page.eval(too_wide), []);
  check(name, "links lead somewhere", await page.eval(
    `[...document.querySelectorAll('a[href^="#"]')].every((a) => document.getElementById(a.getAttribute("href").slice(1)) !== null)`));
  check(name, "cards are folded", await page.eval(`document.querySelectorAll("details.fold[open]").length`), 0);
  await page.screenshot(path.join(folder, name + "-desk.png"));

  const edges = await page.eval(`document.querySelectorAll(".picture.wide a.edge").length`);
  for (const k of [0, Math.floor(edges / 2), edges - 1].filter((k) => k >= 0)) {
    const at = await page.eval(point_of(k));
    check(name, `edge ${k} can be pointed at`, at !== null);
    if (at === null) continue;
    await page.move(at.x, at.y);
    await wait(50);
    check(name, `pointing at edge ${k} tells about it`, await page.eval(panel_title), await page.eval(title_of_edge(k)));
  }
  if (edges > 0) {
    await page.screenshot(path.join(folder, name + "-edge.png"), { full: false });
    await page.press("Escape", 27);
    check(name, "Escape closes", await page.eval(panel_title), "");
    // From the picture's box the tab key reaches its first edge.
    await page.eval(`document.querySelector(".picture.wide").focus()`);
    await page.press("Tab", 9);
    check(name, "the keyboard reaches an edge", await page.eval(panel_title), await page.eval(title_of_edge(0)));
    check(name, "an edge has a name", await page.eval(`document.activeElement.getAttribute("aria-label").length > 3`));
  }
  await page.pdf(path.join(folder, name + ".pdf"));
  check(name, "nothing is complained of", page.complaints, []);
  await page.close();
}

async function on_phone(browser, name, file) {
  const page = await browser.open(file, { width: 390, height: 844, mobile: true });
  check(name, "a phone needs no scrolling sideways", await page.eval(`document.documentElement.scrollWidth`), 390);
  check(name, "nothing is wider than a phone", await page.eval(too_wide), []);
  check(name, "labels stay in their boxes on a phone", await page.eval(labels_fit));
  check(name, "letters can be read on a phone", await page.eval(
    `[...document.querySelectorAll(".picture.narrow .node text")].every((text) =>
      parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a >= 9)`));
  await page.screenshot(path.join(folder, name + "-phone.png"));
  if (await page.eval(`document.querySelectorAll("a.edge").length`) > 0) {
    const at = await page.eval(point_of(0));
    await page.tap(at.x, at.y);
    await wait(400);
    check(name, "a tap tells about an edge", await page.eval(panel_title), await page.eval(title_of_edge(0)));
    await page.screenshot(path.join(folder, name + "-tap.png"), { full: false });
    await page.eval(`document.querySelector("#panel button")?.click()`);
    check(name, "and can be closed", await page.eval(`getComputedStyle(document.getElementById("panel")).display`), "none");
  }
  check(name, "nothing is complained of on a phone", page.complaints, []);
  await page.close();
}

async function without_script(browser, name, file) {
  const page = await browser.open(file, { width: 1280, script: false });
  check(name, "without a script all cards are open",
    await page.eval(`document.querySelectorAll("details.fold:not([open])").length`), 0);
  check(name, "without a script there is no empty panel", await page.eval(
    `document.getElementById("panel") === null ||
     getComputedStyle(document.getElementById("panel")).display === "none"`));
  await page.close();
}

async function printed(browser, name, file) {
  const page = await browser.open(file, { width: 794 });
  await page.send("Emulation.setEmulatedMedia", { media: "print" });
  await page.eval(`dispatchEvent(new Event("beforeprint"))`);
  check(name, "on paper all cards are open", await page.eval(`[...document.querySelectorAll("details.fold")]
    .every((fold) => fold.open)`));
  check(name, "on paper the panel is gone", await page.eval(`document.getElementById("panel") === null ||
    getComputedStyle(document.getElementById("panel")).display === "none"`));
  await page.eval(`dispatchEvent(new Event("afterprint"))`);
  check(name, "afterwards they are folded", await page.eval(`document.querySelectorAll("details.fold[open]").length`), 0);
  await page.close();
}

async function marks(browser, name, file) {
  const page = await browser.open(file, { width: 1280 });
  check(name, "the mark is on top", await page.eval(`document.querySelector(".banner").getBoundingClientRect().top`), 0);
  await page.eval(`scrollTo(0, document.body.scrollHeight / 2)`);
  check(name, "and stays there", await page.eval(`document.querySelector(".banner").getBoundingClientRect().top`), 0);
  check(name, "it is on the pictures", await page.eval(
    `[...document.querySelectorAll("svg.graph")].every((svg) => svg.querySelector(".mark").textContent.startsWith("NOT private"))`));
  await page.close();
}

(async () => {
  const browser = new Browser(find_browser());
  const deadline = setTimeout(() => {
    console.log("FAILED: no answer within five minutes");
    browser.process.kill();
    process.exit(1);
  }, 300000);
  for (const name of names) {
    const file = path.join(folder, name + ".html");
    for (const part of [at_desk, on_phone, without_script, printed]) await part(browser, name, file);
  }
  await marks(browser, "alarm", path.join(folder, "alarm.html"));
  clearTimeout(deadline);
  await browser.close();
  console.log(`${counts.passed} passed, ${counts.failed} failed, 0 skipped; pictures are in ${folder}`);
  process.exit(counts.failed > 0 ? 1 : 0);
})().catch((error) => {
  console.log("FAILED:", error.message);
  process.exit(1);
});
