import type { Issue } from '../../../errors/app-error.ts';
import { isObject, type JsonObject, read } from './definition.ts';

/** What a form's own properties may be (document 3, `formBuilderOptions`). */
interface SettingRule {
  readonly accepts: (value: unknown) => boolean;
  readonly message: string;
}

const isText = (value: unknown): boolean => typeof value === 'string';
/** A text, or texts by locale. */
const isLocalText = (value: unknown): boolean =>
  isText(value) || (isObject(value) && Object.values(value).every(isText));
const isSize = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'number' && value >= 0);
const oneOf = (values: readonly unknown[]): SettingRule => ({
  accepts: (value) => values.includes(value),
  message: `must be one of ${values.filter(isText).join(', ')}`,
});

const LOCAL_TEXT: SettingRule = { accepts: isLocalText, message: 'must be a text' };
const SIZE: SettingRule = { accepts: isSize, message: 'must be a size: a number of pixels or a CSS length' };

const RULES: Readonly<Record<string, SettingRule>> = {
  title: LOCAL_TEXT,
  description: LOCAL_TEXT,
  logo: LOCAL_TEXT,
  logoWidth: SIZE,
  logoHeight: SIZE,
  logoPosition: oneOf(['none', 'left', 'right', 'top', 'bottom']),
  completedHtml: LOCAL_TEXT,
  // survey-core's newer spelling is a boolean beside `progressBarLocation`.
  showProgressBar: oneOf(['top', 'bottom', 'both', 'none', true, false]),
};

/** Lists the faults of a form's own properties, those of its pages and elements aside. Null counts as absent. */
export function findSettingFaults(definition: JsonObject, path: string): Issue[] {
  return Object.entries(RULES).flatMap(([property, { accepts, message }]) => {
    const value = read(definition, property);
    return value === undefined || value === null || accepts(value)
      ? []
      : [{ field: `${path}.${property}`, message }];
  });
}
