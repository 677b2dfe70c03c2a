/** What is wrong with an answer, and how it is said: to callers of the API in English, to visitors in their language. */

import type { Issue } from '../../../../errors/app-error.ts';
import { isObject, type JsonObject, type Part } from './definition.ts';
import { type SentenceCode, sentencesIn } from './sentences/index.ts';

/** A text of a form's owner: one for all, or one by locale. */
type LocalText = string | JsonObject;

/** One broken rule: what callers of the API read, with the sentence that says it to visitors, or the owner's own words. */
export type Fault =
  | {
      readonly message: string;
      readonly sentence: SentenceCode;
      /** What stands in the sentence's places. */
      readonly values: Readonly<Record<string, unknown>>;
    }
  | { readonly own: LocalText };

/** A fault and the path of the answer that has it; without one it refuses the answers as a whole. */
export interface FoundFault {
  readonly field?: string;
  readonly fault: Fault;
}

/** A fault of Tessera's own rules. */
export function fault(
  message: string,
  sentence: SentenceCode,
  values: Readonly<Record<string, unknown>> = {},
): Fault {
  return { message, sentence, values };
}

/** What is said of a text that should be an e-mail address. */
export const ADDRESS_FAULT = fault('must be an e-mail address', 'email');

/** The words that a form's owner gave a rule, undefined where there are none. */
export function ownFault(part: Part, property: string): Fault | undefined {
  const own = part.read(property);
  const isText = (text: unknown) => typeof text === 'string' && text !== '';
  if (typeof own === 'string') return isText(own) ? { own } : undefined;
  return isObject(own) && Object.values(own).some(isText) ? { own } : undefined;
}

/** Says a fault in a visitor's language; without `locale` as callers of the API read it. */
export function toIssue({ field, fault }: FoundFault, locale?: string): Issue {
  const message = 'own' in fault ? pick(fault.own, locale) : sayTo(fault, locale);
  return field === undefined ? { message } : { field, message };
}

/** As survey-core chooses: the locale, its language, else what stands for all others. */
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
