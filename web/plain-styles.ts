import { readFile } from 'node:fs/promises';
import postcss, { type Rule } from 'postcss';
import parser, { type Selector } from 'postcss-selector-parser';

/**
 * Makes the sheet of plain forms of SurveyJS's: the rules whose classes a plain form can have at all. What SurveyJS says
 * by classes that its script sets, the sheet says by the state of the page itself, so that it holds before any script:
 * the width of the window and what is chosen.
 */

/** Files that contain the class names of plain forms. */
const sources = [
  '../src/features/forms/embed/plain-form/draw-field.ts',
  '../src/features/forms/embed/plain-form/draw-form.ts',
  './plain-form/closing.ts',
  './plain-form/errors.ts',
];

/** Elements that no plain form has. */
const absent = ['table', 'tr', 'td'];

/** Set by SurveyJS, next to the class without the ending, where the form is narrower than 600 px. */
const narrow = /^(sd-root-modern|sd-question|sd-selectbase)--mobile$/;
const narrowWidth = '(width < 600px)';

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

/** Rewrites a selector for the page itself and tells the width at which it holds; null when nothing on the page matches it. */
function translate(selector: Selector, known: ReadonlySet<string>): string | null {
  let width = '';
  let isPresent = true;
  selector.walk((node) => {
    const group = node.parent?.parent;
    const isNegated = group?.type === 'pseudo' && group.value === ':not';
    if (node.type === 'tag') isPresent &&= isNegated || !absent.includes(node.value);
    if (node.type !== 'class') return;
    const state = states[node.value];
    if (state !== undefined) node.replaceWith(parser.string({ value: state }));
    else if (isNegated) return;
    else if (narrow.test(node.value)) {
      node.value = node.value.replace(narrow, '$1');
      width = narrowWidth;
    } else isPresent &&= known.has(node.value);
  });
  return isPresent ? width : null;
}

/** Puts what is left of a rule in its place: one rule for each width at which some of its selectors hold. */
function replaceRule(rule: Rule, known: ReadonlySet<string>): void {
  const selectors = parser().astSync(rule.selector).nodes;
  for (const [width, group] of Map.groupBy(selectors, (selector) => translate(selector, known))) {
    if (width === null) continue;
    const kept = rule.clone({ selector: group.join() });
    rule.before(width === '' ? kept : postcss.atRule({ name: 'media', params: width, nodes: [kept] }));
  }
  rule.remove();
}

/** The sheet of plain forms. @param survey SurveyJS's own */
export async function plainStyles(survey: string): Promise<string> {
  const known = new Set<string>();
  for (const source of sources) {
    const text = await readFile(new URL(source, import.meta.url), 'utf8');
    for (const [name] of text.matchAll(/\bs[dv]-[\w-]+/g)) known.add(name);
  }
  const sheet = postcss.parse(survey);
  sheet.walkAtRules(/^-moz/, (rule) => void rule.remove());
  sheet.walkRules((rule) => replaceRule(rule, known));
  const animations: string[] = [];
  sheet.walkDecls(/^animation/, ({ value }) => void animations.push(value));
  sheet.walkAtRules('keyframes', (rule) => {
    if (!animations.join().includes(rule.params)) rule.remove();
  });
  return sheet.toString();
}
