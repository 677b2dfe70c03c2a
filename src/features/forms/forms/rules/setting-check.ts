import type { Issue } from '../../../../errors/app-error.ts';
import { isObject, type Part } from './definition.ts';

/** Accepts the value of a property, with the message for other values. */
type SettingRule = readonly [accepts: (value: unknown) => boolean, message: string];

const isText = (value: unknown): boolean => typeof value === 'string';
const LOCAL_TEXT: SettingRule = [
  (value) => isText(value) || (isObject(value) && Object.values(value).every(isText)),
  'must be a text',
];
const SIZE: SettingRule = [
  (value) => isText(value) || (typeof value === 'number' && value >= 0),
  'must be a size: a number of pixels or a CSS length',
];
const oneOf = (...values: readonly unknown[]): SettingRule => [
  (value) => values.includes(value),
  `must be one of ${values.filter(isText).join(', ')}`,
];

/**
 * Rules for properties of a definition (docs/specification/forms.md#form-definition). A text may also be texts by
 * locale.
 */
const RULES: Readonly<Record<string, SettingRule>> = {
  title: LOCAL_TEXT,
  description: LOCAL_TEXT,
  logo: LOCAL_TEXT,
  logoWidth: SIZE,
  logoHeight: SIZE,
  logoPosition: oneOf('none', 'left', 'right', 'top', 'bottom'),
  completedHtml: LOCAL_TEXT,
  // survey-core's newer spelling is a boolean together with `progressBarLocation`.
  showProgressBar: oneOf('top', 'bottom', 'both', 'none', true, false),
};

/** Lists the issues of a form's own properties, without those of pages and elements. Null counts as missing. */
export function findSettingFaults(form: Part, path: string): Issue[] {
  return Object.entries(RULES).flatMap(([property, [accepts, message]]) => {
    const value = form.read(property) ?? undefined;
    return value === undefined || accepts(value) ? [] : [{ field: `${path}.${property}`, message }];
  });
}
