// Chromium for the tests, with graphics in software, and reports made by the built program.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const executable = places.find((path) => existsSync(path));

export async function launch() {
  return chromium.launch({
    executablePath: executable,
    args: ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic"],
  });
}

// The program and the folder for its files.
export class Program {
  constructor(path, folder) {
    this.path = path;
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  run(...words) {
    return execFileSync(this.path, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  }

  // What a verb makes of an example, made once for all tests (tests/support/example.sh).
  example(verb, name) {
    const words = [this.path, join(this.folder, "../examples-shared"), verb, name];
    return execFileSync("tests/support/example.sh", words, { encoding: "utf8" }).trim();
  }

  // Runs a model.
  result(model) {
    const example = /^examples\/(.*)\/\1\.yaml$/.exec(model);
    if (example) return this.example("run", example[1]);
    const result = join(this.folder, model.replace(/.*\//, "").replace(/yaml$/, "h5"));
    this.run("run", model, "--quiet", "-o", result);
    return result;
  }

  // Runs a model and writes its report.
  report(model, ...words) {
    const result = this.result(model);
    const page = join(this.folder, model.replace(/.*\//, "").replace(/yaml$/, "html"));
    this.run("report", result, "-o", page, ...words);
    return { result, page };
  }

  // Reduces the body of an example and writes the report of it.
  bodyReport(name) {
    const page = join(this.folder, `${name}-body.html`);
    this.run("report", this.example("reduce", name), "-o", page);
    return page;
  }

  // The numbers of a channel at an instant.
  get(result, channel, t) {
    return this.run("get", result, channel, "--at", String(t)).trim().split(/\s+/).map(Number);
  }
}

// Opens a report; a function may be run in it before its own script. What the page complains about, asks for
// or fetches is collected in page.faults.
export async function open(browser, path, options = {}, before = null) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.faults = [];
  page.on("console", (message) => {
    const harmless = /GL Driver Message .*Performance/.test(message.text()); // of graphics in software
    if (["error", "warning"].includes(message.type()) && !harmless) page.faults.push(message.text());
  });
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("dialog", (dialog) => {
    page.faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(file|blob|data):/.test(request.url())) page.faults.push(`request: ${request.url()}`);
  });
  await page.addInitScript(() => {
    // the pixels of the picture as it is now
    window.pixels = () => {
      const { view } = window.limber;
      view.invalidate();
      view.draw();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [view.canvas.width, view.canvas.height];
      const ctx = canvas.getContext("2d");
      ctx.drawImage(view.canvas, 0, 0);
      return ctx.getImageData(0, 0, canvas.width, canvas.height);
    };
  });
  if (before) await page.addInitScript(before);
  await page.goto(`file://${path}`);
  await page.waitForSelector("html[data-ready=yes]", { timeout: 60000 });
  return page;
}

// The pixels of the canvas that are not of the background, as a sum and a centre, and whether there are such
// at points of the scene; nothing but one body is shown for it.
export async function onlyBody(page, index, points = []) {
  return page.evaluate(({ shown, points }) => {
    const { view, motion } = window.limber;
    view.bodies.forEach((body, i) => (body.visible = i === shown));
    for (const what of ["joints", "frames", "grid", "traces"]) view.show(what, false);
    const { data, width } = window.pixels();
    const empty = (i) => Math.abs(data[i] - data[0]) + Math.abs(data[i + 1] - data[1]) + Math.abs(data[i + 2] - data[2]) < 30;
    let [x, y, n] = [0, 0, 0];
    for (let i = 0; i < data.length; i += 4) {
      if (empty(i)) continue;
      x += (i / 4) % width;
      y += Math.floor(i / 4 / width);
      n++;
    }
    const at = points.map((point) => {
      const { x, y } = view.project(motion.poses[0].position.clone().fromArray(point));
      return !empty(4 * (Math.round(y) * width + Math.round(x)));
    });
    return { x: x / n, y: y / n, n, at };
  }, { shown: index, points });
}

// The colours of the canvas, averaged over squares of eight pixels so that smooth edges do not matter.
export async function squares(page) {
  return page.evaluate(() => {
    const { view } = window.limber;
    view.invalidate();
    view.draw();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [view.canvas.width >> 3, view.canvas.height >> 3];
    const ctx = canvas.getContext("2d");
    ctx.imageSmoothingQuality = "high";
    ctx.drawImage(view.canvas, 0, 0, canvas.width, canvas.height);
    return [...ctx.getImageData(0, 0, canvas.width, canvas.height).data];
  });
}

// To be run in a page before its own script: it takes graphics in software for hardware.
export function asHardware() {
  // the name that tells that there is none
  const ask = WebGL2RenderingContext.prototype.getParameter;
  WebGL2RenderingContext.prototype.getParameter = function (what) {
    return what === 0x9246 ? "Some graphics hardware" : ask.call(this, what);
  };
}

export const seek = (page, t) => page.evaluate((time) => {
  window.limber.player.setPlaying(false);
  window.limber.player.seek(time);
}, t);

// Seconds of processor time that a process and its children have used.
export function processorTime() {
  const parents = new Map();
  const used = new Map();
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").pop().split(" ");
      parents.set(Number(id), Number(fields[1]));
      used.set(Number(id), (Number(fields[11]) + Number(fields[12])) / 100);
    } catch {
      // it has ended
    }
  }
  let sum = 0;
  for (const [id, time] of used) {
    let at = id;
    while (at > 1 && at !== process.pid) at = parents.get(at) ?? 0;
    if (at === process.pid && id !== process.pid) sum += time;
  }
  return sum;
}
