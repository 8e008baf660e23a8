// Sheets: bars, dots, long tables, and a sheet beside an animation.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open, seek } from "./browser.mjs";

const bars = (label, y, more = {}) => ({ label, style: "bars", x: y.map((_, i) => i + 1), y, ...more });
const figure = (title, curves, more = {}) => ({ title, x_label: "parameter", equal: false, panels: [{ label: "comfort", curves }], ...more });
const names = ["stiffness", "damping", "mass"];
const scattered = Array.from({ length: 3000 }, (_, i) => i);

const study = {
  title: "Study", sentences: ["Eight figures and four tables."],
  figures: [
    figure("Tornado", [bars("least", [6, 8, 9], { low: [10, 10, 10] }), bars("largest", [14, 11, 10.5], { low: [10, 10, 10] })], { categories: names, sideways: true }),
    figure("Logarithmic", [bars("", [1, 10, 1000])], { categories: names, logarithmic: true }),
    figure("Scatter", [{ label: "tried", style: "dots", x: scattered, y: scattered.map(Math.sin) }]),
    figure("Histogram", [{ label: "", style: "bars", width: 2, x: [1, 3, 5], y: [4, 9, 2] }]),
    ...[1, 2, 3, 4].map((k) => figure(`Line ${k}`, [{ label: "", style: "line", x: [0, 1], y: [0, k] }])),
  ],
  tables: [1, 2, 3, 4].map((k) => ({
    title: `Table ${k}`, head: ["run", "value", "state"],
    rows: Array.from({ length: 200 }, (_, i) => [String(i + 1), i === 3 ? "-" : (i * i / 7).toPrecision(4 + (i % 3)), "done"]),
  })),
};

// Puts a sheet into a page.
function withSheet(page, to, sheet) {
  const html = readFileSync(page, "utf8");
  const start = html.indexOf(">", html.indexOf('id="limber-report"')) + 1;
  const end = html.indexOf("</script>", start);
  const data = { ...JSON.parse(html.slice(start, end)), sheet: JSON.stringify(sheet) };
  writeFileSync(to, html.slice(0, start) + JSON.stringify(data).replaceAll("<", "\\u003c") + html.slice(end));
  return to;
}

// The widths and heights, in pixels of the page, of the boxes of a colour in a figure's picture, from top to bottom or from left to right.
const boxes = (page, title, color, across) => page.evaluate(({ title, color, across }) => {
  const drawn = document.querySelector(`section[aria-label="${title}"] canvas`);
  const { width, height } = drawn;
  const copy = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d", { willReadFrequently: true });
  copy.drawImage(drawn, 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  const like = (x, y) => data[4 * (y * width + x) + 3] > 180 && [0, 1, 2].every((k) => Math.abs(data[4 * (y * width + x) + k] - color[k]) < 40); // over lines, too
  const [n, m] = across ? [height, width] : [width, height];
  const at = (i, k) => (across ? like(k, i) : like(i, k));
  const found = [];
  let inside = false;
  for (let i = 0; i < n; i++) {
    const list = Array.from({ length: m }, (_, k) => k).filter((k) => at(i, k));
    if (list.length > 3 && !inside) found.push({ from: list[0], length: list.at(-1) - list[0] + 1 });
    inside = list.length > 3;
  }
  return found;
}, { title, color, across });

const [blue, orange] = ["#2f6db5", "#d9722b"].map((hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16)));

export function sheetTests(test, browser, program) {
  const file = (name) => join(program.folder, name);
  const crank = () => {
    program.run("report", program.example("run", "slider-crank"), "-o", file("sheet-of.html"));
    return withSheet(file("sheet-of.html"), file("study.html"), study);
  };

  test("gradients are bars with the names of parameters", async () => {
    program.run("gradient", "examples/half-car/half-car.yaml", "--of", "comfort", "-o", file("gradient.html"));
    const page = await open(browser, file("gradient.html"));
    const data = await page.evaluate(() => JSON.parse(JSON.parse(document.getElementById("limber-report").textContent).sheet));
    const [{ categories, sideways, panels }] = data.figures;
    const parts = Object.fromEntries(data.tables[0].rows.map(([name, , , change]) => [name, Number(change)]));
    assert.ok(sideways && categories.length > 3);
    categories.forEach((name, i) => {
      if (Number.isFinite(parts[name])) assert.ok(Math.abs(panels[0].curves[0].y[i] - parts[name]) <= 1e-5 * Math.abs(parts[name]), name);
    });
    // names are written beside the bars; the largest comes first, and is read off under the mouse
    const { width } = await page.locator(".figure .u-axis").first().boundingBox();
    assert.ok(width > 20 && width < 200, `${width}`);
    const over = await page.locator(".figure .u-over").first().boundingBox();
    await page.mouse.move(over.x + 0.5 * over.width, over.y + (0.5 / categories.length) * over.height);
    const [name, value] = (await page.locator(".figure .where").first().textContent()).split(": ");
    assert.equal(name, categories[0]);
    assert.ok(Math.abs(Number(value.replace("−", "-")) - panels[0].curves[0].y[0]) <= 1e-3 * Math.abs(panels[0].curves[0].y[0]));
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("bars are to scale, on logarithmic axes too", async () => {
    const page = await open(browser, crank());
    const [least, largest] = [await boxes(page, "Tornado", blue, true), await boxes(page, "Tornado", orange, true)];
    assert.deepEqual([least.length, largest.length], [3, 3]);
    const scale = least[0].length / 4;
    [4, 2, 1].forEach((size, i) => assert.ok(Math.abs(least[i].length - scale * size) <= 2, JSON.stringify(least)));
    [4, 1, 0.5].forEach((size, i) => assert.ok(Math.abs(largest[i].length - scale * size) <= 2, JSON.stringify(largest)));
    largest.forEach(({ from }, i) => assert.ok(Math.abs(from - least[i].from - least[i].length) <= 2, "from the same base"));
    const log = await boxes(page, "Logarithmic", blue, false);
    assert.equal(log.length, 3);
    const decade = log[1].length - log[0].length;
    assert.ok(decade > 10 && Math.abs(log[2].length - log[0].length - 3 * decade) <= 3, JSON.stringify(log));
    assert.equal(new Set(log.map(({ from, length }) => Math.round((from + length) / 3))).size, 1, "all stand on the axis");
    const counted = await boxes(page, "Histogram", blue, false);
    assert.deepEqual(counted.map(({ length }) => Math.round((9 * length) / counted[1].length)), [4, 9, 2]);
    const [csv] = await Promise.all([page.waitForEvent("download"), page.locator('section[aria-label="Tornado"]').getByRole("button", { name: "Download as CSV" }).click()]);
    assert.equal(readFileSync(await csv.path(), "utf8").split("\n")[1], "stiffness,10,6,stiffness,10,14");
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("a long sheet scrolls beside the animation", async () => {
    const page = await open(browser, crank());
    assert.deepEqual(await page.getByRole("tab").allTextContents(), ["Study", "Plots", "Summary", "Model"]);
    assert.equal(await page.getByRole("tab", { name: "Study" }).getAttribute("aria-selected"), "true");
    await seek(page, 0.3);
    const panel = page.locator(".panel-body");
    const { scrolls, wide } = await panel.evaluate((e) => ({ scrolls: e.scrollHeight - e.clientHeight, wide: e.scrollWidth - e.clientWidth }));
    assert.ok(scrolls > 2000 && wide <= 0, `${scrolls} and ${wide}`);
    // the head of a long table stays in sight, and numbers have their points below one another
    const table = page.locator(".table.long").first();
    await table.scrollIntoViewIfNeeded();
    const seen = await table.evaluate((e) => {
      e.scrollTop = 1000;
      const points = [...e.querySelectorAll("tbody td:nth-child(2)")].slice(4).map((cell) => {
        const text = cell.firstChild;
        const range = document.createRange();
        const dot = text.data.includes(".") ? text.data.indexOf(".") : text.data.length;
        range.setStart(text, dot);
        range.setEnd(text, dot);
        return range.getBoundingClientRect().left;
      });
      return { head: e.querySelector("th").getBoundingClientRect().top - e.getBoundingClientRect().top, spread: Math.max(...points) - Math.min(...points),
        inside: e.clientHeight < innerHeight };
    });
    assert.ok(Math.abs(seen.head) < 2 && seen.spread < 1 && seen.inside, JSON.stringify(seen));
    await page.getByRole("tab", { name: "Plots" }).click();
    await page.waitForSelector(".plots-panel");
    await page.getByRole("tab", { name: "Study" }).click();
    await page.waitForSelector('section[aria-label="Tornado"] canvas');
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });

  test("many figures are two in a row on wide windows, and below one another on narrow ones", async () => {
    program.run("gradient", "examples/half-car/half-car.yaml", "--of", "comfort", "-o", file("gradient.html"));
    const path = withSheet(file("gradient.html"), file("study-alone.html"), study);
    for (const [width, count] of [[1500, 2], [800, 1], [390, 1]]) {
      const page = await open(browser, path, { viewport: { width, height: 800 } });
      const places = await page.locator(".figure").evaluateAll((list) => list.map((e) => e.getBoundingClientRect().top));
      assert.equal(places.filter((top) => top === places[0]).length, count, `${width}`);
      assert.ok((await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth)) <= 0);
      assert.deepEqual(page.faults, []);
      await page.context().close();
    }
  });
}
