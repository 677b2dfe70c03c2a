import { isRecord } from '../page-data.ts';

/** Thrown for anything that a plain form does not support; SurveyJS then shows the form. */
export class NotPlainError extends Error {}

/** Chooses a text in the page's language, as SurveyJS does among translations. */
function chooseText(value: unknown, locale: string): string {
  if (typeof value === 'string') return value;
  if (!isRecord(value)) throw new NotPlainError();
  const [primary = ''] = locale.split('-');
  const locales = locale === 'en' ? ['default', 'en'] : [locale, primary, 'default'];
  const [text] = locales.map((name) => value[name]).filter((found) => found !== undefined && found !== '');
  if (text !== undefined && typeof text !== 'string') throw new NotPlainError();
  return text ?? '';
}

/**
 * The members of an object in a definition, read one by one. If any are left unread, the form is not plain: SurveyJS
 * would have used that setting.
 */
export class Members {
  readonly #unread: Map<string, unknown>;
  readonly #locale: string;

  /** @throws NotPlainError if it is not an object. */
  constructor(value: unknown, locale: string) {
    if (!isRecord(value)) throw new NotPlainError();
    this.#unread = new Map(Object.entries(value).filter(([, member]) => member !== undefined));
    this.#locale = locale;
  }

  /** Returns a nested object. @throws NotPlainError. */
  nested(value: unknown): Members {
    return new Members(value, this.#locale);
  }

  /** Returns a member unchanged and marks it as read; undefined if it is missing. */
  read(name: string): unknown {
    const value = this.#unread.get(name);
    this.#unread.delete(name);
    return value;
  }

  /** Returns a visible text; empty if it is missing. A text with placeholders for answers (`{name}`) is not plain. */
  text(name: string): string {
    const value = this.read(name);
    if (value === undefined) return '';
    const text = chooseText(value, this.#locale);
    if (text.includes('{')) throw new NotPlainError();
    return text;
  }

  /** Returns a string that is never translated, such as a name or pattern. */
  string(name: string): string | undefined {
    const value = this.read(name);
    if (value !== undefined && typeof value !== 'string') throw new NotPlainError();
    return value;
  }

  /** Returns a number above 0, such as a limit. */
  positive(name: string): number | undefined {
    const value = this.read(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !(value > 0)) throw new NotPlainError();
    return value;
  }

  /** Returns a boolean setting; false if it is missing. */
  flag(name: string): boolean {
    const value = this.read(name);
    if (value !== undefined && typeof value !== 'boolean') throw new NotPlainError();
    return value === true;
  }

  /** Accepts a setting only if it is missing or has one of these values. */
  allow(name: string, ...values: readonly unknown[]): void {
    const value = this.read(name);
    if (value !== undefined && !values.includes(value)) throw new NotPlainError();
  }

  /** Returns the objects of a list that must not be empty. */
  list(name: string): Members[] {
    const value = this.read(name);
    if (!Array.isArray(value) || value.length === 0) throw new NotPlainError();
    return value.map((item: unknown) => this.nested(item));
  }

  /** Returns the objects of a list that may be empty or missing. */
  optionalList(name: string): Members[] {
    const value = this.#unread.get(name);
    const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
    if (!isEmpty) return this.list(name);
    this.#unread.delete(name);
    return [];
  }

  /** @throws NotPlainError if a member was not read. */
  requireAllRead(): void {
    if (this.#unread.size > 0) throw new NotPlainError();
  }
}
