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
}
