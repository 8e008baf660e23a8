// Beams whose nodes carry their skin.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open, seek } from "./browser.mjs";

export function beamTests(test, { browser, program, folder }) {
  function model(name, dimension, elements, step, analysis) {
    const file = join(folder, `${name}.yaml`);
    const planar = dimension === 2;
    const at = (x) => (planar ? `[${x}, 0]` : `[${x}, 0, 0]`);
    writeFileSync(file, `limber: 1
dimension: ${dimension}
gravity: ${planar ? "[0, -9.81]" : "[0, 0, -9.81]"}
bodies:
  arm:
    beam: {from: ${at(0)}, to: ${at(1)}, elements: ${elements}, order: 1, deformation: large,
      section: {rectangle: {width: 0.04, height: 0.02}}, material: {E: 2e7, nu: 0.3, density: 1000}}
    interfaces: {root: start, tip: end}
joints:
  clamp: {type: fixed, between: [ground, arm.root]}
analyses:
  ${analysis ?? `fall: {type: dynamics, duration: 0.4, output_step: ${step}, step: ${step}, integrator: generalized-alpha}`}
`);
    return program.report(file);
  }

  // the mean of the vertices around a node, and where the tip is drawn
  const drawn = (page, node) => page.evaluate((n) => {
    const { view, motion } = window.limber;
    const skin = view.skins.get(1);
    skin.prepare();
    const at = skin.position.array;
    const sum = [0, 0, 0];
    const { ends, span, along } = skin.spans;
    const at_node = (k) => Number.isInteger(along[k]) && ends[2 * span[k] + along[k]] === n;
    const ring = [...skin.carrier.keys()].filter((i) => at_node(skin.carrier[i]));
    for (const i of ring) for (let k = 0; k < 3; k++) sum[k] += at[3 * i + k] / ring.length;
    const tip = view.report.geometry.bodies[1].points.tip;
    return { sum, tip: view.places.toWorld(1, motion.poses[1].position.clone().fromArray(tip)).toArray() };
  }, node);

  for (const dimension of [2, 3])
    test(`a beam is drawn where its nodes are, in ${dimension} dimensions`, async () => {
      const { page: file, result } = model(`beam${dimension}`, dimension, 12, 0.01);
      const page = await open(browser, file);
      await page.evaluate(() => window.limber.player.setPlaying(false));
      for (const t of [0, 0.2, 0.4]) {
        await seek(page, t);
        for (const [node, name] of [[6, "arm.nodes.7"], [12, "arm.tip.position"]]) {
          const { sum, tip } = await drawn(page, node);
          const expected = program.get(result, name, t);
          expected.forEach((x, k) => assert.ok(Math.abs(sum[k] - x) < 1e-5, `${name}: ${sum} is not ${expected}`));
          if (node === 12) expected.forEach((x, k) => assert.ok(Math.abs(tip[k] - x) < 1e-5, `tip: ${tip} is not ${expected}`));
        }
      }
      const range = await page.evaluate(() => window.limber.stressRange);
      const largest = Number(program.run("get", result, "arm.stress.max", "--max").trim().split(/\s+/)[0]);
      assert.ok(Math.abs(range / largest - 1) < 1e-5, `${range} is not ${largest}`);
      assert.deepEqual(page.faults, []);
      await page.context().close();
    });

  test("the first view holds all of a path of equilibria", async () => {
    const page = await open(browser, program.report("examples/column/column.yaml").page);
    const outside = await page.evaluate(() => {
      const { analysis, motion, view } = window.limber;
      const { clientWidth, clientHeight } = view.canvas;
      let outside = 0;
      for (const t of analysis.time) {
        motion.update(t);
        const { frames, position } = motion.poses[1];
        for (let f = 0; f < frames.length; f += 7) {
          const { x, y } = view.project(position.clone().fromArray(frames, f));
          outside += x < 0 || y < 0 || x > clientWidth || y > clientHeight;
        }
      }
      return outside;
    });
    assert.equal(outside, 0);
    await page.context().close();
  });

  test("section forces are drawn along a beam, and the largest stress is told", async () => {
    const { page: file, result } = model("beam-along", 3, 12, 0.01);
    const page = await open(browser, file);
    await seek(page, 0.2);
    await page.getByRole("tab", { name: "Beams" }).click();
    const [arc, moment] = await page.evaluate(() => {
      const plot = window.limber.along.plots.find((p) => p.channel.name === "arm.section.moment");
      return [[...plot.plot.data[0]], [...plot.plot.data[2]]]; // about y
    });
    const expected = program.get(result, "arm.section.moment.y", 0.2);
    expected.forEach((x, k) => assert.ok(Math.abs(moment[k] - x) < 1e-5 * Math.abs(expected[0]), `${moment} is not ${expected}`));
    program.get(result, "arm.arc_length", 0.2).forEach((x, k) => assert.ok(Math.abs(arc[k] - x) < 1e-6, `${arc}`));
    await seek(page, 0.3);
    const later = await page.evaluate(() => window.limber.along.plots.find((p) => p.channel.name === "arm.section.moment").plot.data[2][0]);
    assert.ok(Math.abs(later / program.get(result, "arm.section.moment.y", 0.3)[0] - 1) < 1e-5, `${later}`);
    await page.getByRole("tab", { name: "Summary" }).click();
    const [largest, at] = program.run("get", result, "arm.stress.max", "--max").trim().split(/\s+/).map(Number);
    const row = await page.locator("section.block", { hasText: "Largest von Mises stresses" }).locator("tbody tr").innerText();
    const cells = row.split("\t");
    assert.equal(cells[0], "arm");
    assert.ok(Math.abs(Number(cells[1].replace("−", "-")) / (largest / 1e6) - 1) < 1e-3, `${row} is not ${largest}`);
    assert.match(cells[2], /node 1, 0 m from its start/);
    assert.ok(Math.abs(Number(cells[3]) - at) < 1e-3, `${row} is not ${at}`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("a beam can have the largest stresses of the run as colours", async () => {
    const { page: file, result } = model("beam-envelope", 3, 12, 0.01);
    const page = await open(browser, file);
    await seek(page, 0);
    const largest = (node) => page.evaluate((n) => {
      const skin = window.limber.view.skins.get(1);
      skin.prepare();
      const { ends, span, along } = skin.spans;
      const there = [...skin.carrier.keys()].filter((i) => along[skin.carrier[i]] === 0 && ends[2 * span[skin.carrier[i]]] === n);
      return Math.max(...there.map((i) => skin.stress.array[i]));
    }, node);
    await page.getByRole("button", { name: "Display" }).click();
    await page.getByLabel("von Mises stress").check();
    assert.ok((await largest(6)) < 1, "it starts without stress");
    await page.getByLabel("Largest of the run").check();
    for (const node of [0, 6]) {
      const expected = Number(program.run("get", result, `arm.stress.nodes.${node + 1}`, "--max").trim().split(/\s+/)[0]);
      const seen = await largest(node);
      assert.ok(Math.abs(seen / expected - 1) < 1e-5, `node ${node + 1}: ${seen} is not ${expected}`);
    }
    assert.match(await page.locator(".color-legend").innerText(), /Largest von Mises stress/);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("a mode of a beam has the shape of the velocities of its nodes", async () => {
    const { page: file, result } = model("beam-modes", 2, 12, 0, "own: {type: modes}");
    const page = await open(browser, file);
    const shape = async (phase, node) => {
      await page.evaluate((p) => {
        const { motion, view, player } = window.limber;
        player.setPlaying(false);
        motion.mode = 1;
        motion.update(p);
        view.update();
      }, phase);
      return (await drawn(page, node)).sum;
    };
    const moved = [];
    const wanted = [];
    for (const node of [4, 8, 12]) {
      const [from, to] = [await shape(0, node), await shape(0.25, node)];
      moved.push(to[0] - from[0], to[1] - from[1]);
      wanted.push(...program.get(result, `arm.nodes_velocity.${node + 1}`, 2));
    }
    const dot = (a) => a.reduce((sum, x, k) => sum + x * wanted[k], 0);
    const factor = dot(moved) / dot(wanted);
    assert.ok(Math.hypot(...moved) > 0.01, `${moved}`);
    moved.forEach((x, k) => assert.ok(Math.abs(x - factor * wanted[k]) < 1e-5, `${moved} is not ${factor} times ${wanted}`));
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("in glTF joints carry a beam", async () => {
    const { validateBytes } = createRequire(import.meta.url)("gltf-validator");
    const { result } = model("beam-gltf", 3, 12, 0.01);
    const file = join(folder, "beam.glb");
    program.run("export", result, "--gltf", file);
    const bytes = readFileSync(file);
    const { issues, info } = await validateBytes(new Uint8Array(bytes));
    assert.equal(issues.numErrors + issues.numWarnings, 0, JSON.stringify(issues.messages.slice(0, 3)));
    assert.equal(info.animationCount, 1);
    const json = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)));
    const start = 28 + bytes.readUInt32LE(12);
    const { channels, samplers } = json.animations[0];
    const { joints } = json.skins[0];
    assert.equal((joints.length - 1) % 12, 0); // so many sections between two nodes
    const channel = channels.find(({ target }) => target.node === joints[(joints.length - 1) / 2] && target.path === "translation");
    const view = json.bufferViews[json.accessors[samplers[channel.sampler].output].bufferView];
    for (const i of [0, 20, 40])
      program.get(result, "arm.nodes.7", i / 100).forEach((x, k) => {
        const there = bytes.readFloatLE(start + view.byteOffset + 12 * i + 4 * k);
        assert.ok(Math.abs(there - x) < 1e-6, `${there} is not ${x}`);
      });
  });

  // What a frame takes besides the graphics must be less than a sixtieth of a second.
  test("a beam of 1000 nodes moves smoothly", async () => {
    const page = await open(browser, model("beam1000", 3, 999, 0.02).page);
    await page.evaluate(() => window.limber.player.setPlaying(false));
    const ms = await page.evaluate(() => {
      const { motion, view } = window.limber;
      const times = [];
      for (let i = 0; i < 60; i++) {
        const from = performance.now();
        motion.update(0.4 * i / 60);
        view.update();
        for (const skin of view.skins.values()) skin.prepare();
        times.push(performance.now() - from);
      }
      return times.sort((a, b) => a - b)[30];
    });
    assert.ok(ms < 1000 / 60, `${ms} ms a frame`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
    return `${ms.toFixed(2)} ms a frame`;
  });
}
