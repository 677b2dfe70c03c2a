import { isRecord } from '../page-data.ts';

/** Thrown for anything that a plain form does not support; SurveyJS then shows the form. */
export class NotPlain extends Error {}

/** Chooses a text in the page's language, as SurveyJS does among translations. */
function chooseText(value: unknown, locale: string): string {
  if (typeof value === 'string') return value;
  if (!isRecord(value)) throw new NotPlain();
  const [primary = ''] = locale.split('-');
  const locales = locale === 'en' ? ['default', 'en'] : [locale, primary, 'default'];
  const [text] = locales.map((name) => value[name]).filter((found) => found !== undefined && found !== '');
  if (text !== undefined && typeof text !== 'string') throw new NotPlain();
  return text ?? '';
}

/**
 * The members of an object in a definition, read one by one. If any are left unread, the form is not plain: SurveyJS
 * would have used that setting.
 */
export class Members {
  readonly #left: Map<string, unknown>;
  readonly #locale: string;

  /** @throws NotPlain if it is not an object. */
  constructor(value: unknown, locale: string) {
    if (!isRecord(value)) throw new NotPlain();
    this.#left = new Map(Object.entries(value).filter(([, member]) => member !== undefined));
    this.#locale = locale;
  }

  /** Returns a nested object. @throws NotPlain. */
  inside(value: unknown): Members {
    return new Members(value, this.#locale);
  }

  /** Returns a member as it is; undefined if it is missing. */
  take(name: string): unknown {
    const value = this.#left.get(name);
    this.#left.delete(name);
    return value;
  }

  /** Returns a visible text; empty if it is missing. A text with placeholders for answers (`{name}`) is not plain. */
  text(name: string): string {
    const value = this.take(name);
    if (value === undefined) return '';
    const text = chooseText(value, this.#locale);
    if (text.includes('{')) throw new NotPlain();
    return text;
  }

  /** Returns a name or pattern, which is never translated. */
  word(name: string): string | undefined {
    const value = this.take(name);
    if (value !== undefined && typeof value !== 'string') throw new NotPlain();
    return value;
  }

  /** Returns a numeric limit. */
  count(name: string): number | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !(value > 0)) throw new NotPlain();
    return value;
  }

  /** Returns true if a setting is on. */
  flag(name: string): boolean {
    const value = this.take(name);
    if (value !== undefined && typeof value !== 'boolean') throw new NotPlain();
    return value === true;
  }

  /** Accepts a setting only if its value equals the default. */
  allow(name: string, ...values: readonly unknown[]): void {
    const value = this.take(name);
    if (value !== undefined && !values.includes(value)) throw new NotPlain();
  }

  /** Returns the objects of a list that must not be empty. */
  list(name: string): Members[] {
    const value = this.take(name);
    if (!Array.isArray(value) || value.length === 0) throw new NotPlain();
    return value.map((item: unknown) => this.inside(item));
  }

  /** Returns the objects of a list that may be empty or missing. */
  optionalList(name: string): Members[] {
    const value = this.#left.get(name);
    const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
    if (!isEmpty) return this.list(name);
    this.#left.delete(name);
    return [];
  }

  /** @throws NotPlain if a member was not read. */
  end(): void {
    if (this.#left.size > 0) throw new NotPlain();
  }
}
