/**
 * The functions that templates may call (docs/specification/templates.md#template-language). They throw
 * Errors that say what is wrong.
 */
import { formatDate } from './format-date.ts';
import { ownValue, toText } from './values.ts';

/** A function of templates: arguments are values of the data, literals or other calls. */
export interface TemplateFunction {
  /** The number of arguments it takes, without the optional one. */
  readonly arity: number;
  /** The name of an optional last argument, which may also be given by this name. */
  readonly optional?: string;
  readonly call: (args: readonly unknown[]) => unknown;
}

/** By name. A name without an entry is no function. */
export const TEMPLATE_FUNCTIONS: ReadonlyMap<string, TemplateFunction> = new Map<string, TemplateFunction>([
  [
    'formatDate',
    {
      arity: 2,
      optional: 'locale',
      call: ([value, format, locale]) => formatDate(value, format, locale),
    },
  ],
  ['uppercase', { arity: 1, call: ([value]) => toText(value).toUpperCase() }],
  ['lookup', { arity: 2, call: ([object, key]) => ownValue(object, toText(key)) }],
]);
