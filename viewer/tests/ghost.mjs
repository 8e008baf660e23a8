// The ghost of a result that another one is compared with.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onlyBody, open, seek } from "./browser.mjs";

// Where everything is at a time, of the page's own result or of the ghost.
const placesAt = (page, t, of) => page.evaluate(({ t, of }) => {
  const { motion, ghost } = window.limber;
  const moves = of === "ghost" ? ghost.motion : motion;
  moves.update(t);
  return moves.poses.map((p) => [...p.position.toArray(), ...p.turn.toArray(), ...p.eta, ...p.frames]);
}, { t, of });

export function ghostTests(test, browser, program) {
  const file = (name) => join(program.folder, name);

  // Another result of an example, and the report of the usual one compared with it.
  const compared = (name, words) => {
    const other = file(`${name}-other.h5`);
    const page = file(`${name}-ghost.html`);
    program.run("run", `examples/${name}/${name}.yaml`, "--quiet", "-o", other, ...words);
    program.run("report", program.example("run", name), "--compare", other, "-o", page);
    return { other, page };
  };

  test("what a result is compared with moves along as a ghost", async () => {
    const { other, page: path } = compared("slider-crank", ["--set", "l=0.5"]);
    const page = await open(browser, path);
    await seek(page, 0.3);
    const seen = await page.evaluate(() => {
      const { ghost, motion, view } = window.limber;
      const at = ghost.mechanism.bodies[3].position;
      return { x: at.x, own: motion.poses[3].position.x, on: view.project(at), visible: ghost.visible };
    });
    assert.ok(seen.visible);
    assert.ok(Math.abs(seen.x - program.get(other, "slider.position", 0.3)[0]) < 1e-6);
    assert.ok(Math.abs(seen.x - seen.own - 0.1) < 0.01, "the rod is longer by a tenth of a metre");
    assert.deepEqual(await page.locator(".ghost-legend > span").allTextContents(), ["slider-crank.h5", "slider-crank-other.h5"]);

    // without its own bodies the picture has the ghost's, and nothing when it is off
    const alone = await onlyBody(page, -1);
    const { x } = await page.evaluate(() => {
      const { ghost } = window.limber;
      ghost.mechanism.bodies.forEach((body, i) => (body.visible = i === 3));
      return window.limber.view.project(ghost.mechanism.bodies[3].position);
    });
    const slider = await onlyBody(page, -1);
    assert.ok(alone.n > 2 * slider.n && slider.n > 500, `${alone.n} and ${slider.n} pixels`);
    assert.ok(Math.abs(slider.x - x) < 1.5, "the slider of the ghost is where it belongs");
    await page.getByRole("button", { name: "Display" }).click();
    await page.getByText("Ghost of slider-crank-other.h5").click();
    assert.equal((await onlyBody(page, -1)).n, 0);
    assert.ok(await page.locator(".ghost-legend").isHidden());
    await page.getByText("Ghost of slider-crank-other.h5").click();
    assert.equal((await onlyBody(page, -1)).n, slider.n);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("a ghost has its own instants, and stays at its end", async () => {
    // shifted by 0.25 s and half as long
    const text = readFileSync("examples/slider-crank/slider-crank.yaml", "utf8");
    writeFileSync(file("half.yaml"), text.replace("duration: 1, output_step: 0.01", "duration: 0.5, output_step: 0.004"));
    program.run("run", file("half.yaml"), "--quiet", "-o", file("half.h5"));
    program.run("report", program.example("run", "slider-crank"), "--compare", file("half.h5"), "--shift", "0.25", "-o", file("half.html"));
    const page = await open(browser, file("half.html"));
    const stored = (t) => program.get(file("half.h5"), "slider.position", t)[0];
    for (const [t, at] of [[0.1, stored(0)], [0.25, stored(0)], [0.454, stored(0.204)], [0.455, 0.75 * stored(0.204) + 0.25 * stored(0.208)],
      [0.9, stored(0.5)]]) {
      await seek(page, t);
      const x = await page.evaluate(() => window.limber.ghost.mechanism.bodies[3].position.x);
      assert.ok(Math.abs(x - at) < 1e-6, `${x} at ${t}`);
    }
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  // A ghost is where the other result is in its own report: in the plane and in space, with modes, and beams with nodes.
  for (const [name, t, change] of [["slider-crank", 0.4, "r=0.1"], ["frame", 0.21, "wall=0.004"], ["four-bar-beams", 2.03, "lean=2"],
    ["suspension", 0.5, "c=1500"]])
    test(`the ghost of ${name} is placed as in its own report`, async () => {
      const { other, page: path } = compared(name, ["--set", change]);
      const page = await open(browser, path);
      await seek(page, t);
      const ghost = await placesAt(page, t, "ghost");
      const stressed = await page.evaluate(() => [...window.limber.ghost.mechanism.skins.values()].some((s) => s.hasStress));
      assert.ok(!stressed, "stresses are not sent");
      assert.deepEqual(page.faults, []);
      await page.context().close();
      const alone = file(`${name}-alone.html`);
      program.run("report", other, "-o", alone);
      const its = await open(browser, alone);
      assert.equal(await its.evaluate(() => window.limber.ghost), null);
      assert.deepEqual(ghost, await placesAt(its, t, "own"));
      await its.context().close();
    });
}
