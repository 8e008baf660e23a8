// Light and dark.
import { button, setIcon } from "./dom";

export type Theme = "light" | "dark";

// The button that changes the theme; `changed` is called with the first one, too, by start().
export class Themes {
  readonly button = button("moon", "Dark", () => this.set(this.theme === "dark" ? "light" : "dark"), { id: "theme" });
  private theme: Theme = "light";

  constructor(private readonly changed: (theme: Theme) => void) {}

  start(): void {
    this.set(stored());
  }

  private set(theme: Theme): void {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    setIcon(this.button, theme === "dark" ? "sun" : "moon", theme === "dark" ? "Light" : "Dark");
    try {
      localStorage.setItem("limber-theme", theme);
    } catch {
      // pages from the disk may have no storage
    }
    this.changed(theme);
  }
}

function stored(): Theme {
  try {
    const theme = localStorage.getItem("limber-theme");
    if (theme === "dark" || theme === "light") return theme;
  } catch {
    // none
  }
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
