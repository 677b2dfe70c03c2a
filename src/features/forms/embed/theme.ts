import type { ITheme } from 'survey-core';
import * as predefinedThemes from 'survey-core/themes';
import { isColor, readableOn } from '../../../http/color.ts';
import { isRecord } from './page-data.ts';
import { withReadableColors } from './readable-theme.ts';

type Options = Readonly<Record<string, unknown>>;
type Variables = Record<string, string>;
type Check = (value: unknown) => unknown;

/** Look of a form without a theme: SurveyJS's default without panels, to fit a white site, with our accent color. */
const defaultOptions = { primaryColor: '#0f766e', isPanelless: true };

const maximalValueLength = 300;
/** Anything that could end a declaration, open a block, start an escape or load something. */
const unsafeValue = /[;{}<>\\@]|\/\*|(?:url|image|image-set|cross-fade|element|src|expression|paint)\s*\(/i;

const oneOf =
  (...allowed: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && allowed.includes(value) ? value : undefined;
const numberUpTo =
  (maximum: number): Check =>
  (value) =>
    typeof value === 'number' && value >= 0 && value <= maximum ? value : undefined;
const flag: Check = (value) => (typeof value === 'boolean' ? value : undefined);

/** Accepts an image URL that cannot end the `url(...)` around it. */
const imageUrl: Check = (value) => {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { protocol, href } = new URL(value);
  const isImage = protocol === 'https:' || protocol === 'http:' || /^data:image\//i.test(href);
  return isImage
    ? href.replace(/["'()\\\s]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
    : undefined;
};

const horizontal = oneOf('left', 'center', 'right');
const vertical = oneOf('top', 'middle', 'bottom');

/** Fields of `header` (docs/specification/forms.md#form-themes), and those that SurveyJS adds. */
const headerFields: Readonly<Record<string, Check>> = {
  height: numberUpTo(2000),
  mobileHeight: numberUpTo(2000),
  inheritWidthFrom: oneOf('survey', 'container'),
  textAreaWidth: numberUpTo(5000),
  overlapEnabled: flag,
  backgroundImage: imageUrl,
  backgroundImageOpacity: numberUpTo(1),
  backgroundImageFit: oneOf('cover', 'fill', 'contain', 'tile'),
  logoPositionX: horizontal,
  logoPositionY: vertical,
  titlePositionX: horizontal,
  titlePositionY: vertical,
  descriptionPositionX: horizontal,
  descriptionPositionY: vertical,
};

/** Theme fields that are passed on unchanged. */
const themeFields: Readonly<Record<string, Check>> = {
  isPanelless: flag,
  backgroundImage: imageUrl,
  backgroundImageFit: oneOf('auto', 'contain', 'cover'),
  backgroundImageAttachment: oneOf('fixed', 'scroll'),
  backgroundOpacity: numberUpTo(1),
  headerView: oneOf('basic', 'advanced'),
};

function pick(options: Options, fields: Readonly<Record<string, Check>>): Record<string, unknown> {
  const checked = Object.entries(fields).map(([name, check]) => [name, check(options[name])] as const);
  return Object.fromEntries(checked.filter(([, value]) => value !== undefined));
}

function safeVariables(candidates: unknown): Variables {
  const variables: Variables = {};
  for (const [name, value] of Object.entries(isRecord(candidates) ? candidates : {})) {
    const text = typeof value === 'number' ? String(value) : value;
    const isName = /^--[a-z0-9_-]{1,100}$/i.test(name);
    if (isName && typeof text === 'string' && text.length <= maximalValueLength && !unsafeValue.test(text))
      variables[name] = text;
  }
  return variables;
}

/** Returns the shades of the primary color that SurveyJS uses. */
function primaryVariables(color: string): Variables {
  const foreground = readableOn(color);
  return {
    '--sjs-primary-backcolor': color,
    '--sjs-primary-backcolor-light': `color-mix(in srgb, ${color} 10%, transparent)`,
    '--sjs-primary-backcolor-dark': `color-mix(in srgb, ${color} 88%, black)`,
    ...(foreground !== null && { '--sjs-primary-forecolor': foreground }),
  };
}

/** Returns the variables of the predefined theme for `themeName`, `colorPalette` and `isPanelless`. */
function predefinedVariables(options: Options): Variables {
  const palette = options.colorPalette === 'dark' ? 'dark' : 'light';
  const themeName = typeof options.themeName === 'string' ? options.themeName.toLowerCase() : 'default';
  const candidates = Object.values(predefinedThemes)
    .filter((theme) => typeof theme === 'object' && 'themeName' in theme)
    .filter(
      (theme) => theme.colorPalette === palette && theme.isPanelless === (options.isPanelless === true),
    );
  const sameName = candidates.find((theme) => theme.themeName === themeName);
  return { ...(sameName ?? candidates.find((theme) => theme.themeName === 'default'))?.cssVariables };
}

/**
 * Converts the options of a form theme (docs/specification/forms.md#form-themes) to a SurveyJS theme. Unknown, invalid
 * and unsafe options are left out, so a faulty theme still shows a usable form. `cssVariables` refine the predefined
 * theme. `primaryColor` overrides both, because it is the color that an owner sets by hand. Unreadable colors are
 * adjusted (`withReadableColors`).
 * @param options null for a form without a theme
 */
export function toSurveyTheme(options: Options | null): ITheme {
  const owned: Options = options ?? defaultOptions;
  const { header, primaryColor, cssVariables } = owned;
  return {
    ...pick(owned, themeFields),
    ...(isRecord(header) && { header: pick(header, headerFields) }),
    cssVariables: withReadableColors({
      ...predefinedVariables(owned),
      ...safeVariables(cssVariables),
      ...(typeof primaryColor === 'string' && isColor(primaryColor) ? primaryVariables(primaryColor) : {}),
    }),
  };
}
