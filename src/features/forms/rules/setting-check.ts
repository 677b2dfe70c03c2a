import type { Issue } from '../../../errors/app-error.ts';
import { isObject, type Part } from './definition.ts';

/** What a form's own property may be. */
interface SettingRule {
  readonly accepts: (value: unknown) => boolean;
  readonly message: string;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const LOCAL_TEXT: SettingRule = {
  accepts: (value) => isText(value) || (isObject(value) && Object.values(value).every(isText)),
  message: 'must be a text',
};
const SIZE: SettingRule = {
  accepts: (value) => isText(value) || (typeof value === 'number' && value >= 0),
  message: 'must be a size: a number of pixels or a CSS length',
};
const oneOf = (...values: readonly unknown[]): SettingRule => ({
  accepts: (value) => values.includes(value),
  message: `must be one of ${values.filter(isText).join(', ')}`,
});

/** Those of document 3, `formBuilderOptions`; a text may be texts by locale. */
const RULES: Readonly<Record<string, SettingRule>> = {
  title: LOCAL_TEXT,
  description: LOCAL_TEXT,
  logo: LOCAL_TEXT,
  logoWidth: SIZE,
  logoHeight: SIZE,
  logoPosition: oneOf('none', 'left', 'right', 'top', 'bottom'),
  completedHtml: LOCAL_TEXT,
  // survey-core's newer spelling is a boolean beside `progressBarLocation`.
  showProgressBar: oneOf('top', 'bottom', 'both', 'none', true, false),
};

/** Lists the faults of a form's own properties, those of its pages and elements aside. Null counts as absent. */
export function findSettingFaults(form: Part, path: string): Issue[] {
  return Object.entries(RULES).flatMap(([property, { accepts, message }]) => {
    const value = form.read(property) ?? undefined;
    return value === undefined || accepts(value) ? [] : [{ field: `${path}.${property}`, message }];
  });
}
