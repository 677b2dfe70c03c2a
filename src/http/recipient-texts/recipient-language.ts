/** The language of pages and mail for recipients. */
import { acceptedLanguages, directionOf } from '../accepted-languages.ts';
import { type Html, type HtmlValue, html } from '../html.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en, type RecipientTexts } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';

/** A language with its texts. */
export interface RecipientLanguage {
  /** A language tag (RFC 5646), for a page's `lang`. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  readonly texts: RecipientTexts;
}

const TEXTS: ReadonlyMap<string, RecipientTexts> = new Map(
  Object.entries({ ar, de, en, es, fr, it, ja, nl, pl, pt }),
);
/** The tag length that software must support (RFC 5646, 4.4.1). */
const MAX_TAG = 35;

/**
 * Returns the most preferred language of `Accept-Language` that has texts, else that of the tenant's locale, else
 * English.
 */
export function recipientLanguage(accepted: string | undefined, locale = ''): RecipientLanguage {
  for (const tag of [...acceptedLanguages(accepted ?? ''), locale]) {
    const [primary = ''] = tag.toLowerCase().split('-');
    const texts = tag.length <= MAX_TAG && /^[\w-]+$/.test(tag) ? TEXTS.get(primary) : undefined;
    if (texts !== undefined) return { tag, direction: directionOf(primary), texts };
  }
  return { tag: 'en', direction: 'ltr', texts: en };
}

const PLACEHOLDER = /\{(\w+)\}/;

/** Fills the placeholders of a text. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Fills the placeholders of a text with HTML. */
export function fillHtml(text: string, values: Readonly<Record<string, HtmlValue>>): Html {
  // Every second piece is the name of a placeholder.
  const pieces = text
    .split(PLACEHOLDER)
    .map((piece, index) => (index % 2 === 0 ? piece : (values[piece] ?? null)));
  return html`${pieces}`;
}
