import { isRecord } from '../page-data.ts';

/** Thrown for whatever a plain form has no room for; the form is SurveyJS's to show then. */
export class NotPlain extends Error {}

/** A text in the page's language, as SurveyJS chooses among translations. */
function chooseText(value: unknown, locale: string): string {
  if (typeof value === 'string') return value;
  if (!isRecord(value)) throw new NotPlain();
  const [primary = ''] = locale.split('-');
  const named = locale === 'en' ? ['default', 'en'] : [locale, primary, 'default'];
  const [text] = named.map((name) => value[name]).filter((found) => found !== undefined && found !== '');
  if (text !== undefined && typeof text !== 'string') throw new NotPlain();
  return text ?? '';
}

/**
 * The members of one object of a definition, taken one by one. What nobody took in the end makes the form one that is not
 * plain, so that no setting is passed over which SurveyJS would follow.
 */
export class Members {
  readonly #left: Map<string, unknown>;
  readonly #locale: string;

  /** @throws NotPlain when it is no object */
  constructor(value: unknown, locale: string) {
    if (!isRecord(value)) throw new NotPlain();
    this.#left = new Map(Object.entries(value).filter(([, member]) => member !== undefined));
    this.#locale = locale;
  }

  /** The members of an object inside. @throws NotPlain */
  inside(value: unknown): Members {
    return new Members(value, this.#locale);
  }

  /** A member as it is; undefined when there is none. */
  take(name: string): unknown {
    const value = this.#left.get(name);
    this.#left.delete(name);
    return value;
  }

  /** A text that is shown; empty when there is none. What answers are put into (`{name}`) is not plain. */
  text(name: string): string {
    const value = this.take(name);
    if (value === undefined) return '';
    const text = chooseText(value, this.#locale);
    if (text.includes('{')) throw new NotPlain();
    return text;
  }

  /** A name or pattern, which is never translated. */
  word(name: string): string | undefined {
    const value = this.take(name);
    if (value !== undefined && typeof value !== 'string') throw new NotPlain();
    return value;
  }

  /** A number that bounds something. */
  count(name: string): number | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !(value > 0)) throw new NotPlain();
    return value;
  }

  /** Whether a setting is on. */
  flag(name: string): boolean {
    const value = this.take(name);
    if (value !== undefined && typeof value !== 'boolean') throw new NotPlain();
    return value === true;
  }

  /** A setting that may only say what holds without it. */
  allow(name: string, ...values: readonly unknown[]): void {
    const value = this.take(name);
    if (value !== undefined && !values.includes(value)) throw new NotPlain();
  }

  /** The objects of a list that has some. */
  list(name: string): Members[] {
    const value = this.take(name);
    if (!Array.isArray(value) || value.length === 0) throw new NotPlain();
    return value.map((item: unknown) => this.inside(item));
  }

  /** The objects of a list that may be empty or missing. */
  optionalList(name: string): Members[] {
    const value = this.#left.get(name);
    const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
    if (!isEmpty) return this.list(name);
    this.#left.delete(name);
    return [];
  }

  /** @throws NotPlain when there are members that nobody took */
  end(): void {
    if (this.#left.size > 0) throw new NotPlain();
  }
}
