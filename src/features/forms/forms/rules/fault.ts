/** Faults of answers, and their messages: English for API callers, translated for visitors. */

import type { Issue } from '../../../../errors/app-error.ts';
import { isObject, type JsonObject, type Part } from './definition.ts';
import { sentencesIn } from './sentences/index.ts';
import type { SentenceCode } from './sentences/sentence-codes.ts';

/** A text of the form's owner: one for all locales, or one per locale. */
type LocalText = string | JsonObject;

/** A violated rule: the message for API callers, and the translated sentence or the owner's own text for visitors. */
export type Fault =
  | {
      readonly message: string;
      readonly sentence: SentenceCode;
      /** Values for the placeholders of the sentence. */
      readonly values: Readonly<Record<string, unknown>>;
    }
  | { readonly own: LocalText };

/** A fault and the path of the answer. Without a path it refuses the answers as a whole. */
export interface FoundFault {
  readonly field?: string;
  readonly fault: Fault;
}

/** Creates a fault of one of Tessera's rules. */
export function fault(
  message: string,
  sentence: SentenceCode,
  values: Readonly<Record<string, unknown>> = {},
): Fault {
  return { message, sentence, values };
}

/** Fault of an invalid email address. */
export const ADDRESS_FAULT = fault('must be a valid email address', 'email');

/** Returns the fault with the owner's own text for a rule; undefined if there is none. */
export function ownFault(part: Part, property: string): Fault | undefined {
  const own = part.read(property);
  const isText = (text: unknown) => typeof text === 'string' && text !== '';
  if (typeof own === 'string') return isText(own) ? { own } : undefined;
  return isObject(own) && Object.values(own).some(isText) ? { own } : undefined;
}

/** Converts a fault to an issue in a visitor's language; without `locale` in the wording of the API. */
export function toIssue({ field, fault }: FoundFault, locale?: string): Issue {
  const message = 'own' in fault ? pick(fault.own, locale) : sayTo(fault, locale);
  return field === undefined ? { message } : { field, message };
}

/** Chooses like survey-core: the locale, its language, then the default. */
function pick(own: LocalText, locale = 'default'): string {
  if (typeof own === 'string') return own;
  const [primary = ''] = locale.split('-');
  const texts = [locale, primary, 'default', 'en', ...Object.keys(own)].map((name) => own[name]);
  return String(texts.find((text) => typeof text === 'string' && text !== ''));
}

function sayTo(
  { message, sentence, values }: Extract<Fault, { sentence: unknown }>,
  locale: string | undefined,
): string {
  if (locale === undefined) return message;
  const { language, sentences } = sentencesIn(locale);
  return sentences[sentence].replace(/\{(\w+)\}/g, (_place, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? value.toLocaleString(language) : String(value);
  });
}
