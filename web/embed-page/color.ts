/** Red, green and blue, each from 0 to 255. */
type Channels = readonly [number, number, number];

const notations = [
  /^#[0-9a-f]{3,8}$/i,
  /^[a-z]+$/i,
  /^(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([0-9a-z.,%/ +-]+\)$/i,
];

/** Whether a text is one CSS colour; a browser's own opinion counts where there is one. */
export function isColor(text: string): boolean {
  const isKnown = notations.some((notation) => notation.test(text));
  return isKnown && (typeof CSS === 'undefined' || CSS.supports('color', text));
}

function parseChannels(color: string): Channels | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])[0-9a-f]?$/i.exec(color);
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})(?:[0-9a-f]{2})?$/i.exec(color);
  const decimal = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/i.exec(color);
  const [, red = '', green = '', blue = ''] = short ?? long ?? decimal ?? [];
  if (red === '') {
    return null;
  }
  const read = (digits: string): number =>
    decimal ? Math.min(Number(digits), 255) : Number.parseInt(short ? digits + digits : digits, 16);
  return [read(red), read(green), read(blue)];
}

/** Relative luminance from 0 (black) to 1 (white): WCAG 2.2, "relative luminance". */
function luminance(channels: Channels): number {
  const [red, green, blue] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/**
 * White or black, whichever can be read on a colour: white from a contrast of 4.5 to 1 on (WCAG 2.2, 1.4.3), which
 * black has wherever white has not. Null for a colour written by name or in another space than RGB.
 */
export function readableOn(color: string): string | null {
  const channels = parseChannels(color);
  if (channels === null) {
    return null;
  }
  return 1.05 / (luminance(channels) + 0.05) >= 4.5 ? '#ffffff' : '#000000';
}
