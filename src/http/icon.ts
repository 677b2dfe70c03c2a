import { type Html, html } from './html.ts';

/** The mark of Tessera: four tiles, one of them set apart. It shows on light and dark alike. */
export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="3" y="3" width="12" height="12" rx="3" fill="#0f766e"/><rect x="17" y="3" width="12" height="12" rx="3" fill="#14b8a6"/><rect x="3" y="17" width="12" height="12" rx="3" fill="#14b8a6"/><rect x="17" y="17" width="12" height="12" rx="6" fill="#d97706"/></svg>`;

/** The icon in the head of a page, in the page itself: wherever it is mounted, no browser asks for a file in vain. */
export function iconLink(): Html {
  return html`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON_SVG)}">`;
}
