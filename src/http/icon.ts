import { type Html, html } from './html.ts';

/** The Tessera icon: four tiles, one of them apart. It is visible on light and dark backgrounds. */
export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="3" y="3" width="12" height="12" rx="3" fill="#0f766e"/><rect x="17" y="3" width="12" height="12" rx="3" fill="#14b8a6"/><rect x="3" y="17" width="12" height="12" rx="3" fill="#14b8a6"/><rect x="17" y="17" width="12" height="12" rx="6" fill="#d97706"/></svg>`;

/** The icon as an inline link for a page's head, so that browsers request no file. */
export function iconLink(): Html {
  return html`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON_SVG)}">`;
}
