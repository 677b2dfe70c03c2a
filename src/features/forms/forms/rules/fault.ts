/** Faults of answers, and their messages: English for API callers, translated for visitors. */

import type { Issue } from '../../../../errors/app-error.ts';
import { isObject, type JsonObject, type Part } from './definition.ts';
import { visitorMessagesIn } from './visitor-messages/index.ts';
import type { MessageCode } from './visitor-messages/message-codes.ts';

/** A text of the form's owner: one for all locales, or one per locale. */
type OwnerText = string | JsonObject;

/**
 * A violated rule: an English message for API callers and a translated one for visitors, or the owner's text for both.
 */
export type Fault =
  | {
      readonly message: string;
      readonly code: MessageCode;
      /** Values for the placeholders of the translated message. */
      readonly values: Readonly<Record<string, unknown>>;
    }
  | { readonly custom: OwnerText };

/** A fault and the path of the answer. Without a path, the fault is about the answers as a whole. */
export interface FoundFault {
  readonly field?: string;
  readonly fault: Fault;
}

/** Creates a fault of one of Tessera's rules. */
export function fault(
  message: string,
  code: MessageCode,
  values: Readonly<Record<string, unknown>> = {},
): Fault {
  return { message, code, values };
}

/** Fault of an invalid email address. */
export const ADDRESS_FAULT = fault('must be a valid email address', 'email');

/** Returns the fault with the owner's own text for a rule; undefined if there is none. */
export function customFault(part: Part, property: string): Fault | undefined {
  const custom = part.read(property);
  const isText = (text: unknown) => typeof text === 'string' && text !== '';
  if (typeof custom === 'string') return isText(custom) ? { custom } : undefined;
  return isObject(custom) && Object.values(custom).some(isText) ? { custom } : undefined;
}

/** Converts a fault to an issue in a visitor's language; without `locale`, the API's English message. */
export function toIssue({ field, fault }: FoundFault, locale?: string): Issue {
  const message = 'custom' in fault ? chooseText(fault.custom, locale) : translate(fault, locale);
  return field === undefined ? { message } : { field, message };
}

/** Chooses like survey-core: the locale, its language, then the default. */
function chooseText(text: OwnerText, locale = 'default'): string {
  if (typeof text === 'string') return text;
  const [primary = ''] = locale.split('-');
  const candidates = [locale, primary, 'default', 'en', ...Object.keys(text)].map((name) => text[name]);
  return String(candidates.find((candidate) => typeof candidate === 'string' && candidate !== ''));
}

function translate(
  { message, code, values }: Extract<Fault, { code: unknown }>,
  locale: string | undefined,
): string {
  if (locale === undefined) return message;
  const { language, messages } = visitorMessagesIn(locale);
  return messages[code].replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? value.toLocaleString(language) : String(value);
  });
}
