/** Luminance above which black text is easier to read than white (WCAG 2.2, relative luminance). */
const BLACK_TEXT_LUMINANCE = 0.179;

/**
 * Sets the accent colour of an element in the page, and black or white for text on it. `color` may be any CSS colour.
 */
export function setAccent(element: HTMLElement, color: string): void {
  const [red = 0, green = 0, blue = 0] = toSrgb(element, color);
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  element.style.setProperty('--tessera-accent', color);
  element.style.setProperty('--tessera-on-accent', luminance > BLACK_TEXT_LUMINANCE ? '#000' : '#fff');
}

/** Returns the red, green and blue of a colour from 0 to 1, as the browser computes it for an element. */
function toSrgb(element: HTMLElement, color: string): number[] {
  element.style.color = color;
  const computed = getComputedStyle(element).color;
  const isRgb = computed.startsWith('rgb');
  // The computed value of `oklch()` and others keeps their colour space. Mixing converts it to `color(srgb …)`.
  if (!isRgb) element.style.color = `color-mix(in srgb, ${computed}, ${computed})`;
  const numbers = getComputedStyle(element).color.match(/-?[\d.]+(?:e-?\d+)?/g) ?? [];
  element.style.removeProperty('color');
  return numbers.map((text) => Math.min(1, Math.max(0, Number(text) / (isRgb ? 255 : 1))));
}

function linear(share: number): number {
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
