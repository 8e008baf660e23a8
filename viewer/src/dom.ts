// Small helpers for elements. Texts always go in as text, never as HTML.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, unknown>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value as EventListener);
    else if (key === "class") element.className = String(value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

// Pictures of buttons, as paths on a grid of 24.
const icons: Record<string, string> = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
  back: "M17 5v14l-9-7zM5.5 5h2v14h-2z",
  forward: "M7 5v14l9-7zM16.5 5h2v14h-2z",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2.5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3 7 7M17 17l1.7 1.7M5.3 18.7 7 17M17 7l1.7-1.7",
  close: "M6 6l12 12M18 6 6 18",
  plus: "M12 5v14M5 12h14",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20",
  layers: "M12 4 3 9l9 5 9-5zM4 13.5l8 4.5 8-4.5",
  camera: "M3 7h12v10H3zM15 11l6-3.5v9L15 13z",
  table: "M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4",
  zoomin: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20M7.5 10.5h6M10.5 7.5v6",
  zoomout: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20M7.5 10.5h6",
  log: "M4 20V4M4 20h16M6 19C7 9 12 6.5 19 5.5",
  help: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM9.5 9.5a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.8-.9 1.7M12 16.2v.6",
};
const filled = new Set(["play", "pause", "back", "forward"]);

export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", filled.has(name) ? "icon filled" : "icon");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", icons[name] ?? "");
  svg.append(path);
  return svg;
}

export function button(picture: string, label: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return el("button", { type: "button", class: "button", title: label, "aria-label": label, onclick, ...attributes }, icon(picture));
}

export function setIcon(element: HTMLElement, name: string, label: string): void {
  element.replaceChildren(icon(name));
  element.title = label;
  element.setAttribute("aria-label", label);
}

export function toggle(label: string, value: boolean, onchange: (on: boolean) => void): HTMLLabelElement {
  const input = el("input", { type: "checkbox" });
  input.checked = value;
  input.addEventListener("change", () => onchange(input.checked));
  return el("label", { class: "toggle" }, input, el("span", {}, label));
}

export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
