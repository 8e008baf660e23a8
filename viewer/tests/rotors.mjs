// Reports of rotors: the sheet, whirl, steady motion under unbalance, run-up.
import assert from "node:assert/strict";
import { join } from "node:path";
import { onlyBody, open, seek } from "./browser.mjs";

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
}
