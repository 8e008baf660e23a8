// Drives real reports in Chromium:  node run.mjs PROGRAM FOLDER [FLEXIBLE.html]
// Ends with 77 (skipped) where there is no Chromium, except in continuous integration, where that is
// a failure.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beamTests } from "./beams.mjs";
import { asHardware, executable, launch, onlyBody, open, processorTime, Program, seek, squares } from "./browser.mjs";
import { ghostTests } from "./ghost.mjs";
import { keys } from "./keys.mjs";
import { limits } from "./limits.mjs";
import { manyTests } from "./many.mjs";
import { rotorTests } from "./rotors.mjs";
import { sheetTests } from "./sheets.mjs";

const [programPath, folder, flexible] = process.argv.slice(2);
if (!executable) {
  console.log("There is no Chromium to show reports in (Debian's package chromium).");
  process.exit(process.env.CI ? 1 : 77);
}

const program = new Program(programPath, folder);
const browser = await launch();
const tests = [];
const test = (name, run) => tests.push({ name, run });

const crank = program.report("examples/slider-crank/slider-crank.yaml");
const hub = program.report("examples/hub/hub.yaml");

// A number that changes with the picture.
async function picture(page) {
  return page.evaluate(() => {
    const { data } = window.pixels();
    let hash = 0;
    for (let i = 0; i < data.length; i += 4) hash = (hash * 31 + data[i] * 7 + data[i + 1] * 3 + data[i + 2]) | 0;
    return hash;
  });
}

// The same once it does not change any more: fonts and sizes settle late on a busy machine.
async function settled(page) {
  for (let last = await picture(page); ;) {
    await page.waitForTimeout(100);
    const now = await picture(page);
    if (now === last) return now;
    last = now;
  }
}

const menu = (page) => page.getByRole("button", { name: "Display" }).click();

test("a report opens and plays", async () => {
  const page = await open(browser, crank.page);
  assert.equal(await page.locator("h1").textContent(), "Slider-crank at constant speed");
  assert.equal(await page.title(), "Slider-crank at constant speed");
  const before = await page.evaluate(() => ({ t: window.limber.player.t, frames: window.limber.view.frames }));
  await page.locator("#play").click();
  await page.waitForFunction((t) => window.limber.player.t > t + 0.02, before.t);
  const after = await page.evaluate(() => window.limber.view.frames);
  assert.ok(after > before.frames + 1, "frames are drawn");
  await page.keyboard.press("Home");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("scrubbing moves plots and bodies together", async () => {
  const page = await open(browser, crank.page);
  for (const t of [0.13, 0.42, 0.77]) {
    await page.locator("#scrub").evaluate((input, value) => {
      input.value = String(value);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }, t);
    const state = await page.evaluate(() => {
      const { view, motion, player } = window.limber;
      const plot = document.querySelector(".plot");
      const line = plot.querySelector(".time-line").getBoundingClientRect();
      const over = plot.querySelector(".u-over").getBoundingClientRect();
      return {
        t: player.t, x: motion.poses[3].position.x, drawn: view.bodies[3].position.x,
        line: (line.left + line.width / 2 - over.left) / over.width,
        value: plot.querySelector(".chip b").textContent, clock: document.getElementById("clock").textContent,
      };
    });
    const [x] = program.get(crank.result, "slider.position", t);
    const [effort] = program.get(crank.result, "motor.effort", t);
    assert.equal(state.t, t);
    assert.equal(state.clock, `${t.toFixed(2)} s`);
    assert.ok(Math.abs(state.x - x) < 1e-6, "the pose is that of the result");
    assert.equal(state.drawn, state.x);
    assert.ok(Math.abs(state.line - t) < 0.01, `the line in the plot is at the time: ${state.line}`);
    const shown = Number(state.value.replace("−", "-"));
    assert.ok(Math.abs(shown - effort) <= 6e-4 * Math.abs(effort), `${shown} is shown for ${effort}`);
  }
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a body is on the screen where the result has it", async () => {
  const page = await open(browser, crank.page);
  // the picture of the slider at two instants gives the scale, the others are to be met
  const seen = [];
  for (const t of [0, 0.3, 0.15, 0.6]) {
    await seek(page, t);
    const { x, y, n } = await onlyBody(page, 3);
    assert.ok(n > 500, "the slider is drawn");
    seen.push({ x, y, at: program.get(crank.result, "slider.position", t)[0] });
  }
  const scale = (seen[1].x - seen[0].x) / (seen[1].at - seen[0].at);
  for (const { x, y, at } of seen) {
    assert.ok(Math.abs(seen[0].x + scale * (at - seen[0].at) - x) < 1, "within a pixel");
    assert.ok(Math.abs(y - seen[0].y) < 1, "on its straight way");
  }
  // and where the page says that points are
  await seek(page, 0.3);
  const told = await page.evaluate(() => window.limber.view.project(window.limber.motion.poses[3].position));
  assert.ok(Math.hypot(told.x - seen[1].x, told.y - seen[1].y) < 1.5);
  await page.context().close();
});

test("channels are searched, added and removed", async () => {
  const page = await open(browser, crank.page);
  await page.keyboard.press("/");
  await page.keyboard.type("slider velocity");
  const names = await page.locator(".results .channel").allTextContents();
  assert.ok(names.includes("slider.velocity") && names.every((n) => n.startsWith("slider")), names.join());
  await page.locator(".results li", { hasText: "slider.velocity" }).first().locator(".part", { hasText: "x" }).click();
  await page.waitForFunction(() => window.limber.plots.shown.flat().includes("slider.velocity.x"));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "New plot" }).click();
  await page.locator(".finder input").fill("energy.total");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.limber.plots.shown.at(-1)[0] === "energy.total");
  await page.locator(".plot").last().getByRole("button", { name: "Remove this plot" }).click();
  assert.equal(await page.evaluate(() => window.limber.plots.shown.length), 3);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("plots are downloaded as CSV", async () => {
  const page = await open(browser, crank.page);
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".plot").first().getByRole("button", { name: "Download as CSV" }).click()]);
  const [head, ...rows] = readFileSync(await file.path(), "utf8").trim().split("\n");
  assert.equal(head, "time,motor.effort");
  assert.equal(rows.length, 101);
  const [t, value] = rows[25].split(",").map(Number);
  assert.equal(t, 0.25);
  assert.ok(Math.abs(value - program.get(crank.result, "motor.effort", 0.25)[0]) < 1e-6);
  await page.context().close();
});

test("the animation is recorded as a video", async () => {
  const page = await open(browser, crank.page);
  await page.evaluate(() => window.limber.player.setSpeed(1));
  const [video] = await Promise.all([page.waitForEvent("download", { timeout: 60000 }), page.locator("#record").click()]);
  assert.equal(video.suggestedFilename(), "animation.webm");
  const bytes = readFileSync(await video.path());
  assert.equal(bytes.readUInt32BE(0), 0x1a45dfa3); // EBML, of which WebM is made
  assert.ok(bytes.includes("webm") && bytes.length > 5000, `${bytes.length} bytes`);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("everything can be done with keys", async () => {
  const page = await open(browser, crank.page);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.ok(Math.abs((await page.evaluate(() => window.limber.player.t)) - 0.02) < 1e-12);
  await page.keyboard.press("Shift+ArrowRight");
  assert.ok(Math.abs((await page.evaluate(() => window.limber.player.t)) - 0.12) < 1e-12);
  await page.keyboard.press("End");
  assert.equal(await page.evaluate(() => window.limber.player.t), 1);
  await page.keyboard.press(" ");
  assert.equal(await page.evaluate(() => window.limber.player.playing), true);
  await page.keyboard.press(" ");
  assert.equal(await page.evaluate(() => window.limber.player.playing), false);
  await page.getByRole("tab", { name: "Plots" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector(".facts");
  assert.match(await page.locator(".page").textContent(), /Degrees of freedom1, 0 left with the drivers/);
  await page.context().close();
});

test("the Tab key goes through all controls, each of which has a name and is seen", async () => {
  const page = await open(browser, crank.page);
  await page.evaluate(() => document.getElementById("shown").click());
  const stops = [];
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const at = document.activeElement;
      if (!at || at === document.body) return null;
      const name = at.getAttribute("aria-label") ?? (at.labels?.[0] ?? at).textContent.trim();
      const style = getComputedStyle(at);
      return { id: at.id, name, outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0 };
    });
    if (!stop) break;
    stops.push(stop);
  }
  const names = stops.map(({ name }) => name);
  for (const name of ["Display", "Joints", "Size of arrows", "Play (space)", "Time", "Speed", "Plots", "Search channels", "New plot", "Remove this plot"])
    assert.ok(names.includes(name), `${name} is among ${names.join()}`);
  assert.ok(names.every((name) => name.length > 1), `all have names: ${names.join()}`);
  assert.deepEqual(stops.filter(({ outline }) => !outline), [], "all show that they have the focus");
  assert.equal(names.indexOf("Dark") < names.indexOf("Display") && names.indexOf("Display") < names.indexOf("Time"), true);

  // sliders keep their keys, Escape closes the menu and gives the focus back
  await page.getByLabel("Size of arrows").focus();
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.evaluate(() => window.limber.view.arrows.scale > 1 && window.limber.player.t === 0));
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("button", { name: "Display" }).getAttribute("aria-expanded"), "false");
  assert.equal(await page.evaluate(() => document.activeElement.id), "shown");
  await page.keyboard.press("+");
  assert.ok(await page.evaluate(() => window.limber.view.camera.zoom > 1));
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("texts of a model stay texts", async () => {
  const model = join(folder, "hostile.yaml");
  const title = "<img src=x onerror=alert(1)>";
  const text = readFileSync("examples/slider-crank/slider-crank.yaml", "utf8").replace(/^title:.*$/m, `title: "${title}"`);
  writeFileSync(model, `# </script><script>alert(2)</script>\n${text}`);
  const page = await open(browser, program.report(model).page);
  assert.equal(await page.locator("h1").textContent(), title);
  assert.equal(await page.title(), title);
  await page.getByRole("tab", { name: "Model" }).click();
  assert.match(await page.locator(".model").textContent(), /<\/script><script>alert\(2\)<\/script>/);
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("forces, names and analyses can be chosen", async () => {
  const { page: file } = program.report("examples/suspension/suspension.yaml");
  const page = await open(browser, file);
  await seek(page, 0.6);
  const before = await picture(page);
  await menu(page);
  await page.getByText("Forces", { exact: true }).click();
  await page.waitForFunction(() => window.limber.view.arrows.group.children.some((arrow) => arrow.visible));
  assert.notEqual(await picture(page), before, "arrows are drawn");
  await page.getByText("Names", { exact: true }).click();
  await page.waitForSelector(".labels.on .name >> text=chassis");
  await page.getByLabel("Analysis").selectOption("0");
  await page.waitForFunction(() => window.limber.analysis.data.name === "rest" && document.querySelector(".player").hidden);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("it fits a phone, and dark", async () => {
  const page = await open(browser, crank.page, { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} pixels too wide`);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.getByRole("button", { name: "Light" }).click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("modes of a reduced body are seen one by one", async () => {
  const page = await open(browser, program.bodyReport("cantilever"));
  await seek(page, 0.25);
  const first = await picture(page);
  // three motions as one piece stand before those that deform it
  for (const mode of [1, 4]) {
    await page.locator(`tr[data-mode='${mode}']`).click();
    await seek(page, 0.25);
    assert.notEqual(await picture(page), first);
    assert.equal(await page.evaluate(() => window.limber.motion.mode), mode);
  }
  const plain = await picture(page);
  await menu(page);
  await page.getByLabel("von Mises stress").check();
  assert.notEqual(await picture(page), plain, "the beam has stresses");
  assert.ok(await page.locator(".color-legend").isVisible());
  // it moves as one piece with its only point, which has no stress
  await page.locator("tr[data-mode]", { hasText: "static: A y" }).click();
  await page.waitForSelector(".color-legend", { state: "hidden" });
  await page.getByText("fixed-interface 1", { exact: true }).click();
  await page.waitForSelector(".color-legend", { state: "visible" });
  // clamped there and free at its other end: von Mises' stress of the outermost fibre grows towards the clamp
  const stresses = await page.evaluate(() => {
    const { view, motion, player } = window.limber;
    player.setPlaying(false);
    player.seek(0.25);
    const skin = view.skins.get(1);
    const rows = skin.data.stress_scale.length;
    const at = motion.poses[1].strained.findIndex((c) => c !== 0);
    const count = skin.nodes.length / 3;
    const stress = (i) => Math.abs(skin.stresses[5 * at * count + i]); // xx, of 127
    const nodes = Array.from({ length: count }, (_, i) => i).filter((i) => skin.nodes[3 * i + 1] > 0);
    return { rows, list: nodes.sort((a, b) => skin.nodes[3 * a] - skin.nodes[3 * b]).map(stress) };
  });
  assert.equal(stresses.rows, await page.locator("tr[data-mode]").count() - 3);
  assert.deepEqual(stresses.list, [...stresses.list].sort((a, b) => b - a));
  assert.deepEqual([stresses.list[0], stresses.list.at(-1)], [127, 0]);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("the stress of a mode is that of its shape alone", async () => {
  const model = join(folder, "sagging.yaml");
  writeFileSync(model, `limber: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  strip:
    beam: {from: [0, 0], to: [1, 0], elements: 10, section: {rectangle: {width: 0.02, height: 0.01}}, material: steel}
    interfaces: {A: start}
    reduction: {modes: 3}
joints:
  clamp: {type: fixed, between: [ground, strip.A]}
analyses:
  rest: {type: statics}
  vibration: {type: modes, from: rest}
`);
  const page = await open(browser, program.report(model).page);
  await menu(page);
  await page.getByLabel("von Mises stress").check();
  const told = [];
  for (const phase of [0, 0.125, 0.25, 0.75]) {
    await seek(page, phase);
    told.push(await page.evaluate(() => {
      const { view, motion } = window.limber;
      const { strained, eta } = motion.poses[1];
      return { stress: view.skins.get(1).largestStress({ strained }), sags: Math.max(...eta.map(Math.abs)) };
    }));
  }
  const [still, some, most, back] = told.map(({ stress }) => stress);
  assert.ok(still === 0 && told[0].sags > 0, "at rest it sags, but the mode has no stress");
  assert.ok(most > 0 && Math.abs(some / most - Math.SQRT1_2) < 1e-6 && Math.abs(back / most - 1) < 1e-6, told.map(({ stress }) => stress).join());
  assert.match(await page.locator(".color-legend").textContent(), /relative/);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("static and fixed-interface shapes of a body are chosen by name", async () => {
  const page = await open(browser, program.bodyReport("clapper"));
  assert.equal(await page.locator("tr.group").count(), 4);
  const names = await page.locator("tr[data-mode] td:first-child").allTextContents();
  // 6 motions, 46 modes, 2 points with 6 motions each, 40 modes with held points
  assert.equal(names.length, 104);
  assert.deepEqual([names[0], names[6], names[52], names[63], names[64]],
    ["rigid: x", "kept 1", "static: pivot x", "static: bearing rotation z", "fixed-interface 1"]);
  assert.equal(await page.locator("tr[data-mode='64'] td").nth(1).textContent(), "61.1054");
  await seek(page, 0);
  const rest = await settled(page);
  const seen = new Set([rest]);
  for (const name of ["static: pivot y", "static: bearing rotation x", "fixed-interface 20"]) {
    await page.locator("tr[data-mode]", { hasText: name }).click();
    await seek(page, 0.25);
    seen.add(await settled(page));
    await seek(page, 0);
    assert.equal(await settled(page), rest);
  }
  assert.equal(seen.size, 4, "each shape has a picture of its own");
  const marked = await page.evaluate(() => window.limber.view.skins.get(1).group.children.filter((child) => child.isPoints)
    .map((child) => child.geometry.getAttribute("position").count));
  assert.deepEqual(marked, [220, 220], "the nodes that the points are tied to are marked");
  await page.getByRole("tab", { name: "Summary" }).click();
  assert.match(await page.locator("body").textContent(), /pivot \(tied to 220 nodes, marked\)/);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

// The names of the joints that are drawn.
const drawnJoints = (page) => page.evaluate(() =>
  [...new Set(window.limber.view.ties.filter((tie) => tie.object.visible).map((tie) => tie.item.name))].sort());

test("joints that do not act are not drawn", async () => {
  const model = join(folder, "brake.yaml");
  writeFileSync(model, `limber: 1
dimension: 2
gravity: [0, -9.81]
ground: {end: [1, 0]}
bodies:
  arm: {mass: 1, inertia: 0.1, points: {A: [-0.5, 0], B: [0.5, 0]}, position: [0.5, 0]}
joints:
  pin: {type: revolute, between: [ground, arm.A]}
  brake: {type: fixed, between: [ground.end, arm.B]}
analyses:
  stand: {type: inverse-dynamics, duration: 1, output_step: 0.5}
  fall: {type: dynamics, duration: 0.3, output_step: 0.01, without: [brake]}
`);
  const { page: file } = program.report(model);
  const page = await open(browser, file);
  assert.deepEqual(await drawnJoints(page), ["pin"]);
  await seek(page, 0);
  const alone = await picture(page);
  await page.getByLabel("Analysis").selectOption({ label: "stand (inverse-dynamics)" });
  await page.waitForFunction(() => window.limber.analysis.data.name === "stand" && window.limber.view.off.size === 0);
  assert.deepEqual(await drawnJoints(page), ["brake", "pin"]);
  await seek(page, 0);
  assert.notEqual(await picture(page), alone);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a cable that breaks is drawn until then", async () => {
  const cable = program.report("examples/cable-break/cable-break.yaml");
  const [broken] = program.run("get", cable.result, "rupture.time", "--final").trim().split(/\s+/).map(Number).slice(-1);
  const page = await open(browser, cable.page);
  await seek(page, broken - 0.02);
  assert.deepEqual(await drawnJoints(page), ["cable"]);
  await seek(page, broken + 0.02);
  assert.deepEqual(await drawnJoints(page), []);
  // what is counted is the mechanism of the beginning
  await page.getByRole("tab", { name: "Summary" }).click();
  await page.waitForSelector(".facts");
  assert.match(await page.locator(".page").textContent(), /Degrees of freedom1Coordinates2Constraints1 of joints, 0 of drivers/);
  await page.context().close();
});

beamTests(test, { browser, program, folder });
rotorTests(test, browser, program);
ghostTests(test, browser, program);
sheetTests(test, browser, program);

test("the largest loads are those of a part of the record", async () => {
  const file = join(folder, "part.html");
  const [least, at] = program.run("get", crank.result, "motor.effort", "--min", "--from", "0.2", "--to", "0.5").trim().split(/\s+/).map(Number);
  const [whole] = program.run("get", crank.result, "motor.effort", "--max").trim().split(/\s+/).map(Number);
  assert.ok(-least < whole); // which is before
  program.run("report", crank.result, "--from", "0.2", "--to", "0.5", "-o", file);
  const page = await open(browser, file);
  await page.getByRole("tab", { name: "Summary" }).click();
  const section = page.locator("section.block").filter({ hasText: "Largest loads from 0.2 to 0.5 s" });
  await section.waitFor();
  const cells = await section.locator("tr", { hasText: "motor.effort" }).locator("td").allTextContents();
  assert.ok(Math.abs(Number(cells[1]) + least) < -1e-3 * least, `${cells}`);
  assert.ok(Math.abs(Number(cells[3]) - at) < 1e-9, `${cells}`);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("another result is laid over the channels", async () => {
  const other = join(folder, "faster.h5");
  const file = join(folder, "compared.html");
  program.run("run", "examples/slider-crank/slider-crank.yaml", "--quiet", "--set", "omega=11", "-o", other);
  program.run("report", crank.result, "--compare", other, "-o", file);
  const page = await open(browser, file);
  assert.deepEqual((await page.evaluate(() => window.limber.plots.shown))[0], ["motor.effort", "motor.effort (faster.h5)"]);
  await page.getByRole("tab", { name: "Summary" }).click();
  await page.waitForSelector("table.compare");
  assert.match(await page.locator(".page").textContent(), /Compared with faster.h5/);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a measurement is plotted first, and not across its gaps", async () => {
  const table = join(folder, "logger.csv");
  const file = join(folder, "measured.html");
  const rows = Array.from({ length: 101 }, (_, i) => i / 100).filter((t) => t <= 0.3 || t >= 0.5);
  writeFileSync(table, ["Zeit (s);Weg (mm)", ...rows.map((t) => `${t};${100 + t}`.replaceAll(".", ","))].join("\r\n"));
  program.run("report", crank.result, "--compare", table, "--column", "Weg=slider.position.x", "-o", file);
  const page = await open(browser, file);
  assert.deepEqual((await page.evaluate(() => window.limber.plots.shown))[0], ["slider.position.x", "slider.position.x (logger.csv)"]);
  const [time, values] = await page.evaluate(async () => {
    const { plots } = window.limber;
    const { analysis } = plots;
    return [[...analysis.time], [...await plots.compared(analysis, analysis.channels.get("slider.position"), 0)]];
  });
  for (const [i, t] of time.entries()) {
    const known = t <= 0.3 || (t >= 0.5 && t <= 1);
    assert.ok(known ? Math.abs(values[i] - (0.1 + t / 1000)) < 1e-7 : Number.isNaN(values[i]), `${values[i]} at ${t}`);
  }
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a measured table is seen at once, and its differences have units", async () => {
  const table = join(folder, "a, measured.csv");
  const file = join(folder, "table.html");
  program.run("export", crank.result, "--csv", table, "slider.position.x");
  writeFileSync(table, readFileSync(table, "utf8").replace(/,(0.*)$/gm, (_, x) => `,${Number(x) + 0.01}`));
  program.run("report", crank.result, "--compare", table, "-o", file);
  const page = await open(browser, file);
  const names = ["slider.position.x", "slider.position.x (a, measured.csv)"];
  assert.deepEqual((await page.evaluate(() => window.limber.plots.shown))[0], names);
  const [csv] = await Promise.all([page.waitForEvent("download"), page.locator(".plot").first().getByRole("button", { name: "Download as CSV" }).click()]);
  const [head, first] = readFileSync(await csv.path(), "utf8").split("\n");
  assert.equal(head, `time,${names[0]},"${names[1]}"`);
  assert.equal(first, "0,0.55,0.56"); // of single precision, but no digits that mean nothing
  await page.getByRole("tab", { name: "Summary" }).click();
  await page.waitForSelector("table.compare");
  const cells = await page.locator("table.compare tbody td").allTextContents();
  assert.deepEqual([cells[0], cells[1], cells[3], cells[4]], [names[0], "0.01", "0.01", "m"]);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("the error of the energy balance has more digits than single precision", async () => {
  const { page: file, result } = program.report("examples/suspension/suspension.yaml");
  const [, ...rows] = program.run("export", result, "--csv", "-", "energy.total", "energy.supplied", "energy.dissipated").trim().split("\n")
    .map((line) => line.split(",").map(Number));
  const sum = ([, total, supplied, dissipated]) => total - supplied + dissipated;
  const worst = Math.max(...rows.map((row) => Math.abs(sum(row) - sum(rows[0]))));
  assert.ok(worst > 0 && worst < 1e-7 * rows[0][1], `${worst} J of ${rows[0][1]}`); // which is the last digit of single precision
  const page = await open(browser, file);
  await page.getByRole("tab", { name: "Summary" }).click();
  const told = await page.locator("dt", { hasText: "Energy balance error" }).locator("+ dd").textContent();
  const shown = parseFloat(told.replaceAll("−", "-"));
  assert.ok(Math.abs(shown / worst - 1) < 0.06, `${told}, ${worst}`); // two digits
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("one instant is a table of values", async () => {
  const { page: file, result } = program.report("examples/cantilever/cantilever.yaml");
  const page = await open(browser, file);
  assert.ok(await page.locator("#record").isHidden(), "there is nothing to record");
  await page.keyboard.press("/");
  await page.keyboard.type("stress.max");
  const rows = page.locator(".values tbody tr:visible");
  assert.equal(await rows.count(), 1);
  const shown = Number((await rows.locator("td").nth(1).textContent()).replace("−", "-"));
  const [stress] = program.run("get", result, "beam.stress.max").trim().split(/\s+/).slice(-1).map(Number);
  assert.ok(Math.abs(shown / stress - 1) < 1e-5, `${shown} of ${stress}`);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a spectrum is a page that can be zoomed and read off", async () => {
  const file = join(folder, "spectrum.html");
  program.run("spectrum", "examples/bearing-fault/outer-race.wav", "--envelope", "--pitch", "39.04", "--ball", "7.94", "--balls", "9",
    "--rpm", "1500", "-o", file);
  const page = await open(browser, file);
  assert.match(await page.locator(".words").textContent(), /The outer race of the bearing shows a fault/);
  assert.equal(await page.locator("section", { hasText: "Faults of the bearing" }).locator("tbody td").first().textContent(), "outer race");
  const figure = page.locator(".figure").first();
  const plot = figure.locator(".u-over");
  const box = await plot.boundingBox();
  const at = async (part) => {
    await page.mouse.move(box.x + part * box.width, box.y + 40);
    return Number((await figure.locator(".where").textContent()).split(": ")[1]);
  };
  const [whole, picture] = [await at(0.5), await figure.screenshot()];
  await page.mouse.move(box.x + 0.1 * box.width, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 40, { steps: 4 });
  await page.mouse.up();
  const near = await at(0.5);
  assert.ok(Math.abs(near - 0.3 * whole) < 0.02 * whole, `0.15 of the axis is in the middle: ${near} of ${whole}`);
  await figure.getByLabel("Logarithmic").click();
  await figure.getByLabel("Show all").click();
  await at(0.5);
  assert.notDeepEqual(await figure.screenshot(), picture);
  assert.ok(Math.abs((await at(0.5)) - whole) < 0.01 * whole);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("densities begin with a logarithmic axis, and overall values are in tables", async () => {
  const [file, trend] = ["density.html", "trend.html"].map((name) => join(folder, name));
  const wave = (name) => `examples/bearing-fault/${name}.wav`;
  program.run("spectrum", wave("healthy"), "--density", "--overall", "10:1000", "--unit", "g", "-o", file);
  program.run("spectrum", wave("healthy"), wave("outer-race"), "--overall", "10:1000", "--unit", "g", "-o", trend);
  const page = await open(browser, file);
  const figure = page.locator(".figure").first();
  assert.equal(await figure.getByLabel("Logarithmic").getAttribute("aria-pressed"), "true");
  const picture = await figure.screenshot();
  await figure.getByLabel("Logarithmic").click();
  assert.notDeepEqual(await figure.screenshot(), picture);
  const overall = page.locator("section", { hasText: "Overall values" }).locator("tbody td");
  assert.equal(await overall.nth(8).textContent(), "velocity");
  await page.goto(`file://${trend}`);
  assert.match(await page.locator("section", { hasText: "Trend" }).last().textContent(), /velocity 10-1000 Hz \(mm\/s\)/);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("glTF files are valid and move as the result", async () => {
  const { validateBytes } = createRequire(import.meta.url)("gltf-validator");
  const results = [crank.result, ...["slider-crank-beams", "clapper"].map((name) => program.result(`examples/${name}/${name}.yaml`))];
  const files = results.map((result) => [result, join(folder, result.replace(/.*\//, "").replace(/h5$/, "glb"))]);
  for (const [result, file] of files) {
    program.run("export", result, "--gltf", file);
    const { issues, info } = await validateBytes(new Uint8Array(readFileSync(file)));
    assert.equal(issues.numErrors + issues.numWarnings, 0, JSON.stringify(issues.messages.slice(0, 3)));
    assert.equal(info.animationCount, 1);
  }
  const bytes = readFileSync(files[0][1]);
  const json = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)));
  const start = 28 + bytes.readUInt32LE(12);
  const body = json.nodes.findIndex((node) => node.name === "slider");
  const { channels, samplers } = json.animations[0];
  const channel = channels.find(({ target }) => target.node === body && target.path === "translation");
  const view = json.bufferViews[json.accessors[samplers[channel.sampler].output].bufferView];
  for (const i of [0, 37, 100]) {
    const x = bytes.readFloatLE(start + view.byteOffset + 12 * i);
    assert.ok(Math.abs(x - program.get(crank.result, "slider.position", i / 100)[0]) < 1e-7);
  }
});

// Where a point is: r + 2 w (q x r) + 2 q x (q x r) from the origin of the frame of its body.
function turned([w, ...q], r, origin) {
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const once = cross(q, r);
  const twice = cross(q, once);
  return r.map((c, k) => origin[k] + c + 2 * w * once[k] + 2 * twice[k]);
}

const distance = (a, b) => Math.hypot(...a.map((c, k) => c - b[k]));

async function enlarge(page, power) {
  await page.getByLabel("Deformation").evaluate((input, value) => {
    input.value = String(value);
    input.dispatchEvent(new Event("input"));
  }, power);
  return page.evaluate(() => window.limber.deformation);
}

test("joints stay on beams whose deformation is enlarged", async () => {
  const t = 0.4;
  const { page: file, result } = program.report("examples/slider-crank-beams/slider-crank-beams.yaml");
  const page = await open(browser, file);
  await seek(page, t);
  await menu(page);
  const [angle] = program.get(result, "crank.angle", t);
  const u = program.get(result, "crank.B.displacement", t);
  const seen = [];
  for (const power of [0, 2]) {
    const scale = await enlarge(page, power);
    const told = await page.evaluate(() => {
      const { view, report } = window.limber;
      const sign = view.ties.find(({ item }) => item.name === "pin").object.position;
      view.draw();
      // beams are drawn by vertices around the middle of their sections: those nearest to the sign have it in their middle
      const vertices = view.skins.get(1).group.children[0].geometry.getAttribute("position").array;
      const places = Array.from({ length: vertices.length / 3 }, (_, i) => view.bodies[1].localToWorld(sign.clone().fromArray(vertices, 3 * i)));
      const reach = 1.001 * Math.min(...places.map((p) => p.distanceTo(sign)));
      const ring = places.filter((p) => p.distanceTo(sign) <= reach);
      const middle = ring.reduce((sum, p) => sum.addScaledVector(p, 1 / ring.length), sign.clone().set(0, 0, 0));
      const nearest = middle.distanceTo(sign);
      return { sign: sign.toArray(), on: view.project(sign), nearest, rest: report.geometry.bodies[1].points.B };
    });
    const r = [told.rest[0] + scale * u[0], told.rest[1] + scale * u[1], 0];
    const expected = turned([Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)], r, [...program.get(result, "crank.position", t), 0]);
    // shapes have 16 bits, poses single precision
    const off = distance(told.sign, expected);
    assert.ok(off < 1e-7 + 1e-4 * scale * Math.hypot(...u), `the sign is ${off} m from its point`);
    assert.ok(told.nearest < 1e-6, `and ${told.nearest} m from the drawn body`);
    seen.push(told.on);
  }
  assert.ok(Math.hypot(seen[1].x - seen[0].x, seen[1].y - seen[0].y) > 3, "it moves on the screen");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

// A beam along x, seen from its end: points of its section that are filled, and others that are not.
for (const [name, section, filled, empty] of [
  ["I", "{I: {height: 0.4, width: 0.3, web: 0.04, flange: 0.05}}", [[0, 0.17], [0.13, 0.17], [-0.13, -0.17], [0, 0]], [[0.1, 0], [-0.1, 0.1]]],
  ["box", "{box: {height: 0.4, width: 0.3, wall: 0.04}}", [[0, 0.18], [0.13, 0], [-0.13, -0.18]], [[0, 0], [0.05, 0.05]]],
])
  test(`a beam with the section ${name} is drawn with its outline, and the stress of its channel`, async () => {
    const model = join(folder, `section-${name}.yaml`);
    writeFileSync(model, `limber: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  beam:
    beam: {from: [-0.5, 0, 0], to: [0.5, 0, 0], elements: 4, section: ${section}, y_axis: [0, 0, 1], material: steel}
    interfaces: {A: start, B: end}
    reduction: {modes: 4}
joints:
  clamp: {type: fixed, between: [ground, beam.A]}
forces:
  load: {type: force, at: beam.B, force: [1e5, 2e5, -9e5]}
  twist: {type: torque, at: beam.B, torque: [1e4, 0, 0]}
analyses:
  rest: {type: statics}
`);
    const { page: file, result } = program.report(model);
    const page = await open(browser, file);
    await page.getByRole("button", { name: "side" }).click();
    const places = (points) => points.map(([y, z]) => [0.5, y, z]);
    const seen = await onlyBody(page, 1, places([...filled, ...empty]));
    assert.deepEqual(seen.at, [...filled.map(() => true), ...empty.map(() => false)]);
    const told = await page.evaluate(() => {
      const skin = window.limber.view.skins.get(1);
      const { strained } = window.limber.motion.poses[1];
      return { stress: skin.largestStress({ strained }), step: skin.data.stress_scale.reduce((sum, s, j) => sum + Math.abs(s * strained[j]), 0) };
    });
    const [stress] = program.run("get", result, "beam.stress.max").trim().split(/\s+/).slice(-1).map(Number);
    // five numbers a column, each rounded by half a step at most: by sqrt(3) steps in von Mises' stress
    assert.ok(Math.abs(told.stress - stress) < 1.74 * told.step && told.step < 0.02 * stress, `${told.stress} of ${stress}, steps ${told.step}`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

test("paths stay on solids whose deformation is enlarged", async () => {
  const t = 5.1;
  const page = await open(browser, hub.page);
  await menu(page);
  const scale = await enlarge(page, 2);
  const paths = page.locator(".menu .list").last();
  await paths.getByRole("checkbox", { checked: true }).uncheck();
  await paths.getByLabel("hub.gondola1", { exact: true }).check();
  const told = await page.evaluate(() => {
    const { view, report } = window.limber;
    const path = view.traceGroup.children[0].geometry.getAttribute("position").array;
    return { rest: report.geometry.bodies[1].points.gondola1, path: [...path], size: view.size };
  });
  const u = program.get(hub.result, "hub.gondola1.displacement", t);
  const r = told.rest.map((c, k) => c + scale * u[k]);
  const expected = turned(program.get(hub.result, "hub.quaternion", t), r, program.get(hub.result, "hub.position", t));
  const size = scale * Math.hypot(...u);
  assert.ok(size > 0.2, "far from where it would be without deformation");
  let nearest = Infinity;
  for (let i = 0; i + 3 < told.path.length; i += 3) {
    const [a, b] = [told.path.slice(i, i + 3), told.path.slice(i + 3, i + 6)];
    const along = a.map((c, k) => b[k] - c);
    const part = along.reduce((sum, c, k) => sum + c * (expected[k] - a[k]), 0) / along.reduce((sum, c) => sum + c * c, 0);
    nearest = Math.min(nearest, distance(a.map((c, k) => c + Math.min(Math.max(part, 0), 1) * along[k]), expected));
  }
  // shapes have 16 bits; paths are drawn to 1e-4 of the mechanism's size
  assert.ok(nearest < 1e-4 * (size + told.size), `the path is ${nearest} m from its point`);
  assert.ok(told.path.length < 3 * 1001, "with fewer pieces than instants");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("graphics hardware and its lack give the same picture of a flexible body", async () => {
  const pictures = [];
  for (const hardware of [false, true]) {
    const page = await open(browser, hub.page, {}, hardware && asHardware);
    assert.equal(await page.evaluate(() => window.limber.view.skins.get(1).sums === null), hardware);
    await seek(page, 5.1);
    await menu(page);
    const rest = await squares(page);
    await enlarge(page, 2);
    await page.locator(".menu").getByText("von Mises stress", { exact: true }).click();
    pictures.push({ rest, now: await squares(page) });
    assert.deepEqual(page.faults, []);
    await page.context().close();
  }
  const mean = (a, b) => a.reduce((sum, c, i) => sum + Math.abs(c - b[i]), 0) / a.length;
  const changed = mean(pictures[0].rest, pictures[0].now);
  for (const what of ["rest", "now"]) {
    const off = mean(pictures[0][what], pictures[1][what]);
    assert.ok(off < 0.05 * changed, `${off} of 255 on average, and ${changed} between deformed and not`);
  }
});

test("flexible bodies deform, have stress colours, and play fast enough", async () => {
  if (!flexible || !existsSync(flexible)) return "skipped: no report of flexible bodies";
  const page = await open(browser, flexible);
  await seek(page, 3);
  const rest = await picture(page);
  await menu(page);
  await page.getByLabel("Deformation").evaluate((input) => {
    input.value = "1";
    input.dispatchEvent(new Event("input"));
  });
  const deformed = await picture(page);
  assert.notEqual(deformed, rest, "the deformation scale changes the picture");
  await page.locator(".menu").getByText("von Mises stress", { exact: true }).click();
  assert.notEqual(await picture(page), deformed, "so do the stress colours");
  assert.match(await page.locator(".color-legend").textContent(), /von Mises stress.*MPa/);

  // 20 frames a second on two cores leave 100 ms of processor time a frame; the figure is printed,
  // and only far more than that is a failure: machines are busy
  await page.locator(".menu").getByText("hub", { exact: true }).first().click();
  await page.evaluate(() => window.limber.player.setPlaying(true));
  await page.waitForTimeout(2500);
  const [frames, used, began] = [await page.evaluate(() => window.limber.view.frames), processorTime(), Date.now()];
  await page.waitForTimeout(3000);
  const drawn = (await page.evaluate(() => window.limber.view.frames)) - frames;
  const each = (processorTime() - used) / drawn;
  assert.ok(each < 0.4, `${(1000 * each).toFixed(0)} ms of processor time a frame`);
  assert.deepEqual(page.faults, []);
  await page.context().close();
  return `${((1000 * drawn) / (Date.now() - began)).toFixed(0)} frames a second, ${(1000 * each).toFixed(0)} ms of processor time each`;
});

keys(test, { browser, crank, hub });
limits(test, { browser, program, folder });
manyTests(test, { browser, program, folder });

let failed = 0;
for (const { name, run } of tests) {
  try {
    const note = await run();
    console.log(`ok: ${name}${note ? ` (${note})` : ""}`);
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}\n${error.stack ?? error}`);
  }
}
await browser.close();
console.log(`${tests.length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
