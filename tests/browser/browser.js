// Drives a headless Chromium through its own protocol, over a pipe: nothing has to be installed
// besides the browser and node.
"use strict";
const { spawn, spawnSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

function find_browser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  return names.find((name) => spawnSync(name, ["--version"]).status === 0) || null;
}

class Browser {
  constructor(program) {
    this.home = fs.mkdtempSync(path.join(os.tmpdir(), "privpc-browser-"));
    this.process = spawn(program, [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--remote-debugging-pipe", "--user-data-dir=" + this.home, "about:blank",
    ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.waiting = new Map();
    this.listeners = [];
    this.last = 0;
    let rest = Buffer.alloc(0);
    this.process.stdio[4].on("data", (part) => {
      rest = Buffer.concat([rest, part]);
      for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
        const message = JSON.parse(rest.subarray(0, end).toString());
        rest = rest.subarray(end + 1);
        this.receive(message);
      }
    });
  }

  receive(message) {
    const waiting = this.waiting.get(message.id);
    if (!waiting) return this.listeners.forEach((listen) => listen(message));
    this.waiting.delete(message.id);
    if (message.error) waiting.reject(new Error(message.error.message));
    else waiting.resolve(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = (this.last += 1);
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  // A page of the given width, as a phone has it if `mobile`.
  async open(file, { width, height = 900, mobile = false, script = true }) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await page.send(domain + ".enable");
    await page.send("Emulation.setDeviceMetricsOverride", {
      width, height, deviceScaleFactor: 1, mobile,
    });
    if (mobile) await page.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    if (!script) await page.send("Emulation.setScriptExecutionDisabled", { value: true });
    const loaded = page.event("Page.loadEventFired");
    await page.send("Page.navigate", { url: "file://" + path.resolve(file) });
    await loaded;
    return page;
  }

  async close() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.send("Browser.close").catch(() => null);
    await ended;
    fs.rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  constructor(browser, session, target) {
    Object.assign(this, { browser, session, target, requests: [], complaints: [] });
    browser.listeners.push((message) => {
      if (message.sessionId !== session) return;
      if (message.method === "Network.requestWillBeSent") {
        this.requests.push(message.params.request.url);
      }
      if (message.method === "Log.entryAdded") this.complaints.push(message.params.entry.text);
      if (message.method === "Runtime.exceptionThrown") {
        this.complaints.push(message.params.exceptionDetails.text);
      }
      if (message.method === "Page.javascriptDialogOpening") {
        this.complaints.push("a dialog: " + message.params.message);
        this.send("Page.handleJavaScriptDialog", { accept: true });
      }
    });
  }

  send(method, params) {
    return this.browser.send(method, params, this.session);
  }

  event(method) {
    return new Promise((resolve) => this.browser.listeners.push((message) => {
      if (message.sessionId === this.session && message.method === method) resolve(message.params);
    }));
  }

  async eval(expression) {
    const answer = await this.send("Runtime.evaluate", { expression, returnByValue: true });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception.description);
    return answer.result.value;
  }

  async screenshot(file, { full = true } = {}) {
    const { data } = await this.send("Page.captureScreenshot", { captureBeyondViewport: full,
      ...(full ? { clip: await this.whole() } : {}) });
    fs.writeFileSync(file, Buffer.from(data, "base64"));
  }

  async whole() {
    const { cssContentSize } = await this.send("Page.getLayoutMetrics");
    return { x: 0, y: 0, width: cssContentSize.width, height: cssContentSize.height, scale: 1 };
  }

  async pdf(file) {
    const { data } = await this.send("Page.printToPDF", {
      paperWidth: 8.27, paperHeight: 11.69, preferCSSPageSize: true, printBackground: false,
    });
    fs.writeFileSync(file, Buffer.from(data, "base64"));
  }

  move(x, y) {
    return this.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
  }

  async tap(x, y) {
    await this.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
    await this.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }

  async press(key, code = 0) {
    const event = { key, code: key, windowsVirtualKeyCode: code };
    await this.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...event });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  close() {
    return this.browser.send("Target.closeTarget", { targetId: this.target });
  }
}

module.exports = { Browser, find_browser };
