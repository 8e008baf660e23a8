// What is done without a mouse: keys and fingers.
import assert from "node:assert/strict";
import { open } from "./browser.mjs";

export function keys(test, { browser, crank, hub }) {
  test("Escape closes the list of keys, which has the keys while it is open", async () => {
    const page = await open(browser, crank.page);
    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => window.limber.player.t), 0);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector("dialog"));
    await page.keyboard.press("ArrowRight");
    assert.ok((await page.evaluate(() => window.limber.player.t)) > 0);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  const camera = (page) => page.evaluate(() => {
    const { camera: c, controls } = window.limber.view;
    return { from: c.position.clone().sub(controls.target).toArray(), target: controls.target.toArray() };
  });
  const polar = ([x, y, z]) => ({ turn: Math.atan2(y, x), height: Math.asin(z / Math.hypot(x, y, z)), far: Math.hypot(x, y, z) });
  const press = async (page, key, times) => {
    for (let i = 0; i < times; i++) await page.keyboard.press(key);
    return camera(page);
  };

  test("the view is turned with keys in space", async () => {
    const page = await open(browser, hub.page);
    const begin = polar((await camera(page)).from);
    const right = polar((await press(page, "d", 3)).from);
    assert.ok(Math.abs(right.turn - begin.turn - Math.PI / 8) < 1e-6, "three steps of 7.5 degrees about the vertical");
    assert.ok(Math.abs(right.height - begin.height) < 1e-6 && Math.abs(right.far / begin.far - 1) < 1e-6);
    const up = polar((await press(page, "w", 2)).from);
    assert.ok(Math.abs(up.height - right.height - Math.PI / 12) < 1e-6, "two upwards");
    const top = polar((await press(page, "w", 20)).from);
    assert.ok(top.height > 1.5 && top.height < Math.PI / 2, "not beyond the top");
    assert.ok(Math.abs(top.turn - right.turn) < 1e-3);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("the view is moved with keys in the plane", async () => {
    const page = await open(browser, crank.page);
    const place = () => page.evaluate(() => window.limber.view.project(window.limber.motion.poses[3].position));
    const before = await place();
    await press(page, "d", 1);
    await press(page, "w", 1);
    const after = await place();
    assert.ok(after.x < before.x - 20 && after.y > before.y + 20, "what is to the right and above comes nearer");
    await page.context().close();
  });

  test("a plot is zoomed by buttons, around the time", async () => {
    const page = await open(browser, crank.page);
    const plot = page.locator(".plot").first();
    assert.equal(await plot.getAttribute("aria-label"), "Plot of motor.effort");
    const range = () => page.evaluate(() => {
      const { min, max } = window.limber.plots.plots[0].plot.scales.x;
      return [min, max];
    });
    await page.evaluate(() => window.limber.player.seek(0.6));
    const closer = plot.getByRole("button", { name: "Zoom in" });
    await closer.press("Enter");
    await page.waitForFunction(() => window.limber.plots.plots[0].plot.scales.x.min > 0);
    let [from, to] = await range();
    assert.ok(Math.abs(from - 0.35) < 1e-9 && Math.abs(to - 0.85) < 1e-9, `${from} to ${to}`);
    // at the end it shows the last piece
    await page.evaluate(() => window.limber.player.seek(1));
    await closer.press("Enter");
    await page.waitForFunction(() => window.limber.plots.plots[0].plot.scales.x.max > 0.9);
    [from, to] = await range();
    assert.ok(Math.abs(from - 0.75) < 1e-9 && Math.abs(to - 1) < 1e-9, `${from} to ${to}`);
    // another look, or another curve, does not lose the place
    await page.locator("#theme").click();
    assert.deepEqual(await range(), [from, to]);
    await page.locator(".plot").first().focus();
    await page.getByLabel("Search channels").fill("main.torque");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.limber.plots.shown[0].length > 1);
    assert.deepEqual(await range(), [from, to]);
    await page.keyboard.press("Escape");
    await plot.getByRole("button", { name: "Show all" }).press("Enter");
    await page.waitForFunction(() => window.limber.plots.plots[0].plot.scales.x.min === 0);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("the focus stays near what was removed, and goes to the search of a new plot", async () => {
    const page = await open(browser, crank.page);
    const at = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
    const last = page.locator(".plot").last();
    await last.getByRole("button", { name: "Remove energy.kinetic" }).press("Enter");
    assert.equal(await at(), "Remove energy.potential");
    await page.keyboard.press("Enter");
    assert.equal(await at(), "Remove energy.total");
    await page.keyboard.press("Enter");
    assert.equal(await at(), "New plot");
    assert.equal(await page.locator(".plot").count(), 2);
    await page.keyboard.press("Enter");
    assert.equal(await at(), "Search channels");
    await page.keyboard.type("energy.total");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.limber.plots.shown[2]?.[0] === "energy.total");
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("on screens of other sizes nothing is cut off, and plots have room beside the picture", async () => {
    for (const [width, height] of [[844, 390], [640, 400], [320, 568], [820, 1180]]) {
      const page = await open(browser, hub.page, { viewport: { width, height }, hasTouch: true });
      const seen = await page.evaluate(() => {
        const { right, bottom } = document.getElementById("speed").getBoundingClientRect();
        const panel = document.querySelector(".panel").getBoundingClientRect();
        const scene = document.querySelector(".scene").getBoundingClientRect();
        return { right, bottom, scene: scene.right, wide: document.documentElement.scrollWidth, room: Math.min(innerHeight, panel.bottom) - panel.top };
      });
      const where = `at ${width} x ${height}: ${JSON.stringify(seen)}`;
      assert.ok(seen.wide <= width && seen.right <= seen.scene && seen.bottom <= height, where);
      assert.ok(seen.room > 0.3 * height, where);
      await page.context().close();
    }
  });

  test("on a phone names of channels are seen whole", async () => {
    const page = await open(browser, hub.page, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    const cut = () => page.evaluate(() => [...document.querySelectorAll(".results .channel, .chip > span")]
      .filter((e) => e.scrollWidth > e.clientWidth && e.clientWidth > 0).map((e) => e.textContent));
    await page.getByLabel("Search channels").tap();
    await page.getByLabel("Search channels").fill("angular");
    await page.waitForFunction(() => document.querySelectorAll(".results .channel").length > 1);
    assert.deepEqual(await cut(), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await page.context().close();
  });
}
