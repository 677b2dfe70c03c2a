/** Luminance above which black text is easier to read than white (WCAG 2.2, relative luminance). */
const BLACK_FROM = 0.179;

/** Gives an element inside the page the accent colour, any CSS colour, with readable text on it. */
export function setAccent(element: HTMLElement, color: string): void {
  element.style.color = color;
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(element).color.match(/[\d.]+/g) ?? []).map(Number);
  element.style.removeProperty('color');
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  element.style.setProperty('--tessera-accent', color);
  element.style.setProperty('--tessera-on-accent', luminance > BLACK_FROM ? '#000' : '#fff');
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
