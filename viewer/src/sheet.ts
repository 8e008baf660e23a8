// A sheet: sentences, figures and tables of a rotor or a spectrum, as a tab of a report or a page of its own.
import { el } from "./dom";
import { Figure } from "./figure";
import { section, table } from "./panels";
import type { SheetData } from "./types";

// Numbers are on the right, columns with words on the left.
function alignedTable(head: string[], rows: string[][]): HTMLElement {
  const element = table(head, rows);
  const words = head.map((_, k) => rows.some((row) => row[k] && row[k] !== "–" && Number.isNaN(Number(row[k]))));
  for (const row of element.querySelectorAll("tr")) [...row.children].forEach((cell, k) => cell.classList.toggle("number", k > 0 && !words[k]));
  return element;
}

export class Sheet {
  readonly element: HTMLElement;
  readonly figures: Figure[];

  constructor(readonly data: SheetData) {
    this.figures = data.figures.map((figure) => new Figure(figure));
    this.element = el("div", { class: "page sheet" },
      data.sentences.length ? el("section", { class: "block words" }, ...data.sentences.map((text) => el("p", {}, text))) : null,
      ...this.figures.map((figure) => figure.element),
      el("div", { class: "tables" }, ...data.tables.map(({ title, head, rows }) => section(title, alignedTable(head, rows)))));
    new ResizeObserver(() => this.refresh()).observe(this.element);
  }

  refresh(): void {
    this.figures.forEach((figure) => figure.refresh());
  }
}
