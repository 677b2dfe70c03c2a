/** Derives readable accent colours from the colour of a tenant's brand (WCAG 2.2, 1.4.3 and 1.4.11). */

/** Red, green and blue, each 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

/** The accent on a light or a dark surface, as CSS colours. */
export interface Accent {
  readonly solid: string;
  readonly hover: string;
  /** Text on the surface. */
  readonly text: string;
  /** Text on the solid colour. */
  readonly onSolid: string;
}

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The surfaces of both themes; see ui/tokens.css. */
const SURFACES = { light: WHITE, dark: [26, 28, 31] } as const;
const TEXT_CONTRAST = 4.5;
const SHAPE_CONTRAST = 3;
const STEPS = 40;
const HOVER_STEPS = 4;

/** Returns the accent for a theme. @throws RangeError unless `color` is `#rrggbb` or `#rgb`. */
export function accentOf(color: string, theme: keyof typeof SURFACES): Accent {
  const surface = SURFACES[theme];
  const towards = theme === 'light' ? BLACK : WHITE;
  const solid = reach(
    parse(color),
    towards,
    (each) => contrast(each, surface) >= SHAPE_CONTRAST && hasReadableText(each),
  );
  const text = reach(solid, towards, (each) => contrast(each, surface) >= TEXT_CONTRAST);
  return {
    solid: formatColor(solid),
    hover: formatColor(mix(solid, towards, HOVER_STEPS / STEPS)),
    text: formatColor(text),
    onSolid: formatColor(textOn(solid)),
  };
}

/** Mixes a colour with another one in small steps until it is accepted. */
function reach(color: Rgb, towards: Rgb, accept: (color: Rgb) => boolean): Rgb {
  for (let step = 0; step <= STEPS; step++) {
    const mixed = mix(color, towards, step / STEPS);
    if (accept(mixed)) return mixed;
  }
  return towards;
}

function textOn(color: Rgb): Rgb {
  return contrast(WHITE, color) >= TEXT_CONTRAST ? WHITE : BLACK;
}

function hasReadableText(color: Rgb): boolean {
  return contrast(textOn(color), color) >= TEXT_CONTRAST;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const channel = (a: number, b: number) => Math.round(a + (b - a) * share);
  return [channel(from[0], to[0]), channel(from[1], to[1]), channel(from[2], to[2])];
}

function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

/** Relative luminance (WCAG 2.2). */
function luminance([red, green, blue]: Rgb): number {
  const linear = (channel: number) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function parse(color: string): Rgb {
  const digits = /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(color)?.[1];
  if (digits === undefined) throw new RangeError(`"${color}" must be a colour such as #0f766e`);
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const channel = (index: number) => Number.parseInt(long.slice(index, index + 2), 16);
  return [channel(0), channel(2), channel(4)];
}

/** Formats a colour as `#rrggbb`. */
export function formatColor(color: Rgb): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
