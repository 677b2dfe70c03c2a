import { readFile } from 'node:fs/promises';

/**
 * Makes the sheet of plain forms of SurveyJS's: the rules whose classes a plain form can have at all. What SurveyJS says
 * by classes that its script sets, the sheet says by the state of the page itself, so that it holds before any script:
 * the width of the window and what is chosen.
 */

/** Where classes of plain forms are written down. */
const sources = [
  '../src/features/embed/plain-form/draw-field.ts',
  '../src/features/embed/plain-form/draw-form.ts',
  './plain-form/closing.ts',
  './plain-form/errors.ts',
];

/** Set by SurveyJS where the form is narrower than 600 px. */
const narrow = ['sd-root-modern--mobile', 'sd-question--mobile', 'sd-selectbase--mobile'];
const widths = { narrow: '@media (width < 600px)', wide: '@media (width >= 600px)' };

/** Selectors of the same weight for classes that SurveyJS sets by what is chosen. */
const states: Readonly<Record<string, string>> = {
  'sd-item--checked': ':where(.sd-item):has(:checked)',
  'sd-radio--checked': ':where(.sd-radio):has(:checked)',
  'sd-checkbox--checked': ':where(.sd-checkbox):has(:checked)',
  'sd-item--allowhover': '.sd-item:where(:not(:has(:checked)))',
  'sd-radio--allowhover': '.sd-radio:where(:not(:has(:checked)))',
  'sd-checkbox--allowhover': '.sd-checkbox:where(:not(:has(:checked)))',
  'sd-dropdown--empty': ':where(.sd-dropdown):has([value=""]:checked)',
};

/** One rule or group of rules; `body` is null for statements such as `@import`. */
interface Block {
  readonly head: string;
  readonly body: string | null;
}

/** Where what begins at `start` ends: at one of `stops` outside strings and brackets. */
function findEnd(css: string, start: number, stops: string): number {
  let depth = 0;
  for (let at = start; at < css.length; at += 1) {
    const character = css.charAt(at);
    if (character === '"' || character === "'") {
      at = css.indexOf(character, at + 1);
      if (at < 0) return css.length;
    } else if (depth === 0 && stops.includes(character)) return at;
    else if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
  }
  return css.length;
}

function* blocksOf(css: string): Generator<Block> {
  for (let start = 0; start < css.length; ) {
    const headEnd = findEnd(css, start, '{;');
    const head = css.slice(start, headEnd).trim();
    if (css.charAt(headEnd) !== '{') {
      start = headEnd + 1;
      continue;
    }
    const end = findEnd(css, headEnd + 1, '}');
    yield { head, body: css.slice(headEnd + 1, end) };
    start = end + 1;
  }
}

function listOf(selectors: string): string[] {
  const list: string[] = [];
  for (let start = 0; start < selectors.length; ) {
    const end = findEnd(selectors, start, ',');
    list.push(selectors.slice(start, end).trim());
    start = end + 1;
  }
  return list;
}

/** The same selector for the page itself, with the width at which it holds; null when nothing on the page matches it. */
function translate(selector: string, known: ReadonlySet<string>): { width: string; selector: string } | null {
  const positive = selector.replace(/:not\([^)]*\)/g, '');
  const classes = [...positive.matchAll(/\.(-?[\w-]+)/g)].map(([, name = '']) => name);
  const others = classes.filter((name) => !narrow.includes(name) && !(name in states));
  // Every class of a state stands for an element that the page has; elements of other kinds never come.
  if (others.some((name) => !known.has(name)) || /\btable\b|\btd\b|\btr\b/.test(positive)) return null;
  const isNarrow = classes.some((name) => narrow.includes(name));
  const isWide = narrow.some((name) => selector.includes(`:not(.${name})`));
  const width = isNarrow ? widths.narrow : isWide ? widths.wide : '';
  const translated = selector.replace(/\.(-?[\w-]+)/g, (written, name: string) => {
    if (name === 'sd-root-modern--mobile') return '.sd-root-modern';
    if (name === 'sd-question--mobile') return '.sd-question';
    if (name === 'sd-selectbase--mobile') return '.sd-selectbase';
    return states[name] ?? written;
  });
  return {
    width,
    selector: isWide ? translated.replace(/:not\(\.sd-(?:question|root-modern)\)/g, '') : translated,
  };
}

function filterRules(css: string, known: ReadonlySet<string>): string {
  const kept: string[] = [];
  for (const { head, body } of blocksOf(css)) {
    if (body === null) continue;
    if (head.startsWith('@keyframes')) kept.push(`${head}{${body}}`);
    else if (head.startsWith('@')) {
      const inside = filterRules(body, known);
      if (inside !== '' && !head.startsWith('@-moz')) kept.push(`${head}{${inside}}`);
    } else {
      const found = listOf(head).flatMap((selector) => translate(selector, known) ?? []);
      for (const width of new Set(found.map((one) => one.width))) {
        const selectors = found.filter((one) => one.width === width).map((one) => one.selector);
        const rule = `${selectors.join(',')}{${body}}`;
        kept.push(width === '' ? rule : `${width}{${rule}}`);
      }
    }
  }
  return kept.join('\n');
}

/** Leaves out animations that no rule names. */
function withoutUnusedKeyframes(css: string): string {
  const rules = [...blocksOf(css)];
  const used = rules
    .filter(({ head }) => !head.startsWith('@keyframes'))
    .map(({ body }) => body)
    .join();
  return rules
    .filter(
      ({ head }) => !head.startsWith('@keyframes') || used.includes(head.replace('@keyframes', '').trim()),
    )
    .map(({ head, body }) => `${head}{${body}}`)
    .join('\n');
}

/** The sheet of plain forms. @param survey SurveyJS's own */
export async function plainStyles(survey: string): Promise<string> {
  const known = new Set<string>();
  for (const source of sources) {
    const text = await readFile(new URL(source, import.meta.url), 'utf8');
    for (const [name] of text.matchAll(/\bs[dv]-[\w-]+/g)) known.add(name);
  }
  const [licence = ''] = /^\/\*![\s\S]*?\*\//.exec(survey) ?? [];
  const rules = survey.replace(/\/\*[\s\S]*?\*\//g, '');
  return `${licence}\n${withoutUnusedKeyframes(filterRules(rules, known))}`;
}
