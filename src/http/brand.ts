/** How pages show whose they are: by the name, the logo and the colour of a tenant, readable whatever the colour is. */
import type { TenantRow } from '../tenancy/identity-tables.ts';
import { flatten, readableOn, withContrast } from './color.ts';
import { type Html, html } from './html.ts';

/** A tenant's brand, of which only what can be shown is kept. */
export interface Brand {
  readonly name: string;
  /** Null: there is none, or its address is none of the web. */
  readonly logo: URL | null;
  /** Null: there is none, or it is written by name or in another space than RGB. */
  readonly colors: BrandColors | null;
}

/** Colours as CSS takes them. */
interface BrandColors {
  /** The brand's own, for buttons, which are known by their text. */
  readonly fill: string;
  readonly onFill: string;
  /** For what has to stand out from a card by itself, on a light and on a dark one. */
  readonly accentLight: string;
  readonly accentDark: string;
}

/** The grounds of cards, as the pages have them. */
const CARDS = { light: '#ffffff', dark: '#1c1917' };
/** Contrast of what shows a control (WCAG 2.2, 1.4.11). */
const CONTROL_RATIO = 3;

/** The brand of a tenant, as far as its settings say something that can be shown. */
export function brandOf({ name, brand_settings }: Pick<TenantRow, 'name' | 'brand_settings'>): Brand {
  const { logo_url, primary_color } = brand_settings;
  const logo = URL.parse(logo_url);
  return {
    name,
    logo: logo !== null && /^https?:$/.test(logo.protocol) ? logo : null,
    colors: colorsOf(primary_color.trim()),
  };
}

/** What a style attribute says, so that the rules of pages find the colours of a brand. */
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

/** Logo or name, to stand above the content of a page. */
export function brandHeader({ name, logo }: Brand): Html {
  return html`<p class="brand">${logo === null ? name : html`<img src="${logo.href}" alt="${name}">`}</p>`;
}

/** A colour that lets its ground through is taken as it looks on a light card. */
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
