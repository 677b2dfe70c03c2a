/** A tenant's brand on pages: name, logo and colour, with readable contrast for every colour. */
import type { TenantRow } from '../tenancy/identity-tables.ts';
import { flatten, readableOn, withContrast } from './color.ts';
import { type Html, html } from './html.ts';

/** The parts of a tenant's brand that can be shown. */
export interface Brand {
  readonly name: string;
  /** Null if there is none, or if its address is not an http(s) URL. */
  readonly logo: URL | null;
  /** Null if there is none, or if it is a named colour or not in RGB. */
  readonly colors: BrandColors | null;
}

/** Colours as CSS values. */
interface BrandColors {
  /** The brand's own colour, for buttons, which are recognised by their text. */
  readonly fill: string;
  readonly onFill: string;
  /** Colours for elements that must stand out from a light and from a dark card by themselves. */
  readonly accentLight: string;
  readonly accentDark: string;
}

/** Background colours of cards. */
const CARDS = { light: '#ffffff', dark: '#1c1917' };
/** Minimum contrast of a control (WCAG 2.2, 1.4.11). */
const CONTROL_RATIO = 3;

/** Returns the brand of a tenant, without settings that cannot be shown. */
export function brandOf({ name, brand_settings }: Pick<TenantRow, 'name' | 'brand_settings'>): Brand {
  const { logo_url, primary_color } = brand_settings;
  const logo = URL.parse(logo_url);
  return {
    name,
    logo: logo !== null && /^https?:$/.test(logo.protocol) ? logo : null,
    colors: colorsOf(primary_color.trim()),
  };
}

/** The style attribute that gives a page the colours of a brand. */
export function brandStyle({ colors }: Brand): string {
  if (colors === null) return '';
  const { fill, onFill, accentLight, accentDark } = colors;
  const away = onFill === '#ffffff' ? 'black' : 'white';
  const variables = {
    fill,
    'on-fill': onFill,
    'fill-hover': `color-mix(in srgb, ${fill} 88%, ${away})`,
    // A white button has an edge on a white card.
    edge: 'var(--accent)',
    'accent-light': accentLight,
    'accent-dark': accentDark,
  };
  return Object.entries(variables)
    .map(([name, value]) => `--${name}: ${value}`)
    .join('; ');
}

/** The logo or name, shown above the content of a page. */
export function brandHeader({ name, logo }: Brand): Html {
  return html`<p class="brand">${logo === null ? name : html`<img src="${logo.href}" alt="${name}">`}</p>`;
}

/** A translucent colour is computed as it looks on a light card. */
function colorsOf(color: string): BrandColors | null {
  const fill = flatten(color, CARDS.light);
  const onFill = fill === null ? null : readableOn(fill);
  if (fill === null || onFill === null) return null;
  return {
    fill,
    onFill,
    accentLight: withContrast(fill, [CARDS.light], CONTROL_RATIO),
    accentDark: withContrast(fill, [CARDS.dark], CONTROL_RATIO),
  };
}
