import { flatten, readableOn, withContrast } from '../../../http/color.ts';

type Variables = Readonly<Record<string, string>>;

/** Minimum contrast of text, and of controls and focus indicators (WCAG 2.2, 1.4.3 and 1.4.11). */
const textRatio = 4.5;
const borderRatio = 3;

/** Backgrounds of text: a question, the page around it and a field. */
const backgroundNames = [
  '--sjs-general-backcolor',
  '--sjs-general-backcolor-dim',
  '--sjs-general-backcolor-dim-light',
  '--sjs-editor-background',
  '--sjs-editorpanel-backcolor',
  '--sjs-question-background',
  '--sjs-questionpanel-backcolor',
];

/** Text colors of a theme, including hints. */
const textNames = [
  '--sjs-general-forecolor',
  '--sjs-general-forecolor-light',
  '--sjs-general-dim-forecolor',
  '--sjs-general-dim-forecolor-light',
  '--sjs-font-pagetitle-color',
  '--sjs-font-pagedescription-color',
  '--sjs-font-questiontitle-color',
  '--sjs-font-questiondescription-color',
  '--sjs-font-editorfont-color',
  '--sjs-font-editorfont-placeholdercolor',
];

/**
 * Returns a theme's variables with unreadable colors adjusted: texts, errors, the accent and borders of fields. The
 * main button keeps its accent. Readable colors stay exactly as chosen.
 */
export function withReadableColors(variables: Variables): Variables {
  const base = variables['--sjs-general-backcolor'] ?? '#ffffff';
  const backgrounds = backgroundNames.flatMap((name) => {
    const color = variables[name];
    return color === undefined ? [] : [flatten(color, base) ?? base];
  });
  const readable: Record<string, string> = { ...variables };
  for (const name of textNames) {
    const color = variables[name];
    if (color !== undefined) readable[name] = withContrast(color, backgrounds, textRatio);
  }
  const brand = variables['--sjs-primary-backcolor'] ?? '#0f766e';
  const accent = withContrast(brand, backgrounds, textRatio);
  const onAccent = readableOn(accent);
  const red = variables['--sjs-special-red'] ?? '#b91c1c';
  // Errors have a background tinted with their own red.
  const tinted = backgrounds.flatMap((below) => {
    const tint = flatten(variables['--sjs-special-red-light'] ?? 'rgba(229, 10, 62, 0.1)', below);
    return tint === null ? [below] : [below, tint];
  });
  const border = withContrast(
    variables['--sjs-border-default'] ?? 'rgba(0, 0, 0, 0.16)',
    backgrounds,
    borderRatio,
  );
  return {
    ...readable,
    '--sjs-primary-backcolor': accent,
    ...(onAccent !== null && { '--sjs-primary-forecolor': onAccent }),
    ...fillOf(brand),
    '--sjs-special-red': withContrast(red, tinted, textRatio),
    '--sjs-shadow-inner': `inset 0 0 0 1px ${border}`,
    '--tessera-border': border,
  };
}

/** The text of a filled button identifies it, so its color stays as chosen and only the text color is adjusted. */
function fillOf(brand: string): Variables {
  const text = readableOn(brand);
  if (text === null) return {};
  const away = text === '#ffffff' ? 'black' : 'white';
  return {
    '--tessera-fill': brand,
    '--tessera-on-fill': text,
    '--tessera-fill-hover': `color-mix(in srgb, ${brand} 88%, ${away})`,
  };
}
