/** Sets the accent of the page. Needs a browser. */
import { accentOf, formatColor } from './accent.ts';

/** Sets the accent of the page from any CSS colour; null sets the default one. */
export function applyAccent(color: string | null): void {
  const { style } = document.documentElement;
  const names = {
    accent: 'solid',
    'accent-hover': 'hover',
    'accent-text': 'text',
    'on-accent': 'onSolid',
  } as const;
  const hex = color === null ? null : toHex(color);
  const light = hex === null ? null : accentOf(hex, 'light');
  const dark = hex === null ? null : accentOf(hex, 'dark');
  for (const [name, part] of Object.entries(names)) {
    if (light === null || dark === null) style.removeProperty(`--${name}`);
    else style.setProperty(`--${name}`, `light-dark(${light[part]}, ${dark[part]})`);
  }
}

/** Converts any CSS colour, without its opacity. Returns null if the browser does not know it. */
export function toHex(color: string): string | null {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d');
  if (canvas === null || !CSS.supports('color', color)) return null;
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return formatColor([red, green, blue]);
}
