// A sheet: sentences, figures and tables of a rotor, a spectrum or a study, as a tab of a report or a page of its own.
import { el } from "./dom";
import { Figure } from "./figure";
import { section, table } from "./panels";
import type { SheetData } from "./types";

const many = 25; // rows that are seen at once
const missing = ["", "-", "–"];

// what stands behind the digits before the point: ".25", "e-5", ""
const tail = (text: string) => (missing.includes(text) ? "" : text.replace(/^-?\d*/, ""));

// Numbers are on the right, their points below one another; columns with words are on the left. Long tables scroll under their
// head.
function alignedTable(title: string, head: string[], rows: string[][]): HTMLElement {
  const element = table(head, rows);
  const words = head.map((_, k) => rows.some((row) => !missing.includes(row[k]) && Number.isNaN(Number(row[k]))));
  const longest = head.map((_, k) => (words[k] ? "" : rows.reduce((most, row) => (tail(row[k]).length > most.length ? tail(row[k]) : most), "")));
  for (const row of element.querySelectorAll("tr"))
    [...row.children].forEach((cell, k) => {
      cell.classList.toggle("number", k > 0 && !words[k]);
      const own = tail(cell.textContent ?? "").length;
      // room for what others have behind the point, which is neither seen nor copied
      if (k > 0 && !words[k] && cell instanceof HTMLTableCellElement && cell.tagName === "TD" && own < longest[k].length)
        cell.dataset.room = longest[k].slice(own - longest[k].length);
    });
  if (rows.length > many) {
    element.classList.add("long");
    element.tabIndex = 0;
    element.setAttribute("role", "region");
    element.setAttribute("aria-label", title || head.join(", "));
  }
  return element;
}

export class Sheet {
  readonly element: HTMLElement;
  readonly figures: Figure[];

  constructor(readonly data: SheetData) {
    this.figures = data.figures.map((figure) => new Figure(figure));
    const tables = data.tables.map(({ title, head, rows }) => section(title, alignedTable(title, head, rows)));
    const lead = data.lead ?? 0;
    this.element = el("div", { class: "page sheet" },
      data.sentences.length ? el("section", { class: "block words" }, ...data.sentences.map((text) => el("p", {}, text))) : null,
      el("div", { class: "tables" }, ...tables.slice(0, lead)),
      el("div", { class: `figures${this.figures.length > 3 ? " many" : ""}` }, ...this.figures.map((figure) => figure.element)),
      el("div", { class: "tables" }, ...tables.slice(lead)));
    new ResizeObserver(() => this.refresh()).observe(this.element);
  }

  refresh(): void {
    this.figures.forEach((figure) => figure.refresh());
  }
}
