import { readFile } from 'node:fs/promises';
import postcss, { type Rule } from 'postcss';
import parser, { type Selector } from 'postcss-selector-parser';

/**
 * Builds the style sheet of plain forms from SurveyJS's: the rules whose classes a plain form can have. Classes that
 * SurveyJS's script sets by width or selection become media queries and `:has(:checked)`, which need no script.
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

/** Classes that SurveyJS adds, in addition to the class without this suffix, if the form is narrower than 600 px. */
const narrow = /^(sd-root-modern|sd-question|sd-selectbase)--mobile$/;
const narrowWidth = '(width < 600px)';

/** Selectors of the same specificity for classes that SurveyJS sets by selection. */
const states: Readonly<Record<string, string>> = {
  'sd-item--checked': ':where(.sd-item):has(:checked)',
  'sd-radio--checked': ':where(.sd-radio):has(:checked)',
  'sd-checkbox--checked': ':where(.sd-checkbox):has(:checked)',
  'sd-item--allowhover': '.sd-item:where(:not(:has(:checked)))',
  'sd-radio--allowhover': '.sd-radio:where(:not(:has(:checked)))',
  'sd-checkbox--allowhover': '.sd-checkbox:where(:not(:has(:checked)))',
  'sd-dropdown--empty': ':where(.sd-dropdown):has([value=""]:checked)',
};

/** Rewrites a selector and returns its media query, or an empty text; null if a plain form cannot match it. */
function translate(selector: Selector, known: ReadonlySet<string>): string | null {
  let width = '';
  let isPossible = true;
  selector.walk((node) => {
    const group = node.parent?.parent;
    const isNegated = group?.type === 'pseudo' && group.value === ':not';
    if (node.type === 'tag') isPossible &&= isNegated || !absent.includes(node.value);
    if (node.type !== 'class') return;
    const state = states[node.value];
    if (state !== undefined) node.replaceWith(parser.string({ value: state }));
    else if (isNegated) return;
    else if (narrow.test(node.value)) {
      node.value = node.value.replace(narrow, '$1');
      width = narrowWidth;
    } else isPossible &&= known.has(node.value);
  });
  return isPossible ? width : null;
}

/** Replaces a rule by one rule per media query of its remaining selectors. */
function replaceRule(rule: Rule, known: ReadonlySet<string>): void {
  const selectors = parser().astSync(rule.selector).nodes;
  for (const [width, group] of Map.groupBy(selectors, (selector) => translate(selector, known))) {
    if (width === null) continue;
    const clone = rule.clone({ selector: group.join() });
    rule.before(width === '' ? clone : postcss.atRule({ name: 'media', params: width, nodes: [clone] }));
  }
  rule.remove();
}

/** Returns the style sheet of plain forms. @param survey SurveyJS's style sheet */
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
