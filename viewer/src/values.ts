// The numbers of an analysis with one instant, such as statics: a table in the place of plots.
import type { Analysis, Channel } from "./data";
import { el } from "./dom";
import { number, unit } from "./format";

// A name that a line may break behind dots and underscores.
function breakable(name: string): (string | Node)[] {
  return name.split(/(?<=[._])/).flatMap((word) => [word, el("wbr", {})]);
}

export async function valuesPanel(analysis: Analysis): Promise<HTMLElement> {
  const modal = /\.(modes|modes_velocity|modes_acceleration|stress_coordinates)$/; // which nobody reads
  // what is drawn along beams would be hundreds of rows; sensors come first
  const all = [...analysis.channels.values()].filter((channel) => !modal.test(channel.name) && !channel.overNodes);
  const isSensor = (channel: Channel) => !channel.name.includes(".");
  const channels = [...all.filter(isSensor), ...all.filter((channel) => !isSensor(channel))];
  const columns = await Promise.all(channels.map((channel) => channel.load()));
  const rows = channels.flatMap((channel, i) => columns[i].map((values, k) => el("tr", { title: channel.data.doc },
    el("td", {}, ...breakable(channel.name + channel.suffix(k))), el("td", {}, number(values[0], 6)), el("td", {}, unit(channel.data.unit)))));
  const search = el("input", { type: "search", placeholder: "Search channels by name, description or unit", "aria-label": "Search channels", autocomplete: "off", spellcheck: "false" });
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => `${row.textContent} ${row.title}`.toLowerCase().includes(word));
  });
  search.addEventListener("keydown", (e) => e.stopPropagation());
  return el("div", { class: "page values" }, el("div", { class: "finder" }, search),
    el("section", { class: "block" }, el("div", { class: "table" }, el("table", { class: "numbers" },
      el("thead", {}, el("tr", {}, ...["channel", "value", "unit"].map((h) => el("th", { scope: "col" }, h)))), el("tbody", {}, ...rows)))));
}
