import type { Issue } from '../../../../errors/app-error.ts';
import { isObject, type Part } from './definition.ts';

/** A check for the value of a property, and the message for values that fail it. */
type SettingRule = readonly [accepts: (value: unknown) => boolean, message: string];

const isText = (value: unknown): boolean => typeof value === 'string';
const LOCALIZED_TEXT: SettingRule = [
  (value) => isText(value) || (isObject(value) && Object.values(value).every(isText)),
  'must be a string, or an object of strings by locale',
];
const SIZE: SettingRule = [
  (value) => isText(value) || (typeof value === 'number' && value >= 0),
  'must be a size: a number of pixels or a CSS length',
];
const oneOf = (...values: readonly unknown[]): SettingRule => [
  (value) => values.includes(value),
  `must be one of ${values.filter(isText).join(', ')}`,
];

/** Rules for properties of a definition (docs/specification/forms.md#form-definition). */
const RULES: Readonly<Record<string, SettingRule>> = {
  title: LOCALIZED_TEXT,
  description: LOCALIZED_TEXT,
  logo: LOCALIZED_TEXT,
  logoWidth: SIZE,
  logoHeight: SIZE,
  logoPosition: oneOf('none', 'left', 'right', 'top', 'bottom'),
  completedHtml: LOCALIZED_TEXT,
  // survey-core's newer spelling is a boolean together with `progressBarLocation`.
  showProgressBar: oneOf('top', 'bottom', 'both', 'none', true, false),
};

/** Lists the issues of a form's top-level properties. Null counts as missing. */
export function findSettingFaults(form: Part, path: string): Issue[] {
  return Object.entries(RULES).flatMap(([property, [accepts, message]]) => {
    const value = form.read(property) ?? undefined;
    return value === undefined || accepts(value) ? [] : [{ field: `${path}.${property}`, message }];
  });
}
