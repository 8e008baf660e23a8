// Mechanisms of many bodies: equal shapes are drawn with one call, and look as if each body was drawn by itself.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { asHardware, open, seek, squares } from "./browser.mjs";

// Pendulums in rows beside each other, of two shapes.
function pendulums(program, folder, dimension, columns) {
  const name = `pendulums-${dimension}-${columns}`;
  const plane = dimension === 2;
  const place = (x, y) => (plane ? `[${x}, ${y}]` : `[${x}, 0, ${y}]`);
  const body = (x, shape) => `{repeat: {i: [1, ${columns}], j: [1, 8]}, mass: 1, inertia: ${plane ? 0.1 : "[0.1, 0.1, 0.1]"}, ` +
    `position: ${place(x, "j")}, points: {pin: ${place(0, 0.5)}}, shape: ${shape}}`;
  const joint = (held, x) => `{repeat: {i: [1, ${columns}], j: [1, 8]}, type: revolute, ${plane ? "" : "axis: [0, 1, 0], "}` +
    `between: [${place(x, "j + 0.5")}, "${held}.pin"]}`;
  writeFileSync(join(folder, `${name}.yaml`), `limber: 1
dimension: ${dimension}
gravity: ${plane ? "[4, -9.81]" : "[4, 0, -9.81]"}
bodies:
  box{i}_{j}: ${body("2*i", plane ? "{box: {size: [0.5, 0.4]}}" : "{box: {size: [0.5, 0.3, 0.4]}}")}
  disc{i}_{j}: ${body("2*i + 1", `{cylinder: {radius: 0.3, length: 0.2, axis: ${plane ? "z" : "y"}}}`)}
joints:
  a{i}_{j}: ${joint("box{i}_{j}", "2*i")}
  b{i}_{j}: ${joint("disc{i}_{j}", "2*i + 1")}
analyses:
  swing: {type: dynamics, duration: 0.4, output_step: 0.1}
`);
  return program.report(join(folder, `${name}.yaml`)).page;
}

// The picture as it is, and with each object drawn by itself: pixels that differ, and that are no background.
const compare = (page) => page.evaluate(() => {
  const { view } = window.limber;
  const instanced = (on) => {
    for (const { mesh, parts } of view.instances.batches) {
      mesh.layers.set(on ? 0 : 1);
      for (const part of parts) part.layers.set(on ? 1 : 0);
    }
  };
  const { data: now } = window.pixels();
  instanced(false);
  const { data: apart } = window.pixels();
  const { calls } = view.renderer.info.render;
  instanced(true);
  let [differ, drawn, largest] = [0, 0, 0];
  for (let i = 0; i < now.length; i += 4) {
    const step = (p, j) => Math.max(...[0, 1, 2].map((k) => Math.abs(now[i + k] - p[j + k])));
    drawn += step(now, 0) > 30;
    largest = Math.max(largest, step(apart, i));
    differ += step(apart, i) > 2; // colours of 8 bits, rounded in another order
  }
  return { differ, drawn, largest, calls };
});

const calls = (page) => page.evaluate(() => {
  window.pixels();
  return window.limber.view.renderer.info.render.calls;
});

export function manyTests(test, { browser, program, folder }) {
  for (const dimension of [2, 3])
    test(`many bodies are drawn with few calls, as each by itself, in ${dimension} dimensions`, async () => {
      const few = await open(browser, pendulums(program, folder, dimension, 2));
      const page = await open(browser, pendulums(program, folder, dimension, 7));
      const [less, more] = [await calls(few), await calls(page)];
      assert.equal(more, less, "32 bodies and 112");
      await few.context().close();

      const alike = async (what) => {
        const told = await compare(page);
        assert.ok(told.drawn > 2000, `${what}: ${told.drawn} pixels`);
        assert.ok(told.differ <= 0.002 * told.drawn, `${what}: ${JSON.stringify(told)}`);
        return told;
      };
      const first = await alike("at the beginning");
      assert.ok(first.calls > 112 && more < 20, `${more} calls, and ${first.calls} of each by itself`);
      await seek(page, 0.4);
      await alike("moved");
      await page.locator("#theme").click();
      await alike("in the other theme");
      // hidden bodies are gone, the others keep their colours
      await page.evaluate(() => {
        const { view } = window.limber;
        view.bodies.forEach((body, i) => (body.visible = i % 3 !== 0));
        view.off = new Set(["a1_1", "b2_3"]);
        view.update();
      });
      const fewer = await alike("some hidden");
      assert.ok(fewer.drawn < 0.9 * first.drawn);
      await page.evaluate(() => window.limber.view.show("joints", false));
      await alike("without joints");
      await page.evaluate(() => window.limber.view.show("frames", true));
      await alike("with frames");
      assert.deepEqual(page.faults, []);
      await page.context().close();
      return `${more} calls in place of ${first.calls}`;
    });

  for (const dimension of [2, 3])
    test(`without graphics hardware many bodies have fewer triangles and look alike, in ${dimension} dimensions`, async () => {
      const seen = [];
      for (const hardware of [true, false]) {
        const page = await open(browser, pendulums(program, folder, dimension, 7), {}, hardware && asHardware);
        await seek(page, 0.4);
        const all = await squares(page);
        const triangles = await page.evaluate(() => window.limber.view.renderer.info.render.triangles);
        await page.evaluate(() => {
          const { view } = window.limber;
          for (const body of view.bodies) body.visible = false;
          view.show("joints", false);
        });
        seen.push({ all, triangles, none: await squares(page) });
        assert.deepEqual(page.faults, []);
        await page.context().close();
      }
      const [fine, coarse] = seen;
      const mean = (a, b) => a.reduce((sum, c, i) => sum + Math.abs(c - b[i]), 0) / a.length;
      const [off, drawn] = [mean(fine.all, coarse.all), mean(fine.all, fine.none)];
      assert.ok(coarse.triangles < 0.5 * fine.triangles, `${coarse.triangles} triangles in place of ${fine.triangles}`);
      // the coarsest of round parts, with eight sides, has 0.9 of the area of its circle
      assert.ok(drawn > 3 && off < 0.1 * drawn, `${off} of 255 on average, and ${drawn} if nothing was drawn`);
      return `${coarse.triangles} triangles in place of ${fine.triangles}, ${((100 * off) / drawn).toFixed(1)} % of the picture differs`;
    });

  test("bodies of one shape keep their colours", async () => {
    const page = await open(browser, pendulums(program, folder, 2, 7));
    const colors = await page.evaluate(() => {
      const { view } = window.limber;
      view.show("joints", false);
      const { data, width } = window.pixels();
      // below the middle, where no edge is
      return view.bodies.slice(1).map(({ position }) => {
        const { x, y } = view.project(position.clone().setY(position.y - 0.08));
        const i = 4 * (Math.round(y) * width + Math.round(x));
        return [data[i], data[i + 1], data[i + 2]].join();
      });
    });
    // ten colours go round
    for (let i = 0; i < 10; i++) assert.equal(new Set(colors.filter((_, k) => k % 10 === i)).size, 1, `colour ${i}: ${colors.join(" ")}`);
    assert.equal(new Set(colors).size, 10);
    await page.context().close();
  });
}
