// Reports of rotors: the sheet, whirl, steady motion under unbalance, run-up.
import assert from "node:assert/strict";
import { join } from "node:path";
import { onlyBody, open, seek } from "./browser.mjs";

// Opens another analysis of a report, and waits until all of it is there.
async function choose(page, label) {
  await page.locator("select[aria-label=Analysis]").selectOption({ label });
  await page.waitForFunction((name) => document.getElementById("app").dataset.analysis === name, label.split(" ")[0]);
  await page.evaluate(() => window.limber.player.setPlaying(false));
}

// How far a named point of the rotor is drawn from where it is at rest, along y and z in m.
async function deflection(page, point) {
  return page.evaluate((name) => {
    const { view, report } = window.limber;
    const body = report.geometry.bodies.findIndex((b) => name in b.points);
    const rest = report.geometry.bodies[body].points[name];
    const p = view.places.toWorld(body, view.up.clone().set(...rest));
    return [(p.y - rest[1]) / view.places.scale, (p.z - rest[2]) / view.places.scale];
  }, point);
}

// Goes to the stored instant (or speed) nearest to one, and returns it.
async function seekStored(page, t) {
  const stored = await page.evaluate((time) => window.limber.analysis.time[window.limber.analysis.nearest(time)], t);
  await seek(page, stored);
  return stored;
}

const near = (a, b, tolerance, what) => assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) <= tolerance, `${what}: ${a} and ${b}`);

export function rotorTests(test, browser, program) {
  test("a rotor has its sheet, and whirls in the sense that is told", async () => {
    const result = join(program.folder, "jeffcott.h5");
    const file = join(program.folder, "jeffcott.html");
    program.run("rotor", "examples/jeffcott/jeffcott.yaml", "-o", result, "--report", file);
    const page = await open(browser, file);
    // sentences, figures and tables come first
    assert.equal(await page.locator('[role=tab][aria-selected="true"]').textContent(), "Rotor");
    const titles = await page.locator(".sheet h2").allTextContents();
    for (const title of ["Campbell diagram", "Unbalance response", "Stability", "Run-up", "Critical speeds"]) assert.ok(titles.includes(title), title);
    assert.ok(titles.some((title) => title.startsWith("Orbits under unbalance")));
    await page.getByRole("tab", { name: "Modes" }).click();
    // seen from the end of the shaft, y is up and z to the left
    await page.getByRole("button", { name: "side" }).click();
    const senses = [];
    const rows = await page.locator("tr[data-mode]").count();
    for (let mode = 0; mode < rows; mode++) {
      await page.locator(`tr[data-mode='${mode}']`).click();
      const told = await page.locator(`tr[data-mode='${mode}'] td`).nth(2).textContent();
      const places = [];
      for (const phase of [0, 0.25, 0.5]) {
        await seek(page, phase);
        places.push(await onlyBody(page, 2));
      }
      const [a, b, c] = places;
      const [y, z] = [(p) => -(p.y - (a.y + c.y) / 2), (p) => -(p.x - (a.x + c.x) / 2)];
      const area = y(a) * z(b) - z(a) * y(b);
      assert.ok(Math.abs(area) > 100, `mode ${mode + 1} moves the disc: ${area}`);
      assert.equal(area > 0 ? "forward" : "backward", told, `mode ${mode + 1}`);
      senses.push(told);
      const colors = await page.evaluate(() => window.limber.view.traceColors);
      // the orbit of the disc; the bearings hold
      assert.deepEqual(colors, [told === "forward" ? "#1f9d55" : "#d3224f"]);
    }
    assert.deepEqual(senses.sort(), ["backward", "forward"]);
    // over speed there is nothing to play, but values to read
    await page.locator("select[aria-label=Analysis]").selectOption({ label: "campbell (rotor)" });
    await page.getByRole("tab", { name: "Plots" }).click();
    assert.ok(await page.locator("#play").isHidden());
    await page.locator("#scrub").evaluate((input) => {
      input.value = String((Number(input.min) + Number(input.max)) / 2);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    assert.match(await page.locator("#clock").textContent(), /rad\/s, \d+ rpm$/);
    await page.keyboard.press("Space");
    assert.equal(await page.evaluate(() => window.limber.player.playing), false);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("a shaft that runs up bows out at its critical speed, and under unbalance it goes round", async () => {
    const result = program.example("rotor", "offset-rotor");
    const file = join(program.folder, "offset-rotor.html");
    program.run("report", result, "-o", file);
    const page = await open(browser, file);
    await choose(page, "run-up (rotor)");
    assert.equal(await page.locator(".note").textContent(), "deformation × 50, stroboscopic view");
    // it is where the channel says; shapes have 16 bits
    const told = (t) => program.get(result, "run-up/disc.position", t).slice(-2);
    const amplitudes = [];
    for (const wanted of [2, 7.27, 10]) {
      const t = await seekStored(page, wanted);
      near(await deflection(page, "disc"), told(t), 2e-6, `disc at ${t} s`);
      near(await deflection(page, "left"), [0, 0], 2e-6, `bearing at ${t} s`);
      amplitudes.push(Math.hypot(...told(t)));
    }
    assert.ok(amplitudes[1] > 1e-3 && amplitudes[0] < 1e-4 && amplitudes[2] < 0.6 * amplitudes[1], String(amplitudes));
    // what is drawn of it bows out, too, seen from the end
    await page.getByRole("button", { name: "side" }).click();
    const centres = [];
    for (const t of [0, 7.27]) {
      await seek(page, t);
      centres.push(await onlyBody(page, 2));
    }
    assert.ok(Math.hypot(centres[1].x - centres[0].x, centres[1].y - centres[0].y) > 15, JSON.stringify(centres));
    // under the stroboscope it is in the turn before, and goes on by less than a turn a second
    const strobe = await page.evaluate(() => {
      const { strobe, analysis } = window.limber;
      const turns = (t) => ((1000 / 60 / 10) * t * t) / 2; // 1000 rpm in 10 s
      strobe.restart();
      let last = NaN;
      return Array.from({ length: 240 }, (_, i) => {
        const t = 4 + i / 60;
        const seen = turns(strobe.at(t, 1));
        const step = (((seen - last) % 1) + 1) % 1;
        last = seen;
        return { behind: turns(t) - seen, step, inside: strobe.seen >= analysis.time[0] };
      });
    });
    strobe.forEach(({ behind, step, inside }, i) => {
      assert.ok(inside && behind > -1e-3 && behind < 1.001, `frame ${i}: ${behind} turns behind`);
      if (i) assert.ok(Math.abs(step - 1 / 60) < 2e-3, `frame ${i}: ${step} of a turn`);
    });
    // steady whirl: begins at the largest, goes round when played, and has its orbits
    await choose(page, "unbalance (rotor)");
    assert.ok(Math.abs((await page.evaluate(() => window.limber.player.t)) - 70) < 3);
    assert.ok(await page.locator("#play").isVisible());
    for (const wanted of [60, 80]) {
      const speed = await seekStored(page, wanted);
      const [size, phase] = ["amplitude", "phase"].map((name) => program.get(result, `unbalance/disc.${name}`, speed).slice(-2));
      for (const turn of [0, 0.25]) {
        await page.evaluate((p) => {
          window.limber.player.phase = p;
          window.limber.player.seek(window.limber.player.t);
        }, turn);
        const expected = size.map((a, k) => a * Math.cos(phase[k] + 2 * Math.PI * turn));
        near(await deflection(page, "disc"), expected, 1e-4 * size[0], `disc at ${speed} rad/s`);
      }
      assert.deepEqual(await page.evaluate(() => window.limber.view.traceColors), ["#1f9d55"]);
    }
    await page.locator("#play").click();
    await page.waitForFunction(() => window.limber.player.phase > 0.3);
    assert.ok(Math.abs((await page.evaluate(() => window.limber.player.t)) - 80) < 1);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("a support of a rotor moves with its bearing", async () => {
    const file = join(program.folder, "overhung.html");
    program.run("report", program.example("rotor", "overhung"), "-o", file);
    const page = await open(browser, file);
    await page.evaluate(() => window.limber.player.setPlaying(false));
    const places = async () => page.evaluate(() => {
      const { view, report } = window.limber;
      return report.geometry.joints.map((joint) => view.jointPlace(joint).toArray());
    });
    const names = await page.evaluate(() => window.limber.report.geometry.joints.map((j) => j.name));
    const moved = Object.fromEntries(names.map((name) => [name, 0]));
    await seek(page, 0);
    const from = await places();
    await seek(page, 0.25);
    (await places()).forEach((p, i) => (moved[names[i]] = Math.hypot(...p.map((v, k) => v - from[i][k]))));
    assert.deepEqual([moved["drive-end"], moved["wear-ring"]], [0, 0]);
    assert.ok(moved["pump-end"] > 1e-4, JSON.stringify(moved));
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}
