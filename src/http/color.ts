/** Red, green and blue, each from 0 to 255. */
type Channels = readonly [number, number, number];

/** A colour and its opacity from 0 to 1. */
interface Paint {
  readonly channels: Channels;
  readonly alpha: number;
}

const WHITE: Channels = [255, 255, 255];
const BLACK: Channels = [0, 0, 0];

/** CSS Color 4, section 6.1. */
const names: ReadonlySet<string> = new Set(
  (
    'aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet ' +
    'brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue ' +
    'darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange ' +
    'darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise ' +
    'darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen ' +
    'fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred ' +
    'indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan ' +
    'lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen ' +
    'lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta ' +
    'maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue ' +
    'mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin ' +
    'navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen ' +
    'paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple ' +
    'red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue ' +
    'slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet ' +
    'wheat white whitesmoke yellow yellowgreen'
  ).split(' '),
);

const notations = [
  /^#(?:[0-9a-f]{3,4}){1,2}$/i,
  /^(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([0-9a-z.,%/ +-]+\)$/i,
];

/** True if a text is one CSS colour. */
export function isColor(text: string): boolean {
  return names.has(text.toLowerCase()) || notations.some((notation) => notation.test(text));
}

function parseHex(color: string): Paint | null {
  const [, digits = ''] = /^#((?:[0-9a-f]{3,4}){1,2})$/i.exec(color) ?? [];
  if (digits === '') return null;
  const size = digits.length > 4 ? 2 : 1;
  const read = (place: number): number => {
    const part = digits.slice(place * size, (place + 1) * size);
    return Number.parseInt(size === 1 ? part + part : part, 16);
  };
  const isOpaque = digits.length % 4 !== 0;
  return { channels: [read(0), read(1), read(2)], alpha: isOpaque ? 1 : read(3) / 255 };
}

function parseDecimal(color: string): Paint | null {
  const pattern =
    /^rgba?\(\s*(\d+(?:\.\d+)?|\.\d+)[\s,]+(\d+(?:\.\d+)?|\.\d+)[\s,]+(\d+(?:\.\d+)?|\.\d+)(?:[\s,/]+(\d+(?:\.\d+)?|\.\d+)(%?))?\s*\)$/i;
  const [, red, green, blue, alpha = '1', percent = ''] = pattern.exec(color) ?? [];
  if (red === undefined) return null;
  const read = (digits: string | undefined): number => Math.min(Number(digits), 255);
  return {
    channels: [read(red), read(green), read(blue)],
    alpha: Math.min(Number(alpha) / (percent === '' ? 1 : 100), 1),
  };
}

function parse(color: string): Paint | null {
  return parseHex(color) ?? parseDecimal(color);
}

function mix(over: Channels, under: Channels, share: number): Channels {
  const channel = (place: 0 | 1 | 2): number => Math.round(over[place] * share + under[place] * (1 - share));
  return [channel(0), channel(1), channel(2)];
}

/** Relative luminance from 0 (black) to 1 (white): WCAG 2.2, "relative luminance". */
function luminance(channels: Channels): number {
  const [red, green, blue] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** Contrast from 1 to 21: WCAG 2.2, "contrast ratio". */
function contrast(one: Channels, other: Channels): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/**
 * Returns white or black, whichever is readable on a colour: white from a contrast of 4.5 (WCAG 2.2, 1.4.3), else
 * black. Null for a named colour or one outside RGB.
 */
export function readableOn(color: string): string | null {
  const paint = parse(color);
  if (paint === null) return null;
  return contrast(WHITE, paint.channels) >= 4.5 ? '#ffffff' : '#000000';
}

/** True if a background is dark, so that a browser's own controls should be light. */
export function isDark(color: string): boolean {
  const paint = parse(color);
  return paint !== null && luminance(paint.channels) < 0.18;
}

/** Returns a colour as it looks on an opaque background; null when either cannot be parsed. */
export function flatten(color: string, background: string): string | null {
  const [over, under] = [parse(color), parse(background)];
  if (over === null || under === null) return null;
  return `rgb(${mix(over.channels, under.channels, over.alpha).join(', ')})`;
}

/**
 * Returns the colour itself if its contrast to every background is at least `ratio`, else the nearest colour towards
 * black or white that reaches it. Colours outside RGB are returned unchanged.
 *
 * @param backgrounds opaque colours
 */
export function withContrast(color: string, backgrounds: readonly string[], ratio: number): string {
  const paint = parse(color);
  const under = backgrounds
    .map(parse)
    .flatMap((background) => (background === null ? [] : [background.channels]));
  const [first] = under;
  if (paint === null || first === undefined) return color;
  const least = (candidate: Channels): number =>
    Math.min(...under.map((background) => contrast(candidate, background)));
  const isEnough = under.every((below) => contrast(mix(paint.channels, below, paint.alpha), below) >= ratio);
  if (isEnough) return color;
  const start = mix(paint.channels, first, paint.alpha);
  const end = least(WHITE) > least(BLACK) ? WHITE : BLACK;
  for (let share = 0.05; share < 1; share += 0.05) {
    const candidate = mix(end, start, share);
    if (least(candidate) >= ratio) return `rgb(${candidate.join(', ')})`;
  }
  return `rgb(${end.join(', ')})`;
}
