/**
 * The tags of a message's HTML: positions only, so that nothing is ever written anew that is not changed. What stands in
 * comments, scripts, styles and other raw text is no markup; conditional comments for Outlook are the exception, because
 * what they hold is shown there. docs/decisions/0013-templates-are-not-compiled-to-code.md tells why no library does it.
 */

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
  /** Of a start tag: whether it ends in a slash, which is no part of a value. */
  readonly isSelfClosing?: boolean;
}

/** What a text ends in the middle of: a tag, a comment, a declaration, a raw element. */
export interface OpenEnd {
  readonly start: number;
  readonly rawElement?: string;
  /** A start tag, as soon as its name is complete, and where the last of its finished attributes ends. */
  readonly tag?: { readonly name: string; readonly attributesEnd: number };
  /** The attribute whose value the text ends in. */
  readonly attribute?: { readonly name: string; readonly quote: string; readonly valueStart: number };
}

// White space is ASCII's here (HTML, tokenization); \s would be more.
const TAG_NAME = /[a-z][^\t\n\f\r />]*/iy;
/** A name, which may begin with `=`, and what stands before the text of its value. */
const ATTRIBUTE = /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)[\t\n\f\r ]*(=[\t\n\f\r ]*(["']?))?/y;
const UNQUOTED = /[^\t\n\f\r >]*/y;
const CONDITION = /\[if[^\]>]*\]>/iy;
/** Elements whose content is text. */
const RAW_ELEMENTS = new Set(['script', 'style', 'textarea', 'title', 'xmp']);

/**
 * Reads a text from `from` on, in linear time.
 * @param wanted names the start tags whose attributes are told.
 * @returns the tags in their order, and what the text ends in the middle of, or null.
 */
export function readTags(
  html: string,
  wanted: (name: string) => boolean,
  from = 0,
): { readonly tags: readonly HtmlTag[]; readonly open: OpenEnd | null } {
  const tags: HtmlTag[] = [];
  for (let at = html.indexOf('<', from); at >= 0; at = html.indexOf('<', at)) {
    const read = readMarkup(html, at, wanted);
    if (read === null) at += 1;
    else if (!('end' in read)) return { tags, open: read };
    else {
      tags.push(read);
      at = read.end;
      if (read.name === '!') for (const tag of shownInComment(html, read, wanted)) tags.push(tag);
      else if (RAW_ELEMENTS.has(read.name) && !read.isSelfClosing) {
        const end = new RegExp(`</${read.name}(?=[\\t\\n\\f\\r />])`, 'gi');
        end.lastIndex = at;
        const close = end.exec(html);
        if (close === null) return { tags, open: { start: at, rawElement: read.name } };
        at = close.index;
      }
    }
  }
  return { tags, open: null };
}

/** What begins at a `<`; null when that is text. */
function readMarkup(
  html: string,
  start: number,
  wanted: (name: string) => boolean,
): HtmlTag | OpenEnd | null {
  const isEnd = html[start + 1] === '/';
  TAG_NAME.lastIndex = start + (isEnd ? 2 : 1);
  const name = TAG_NAME.exec(html)?.[0].toLowerCase();
  if (name !== undefined && !isEnd) return readStartTag(html, start, name, wanted);
  if (start + 1 === html.length) return { start };
  if (!isEnd && html[start + 1] !== '!' && html[start + 1] !== '?') return null;
  // The dashes that begin a comment may also end it.
  const isComment = html.startsWith('<!--', start);
  const last = isComment ? html.indexOf('-->', start + 2) : html.indexOf('>', start);
  if (last < 0) return { start };
  const end = last + (isComment ? 3 : 1);
  return { name: name === undefined ? '!' : `/${name}`, start, end, attributes: [] };
}

function readStartTag(
  html: string,
  start: number,
  name: string,
  wanted: (name: string) => boolean,
): HtmlTag | OpenEnd {
  const isWanted = wanted(name);
  const attributes: TagAttribute[] = [];
  let at = start + 1 + name.length;
  if (at === html.length) return { start };
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(html);
    if (found === null) break;
    const [, written = '', assigned, quote = ''] = found;
    const attribute = { name: written.toLowerCase(), quote, valueStart: ATTRIBUTE.lastIndex };
    const { valueStart } = attribute;
    if (valueStart === html.length && quote === '') break;
    const valueEnd = assigned === undefined ? valueStart : endOfValue(html, valueStart, quote);
    if (valueEnd < 0) return { start, tag: { name, attributesEnd: at }, attribute };
    at = valueEnd + quote.length;
    if (!isWanted) continue;
    const value = html.slice(valueStart, valueEnd);
    attributes.push({ name: attribute.name, start: valueStart - quote.length, end: at, value });
  }
  const close = html.indexOf('>', at);
  return close < 0
    ? { start, tag: { name, attributesEnd: at } }
    : { name, start, end: close + 1, attributes, isSelfClosing: close > at && html[close - 1] === '/' };
}

/** Where a value ends; -1 when the text ends before. */
function endOfValue(html: string, start: number, quote: string): number {
  if (quote !== '') return html.indexOf(quote, start);
  UNQUOTED.lastIndex = start;
  UNQUOTED.exec(html);
  return UNQUOTED.lastIndex === html.length ? -1 : UNQUOTED.lastIndex;
}

/** The tags in a conditional comment. */
function shownInComment(
  html: string,
  { start, end }: HtmlTag,
  wanted: (name: string) => boolean,
): readonly HtmlTag[] {
  CONDITION.lastIndex = start + 4;
  const isShown = html.startsWith('<!--', start) && CONDITION.test(html) && CONDITION.lastIndex < end - 3;
  return isShown ? readTags(html.slice(0, end - 3), wanted, CONDITION.lastIndex).tags : [];
}
