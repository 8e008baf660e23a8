// Mechanisms and runs of unusual sizes, and browsers that cannot do everything.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "./browser.mjs";

export function limits(test, { browser, program, folder }) {
  // the slider-crank, larger and slower by factors
  function scaled(name, size, time) {
    const model = join(folder, `${name}.yaml`);
    const text = readFileSync("examples/slider-crank/slider-crank.yaml", "utf8")
      .replace(/\br: 0.15/, `r: ${0.15 * size}`).replace(/\bl: 0.4/, `l: ${0.4 * size}`).replace("[0.06, 0.04]", `[${0.06 * size}, ${0.04 * size}]`)
      .replace(/omega: 10/, `omega: ${10 / time}`).replace("duration: 1, output_step: 0.01", `duration: ${time}, output_step: ${0.01 * time}`);
    writeFileSync(model, text);
    return program.report(model).page;
  }

  for (const { name, time, clock, speed } of [
    { name: "microsecond", time: 1e-6, clock: "0.50 µs", speed: "1/1e7×" },
    { name: "day", time: 1e5, clock: "50000.0 s", speed: "10000×" },
  ])
    test(`a run of ${time} s plays in seconds, and its clock tells instants apart`, async () => {
      const page = await open(browser, scaled(name, 1, time));
      const { lasts, chosen } = await page.evaluate(() => {
        const { player } = window.limber;
        player.seek(player.end / 2);
        const select = document.getElementById("speed");
        return { lasts: (player.end - player.start) / player.speed, chosen: select.options[select.selectedIndex].textContent };
      });
      assert.ok(lasts > 3 && lasts < 20, `${lasts} s`);
      assert.equal(await page.locator("#clock").textContent(), clock);
      assert.equal(chosen, speed);
      assert.deepEqual(page.faults, []);
      await page.context().close();
    });

  test("a mechanism of a millimetre is drawn as one of a kilometre", async () => {
    const drawn = [];
    for (const [name, size] of [["millimetre", 0.002], ["kilometre", 2000]]) {
      const page = await open(browser, scaled(name, size, 1));
      drawn.push(await page.evaluate(() => {
        const { view } = window.limber;
        const edges = [];
        for (const body of view.bodies) body.traverse((o) => o.userData.edges && edges.push(o.geometry.getAttribute("position").count));
        return { edges, place: view.project(window.limber.motion.poses[3].position) };
      }));
      assert.deepEqual(page.faults, []);
      await page.context().close();
    }
    assert.ok(drawn[0].edges.length > 2 && drawn[0].edges.every((n) => n > 0));
    assert.deepEqual(drawn[0].edges, drawn[1].edges);
    const [a, b] = drawn.map(({ place }) => place);
    assert.ok(Math.hypot(a.x - b.x, a.y - b.y) < 1, "in the same place of the screen");
  });

  test("signs of many joints leave the links between them to be seen", async () => {
    const result = join(folder, "many.h5");
    program.run("run", "examples/n-four-bar/n-four-bar.yaml", "--quiet", "--set", "N=40", "-o", result);
    program.run("report", result, "-o", join(folder, "many.html"));
    const page = await open(browser, join(folder, "many.html"));
    const widest = await page.evaluate(() => {
      const radii = [];
      for (const { object } of window.limber.view.ties)
        object.children[0].traverse(({ geometry }) => {
          geometry?.computeBoundingSphere();
          if (geometry) radii.push(geometry.boundingSphere.radius);
        });
      return Math.max(...radii);
    });
    assert.ok(widest > 0 && widest < 0.25, `a radius of ${widest}, bars have the length 1`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("plots that are gone leave nothing behind", async () => {
    const page = await open(browser, program.report("examples/suspension/suspension.yaml").page);
    const session = await page.context().newCDPSession(page);
    const select = page.locator("select[aria-label=Analysis]");
    const count = await select.locator("option").count();
    assert.ok(count > 1);
    const listeners = async () => {
      for (let i = 0; i < count; i++) {
        await select.selectOption({ index: i });
        await page.waitForFunction((name) => window.limber.analysis.data.name === name && window.limber.plots.analysis === window.limber.analysis,
          (await select.locator("option").nth(i).textContent()).split(" ")[0]);
      }
      await page.waitForFunction(() => window.limber.plots.shown.length === 3);
      await session.send("HeapProfiler.collectGarbage");
      return (await session.send("Memory.getDOMCounters")).jsEventListeners;
    };
    await listeners();
    const before = await listeners();
    for (let i = 0; i < 3; i++) await listeners();
    const after = await listeners();
    assert.ok(after <= 1.2 * before, `${before} listeners, then ${after}`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("a body without joints has its force as an arrow", async () => {
    const model = join(folder, "pushed.yaml");
    writeFileSync(model, "limber: 1\ndimension: 2\nbodies: {box: {shape: {box: {size: [1, 1]}}, mass: 1}}\n" +
      "forces: {push: {type: force, at: box, force: [3, 4]}}\nanalyses: {go: {type: dynamics, duration: 1, output_step: 0.1}}\n");
    const page = await open(browser, program.report(model).page);
    await page.getByRole("button", { name: "Display" }).click();
    await page.getByText("Forces", { exact: true }).click();
    await page.waitForFunction(() => window.limber.view.arrows.group.children.some((arrow) => arrow.visible));
    const along = await page.evaluate(() => {
      const { quaternion, position } = window.limber.view.arrows.group.children.find((arrow) => arrow.visible);
      return position.clone().set(0, 1, 0).applyQuaternion(quaternion).toArray();
    });
    assert.ok(Math.hypot(along[0] - 0.6, along[1] - 0.8) < 1e-6, along.join());
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("without WebGL there are plots and tables", async () => {
    const page = await open(browser, scaled("undrawn", 1, 1), {}, () => {
      const get = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith("webgl") ? null : get.call(this, kind, ...rest);
      };
    });
    assert.match(await page.getByRole("alert").textContent(), /no WebGL/);
    assert.ok(await page.locator("#record").isHidden());
    await page.keyboard.press("End");
    assert.equal(await page.locator("#clock").textContent(), "1.00 s");
    assert.equal(await page.locator(".plot canvas").count(), 3);
    await page.getByRole("tab", { name: "Summary" }).click();
    await page.waitForSelector(".facts");
    assert.ok(page.faults.every((fault) => /WebGL/.test(fault)), page.faults.join());
    await page.context().close();
  });
}
