/**
 * Functions that templates may call (docs/specification/templates.md#template-language). Their Errors are readable by
 * users.
 */
import { formatDate } from './format-date.ts';
import { ownValue, toText } from './values.ts';

/** A function of templates: arguments are values of the data, literals or other calls. */
export interface TemplateFunction {
  /** Number of required arguments. */
  readonly arity: number;
  /** Name of an optional last argument, which may also be passed by name. */
  readonly optional?: string;
  readonly call: (args: readonly unknown[]) => unknown;
}

/** Template functions by name. */
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
