// A sheet: sentences, figures and tables of a rotor or a spectrum, as a tab of a report or a page of its own.
import { el } from "./dom";
import { Figure } from "./figure";
import { section, table } from "./panels";
import type { SheetData } from "./types";

export class Sheet {
  readonly element: HTMLElement;
  readonly figures: Figure[];

  constructor(readonly data: SheetData) {
    this.figures = data.figures.map((figure) => new Figure(figure));
    this.element = el("div", { class: "page sheet" },
      data.sentences.length ? el("section", { class: "block words" }, ...data.sentences.map((text) => el("p", {}, text))) : null,
      ...this.figures.map((figure) => figure.element),
      el("div", { class: "tables" }, ...data.tables.map(({ title, head, rows }) => section(title, table(head, rows, { class: "numbers" })))));
    new ResizeObserver(() => this.refresh()).observe(this.element);
  }

  refresh(): void {
    this.figures.forEach((figure) => figure.refresh());
  }
}
