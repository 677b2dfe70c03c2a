/**
 * The tags of a message's HTML, read by htmlparser2's tokenizer: positions only, so that nothing is ever written anew
 * that is not changed. What stands in comments, scripts, styles and other raw text is no markup; conditional comments
 * for Outlook are the exception, because what they hold is shown there.
 */
import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** An attribute: where its value stands in the text, quotes included, and the value without them. */
export interface TagAttribute {
  /** In lower case. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** A tag, comment or declaration. */
export interface HtmlTag {
  /** In lower case; with its slash when it is an end tag; `!` for a comment or declaration. */
  readonly name: string;
  readonly start: number;
  /** After its `>`. */
  readonly end: number;
  readonly attributes: readonly TagAttribute[];
}

/** The tags of `html` in their order, but one that the text ends in; only those named by `wanted` with attributes. */
export function findTags(html: string, wanted: (name: string) => boolean): readonly HtmlTag[] {
  return new TagReader(html, wanted).tags;
}

const CONDITION = /^\[if[^\]>]*\]>/i;
/** Elements whose content is text: those that the tokenizer knows. */
const RAW_ELEMENTS = new Set(['script', 'style', 'textarea', 'title', 'xmp']);

/** Reads a text from its beginning, and knows what is unfinished at its end. */
export class TagReader implements TokenizerCallbacks {
  readonly tags: HtmlTag[] = [];
  /** The raw element that is open at the end, or ''. */
  rawElement = '';
  /** Where what is unfinished begins: a tag, a comment, a declaration. */
  unfinished = 0;
  /** The start tag that is unfinished, or '', and where the last of its finished attributes ends. */
  name = '';
  attributesEnd = 0;
  /** The attribute that is being read, and where its value begins; null: it has none yet. */
  attribute = '';
  valueStart: number | null = null;
  readonly #html: string;
  readonly #offset: number;
  readonly #wanted: (name: string) => boolean;
  #isWanted = false;
  #attributes: TagAttribute[] = [];

  /** @param offset what is added to positions. */
  constructor(html: string, wanted: (name: string) => boolean, offset = 0) {
    this.#html = html;
    this.#wanted = wanted;
    this.#offset = offset;
    new Tokenizer({ decodeEntities: false }, this).write(html);
  }

  ontext(_start: number, end: number): void {
    this.unfinished = end;
  }

  onopentagname(start: number, end: number): void {
    this.name = this.#html.slice(start, end).toLowerCase();
    this.attributesEnd = end;
    this.#isWanted = this.#wanted(this.name);
    this.#attributes = [];
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.#isWanted ? this.#html.slice(start, end).toLowerCase() : '';
  }

  onattribdata(start: number): void {
    this.valueStart = start;
  }

  onattribend(quote: QuoteType, end: number): void {
    if (this.#isWanted && this.valueStart !== null) {
      const isQuoted = quote === QuoteType.Double || quote === QuoteType.Single;
      this.#attributes.push({
        name: this.attribute,
        start: this.valueStart - (isQuoted ? 1 : 0) + this.#offset,
        end: end + this.#offset,
        value: this.#html.slice(this.valueStart, isQuoted ? end - 1 : end),
      });
    } else if (this.#isWanted) this.#attributes.push({ name: this.attribute, start: end, end, value: '' });
    this.valueStart = null;
    this.attributesEnd = end;
  }

  onopentagend(end: number): void {
    if (RAW_ELEMENTS.has(this.name)) this.rawElement = this.name;
    this.#found(this.name, end + 1, this.#attributes);
    this.name = '';
  }

  onselfclosingtag(end: number): void {
    this.#found(this.name, end + 1, this.#attributes);
    this.name = '';
  }

  onclosetag(start: number, nameEnd: number): void {
    const end = this.#html.indexOf('>', nameEnd);
    this.rawElement = '';
    if (end >= 0) this.#found(`/${this.#html.slice(start, nameEnd).toLowerCase()}`, end + 1, []);
  }

  oncomment(start: number, end: number, endOffset: number): void {
    const content = this.#html.slice(start, end - endOffset);
    const condition = CONDITION.exec(content)?.[0];
    this.#found('!', end + 1, []);
    if (condition === undefined) return;
    const offset = this.#offset + start + condition.length;
    const shown = new TagReader(content.slice(condition.length), this.#wanted, offset);
    for (const tag of shown.tags) this.tags.push(tag);
  }

  oncdata(_start: number, end: number): void {
    this.#found('!', end + 1, []);
  }

  ondeclaration(_start: number, end: number): void {
    this.#found('!', end + 1, []);
  }

  onprocessinginstruction(_start: number, end: number): void {
    this.#found('!', end + 1, []);
  }

  onattribentity(): void {}

  ontextentity(): void {}

  onend(): void {}

  /** What is read follows what was read before without a gap. */
  #found(name: string, end: number, attributes: readonly TagAttribute[]): void {
    const start = this.unfinished + this.#offset;
    this.tags.push({ name, start, end: end + this.#offset, attributes });
    this.unfinished = end;
  }
}
