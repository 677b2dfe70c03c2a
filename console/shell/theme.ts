/** The theme of the page. The browser stores it, so that each device of a user can have its own. */

const KEY = 'tessera-theme';

/** Themes a user can choose. */
export const THEMES = ['system', 'light', 'dark'] as const;

/** A theme, or the system's. */
export type Theme = (typeof THEMES)[number];

/** Returns the theme that was chosen in this browser. */
export function chosenTheme(): Theme {
  return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system';
}

/** Applies the chosen theme to the page. */
export function applyTheme(theme: Theme = chosenTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Chooses a theme and applies it. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme(theme);
}
