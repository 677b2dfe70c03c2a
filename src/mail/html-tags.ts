/**
 * Finds the tags of a message's HTML by position, so that unchanged parts stay byte for byte. Tags inside comments,
 * scripts, styles and other raw text are ignored. Conditional comments are read, because Outlook shows their content.
 * docs/decisions/0013-templates-are-not-compiled-to-code.md explains why this is not a library.
 */

/** An attribute: the position of its value in the text, quotes included, and the value without quotes. */
export interface TagAttribute {
  /** In lower case. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** A tag, comment or declaration. */
export interface HtmlTag {
  /** In lower case; an end tag starts with a slash; `!` for a comment or declaration. */
  readonly name: string;
  readonly start: number;
  /** Position after the `>`. */
  readonly end: number;
  readonly attributes: readonly TagAttribute[];
  /** Start tags only: true if the tag ends in a slash that is not part of a value. */
  readonly isSelfClosing?: boolean;
}

/** Markup that is unclosed where the text ends: a tag, a comment, a declaration or a raw element. */
export interface UnclosedMarkup {
  readonly start: number;
  readonly rawElement?: string;
  /** The unclosed start tag, if its name is complete, and the end of its last complete attribute. */
  readonly tag?: { readonly name: string; readonly attributesEnd: number };
  /** The attribute whose value is incomplete. */
  readonly attribute?: { readonly name: string; readonly quote: string; readonly valueStart: number };
}

// HTML tokenization knows ASCII white space only; \s would match more.
const TAG_NAME = /[a-z][^\t\n\f\r />]*/iy;
/** An attribute before its value: the name, whose first character may be `=`, the equals sign and the opening quote. */
const ATTRIBUTE = /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)[\t\n\f\r ]*(=[\t\n\f\r ]*(["']?))?/y;
const UNQUOTED = /[^\t\n\f\r >]*/y;
const CONDITION = /\[if[^\]>]*\]>/iy;
/** Elements whose content is text. */
const RAW_ELEMENTS = new Set(['script', 'style', 'textarea', 'title', 'xmp']);

/**
 * Reads the tags of a text from `from` on, in linear time.
 * @param isSelected selects the start tags whose attributes are returned.
 * @returns the tags in order, and the unclosed markup at the end of the text or null.
 */
export function readTags(
  html: string,
  isSelected: (name: string) => boolean,
  from = 0,
): { readonly tags: readonly HtmlTag[]; readonly open: UnclosedMarkup | null } {
  const tags: HtmlTag[] = [];
  for (let at = html.indexOf('<', from); at >= 0; at = html.indexOf('<', at)) {
    const read = readMarkup(html, at, isSelected);
    if (read === null) at += 1;
    else if (!('end' in read)) return { tags, open: read };
    else {
      tags.push(read);
      at = read.end;
      if (read.name === '!') for (const tag of tagsInComment(html, read, isSelected)) tags.push(tag);
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

/** Reads the markup that begins at a `<`; null if it is text. */
function readMarkup(
  html: string,
  start: number,
  isSelected: (name: string) => boolean,
): HtmlTag | UnclosedMarkup | null {
  const isEnd = html[start + 1] === '/';
  TAG_NAME.lastIndex = start + (isEnd ? 2 : 1);
  const name = TAG_NAME.exec(html)?.[0].toLowerCase();
  if (name !== undefined && !isEnd) return readStartTag(html, start, name, isSelected);
  if (start + 1 === html.length) return { start };
  if (!isEnd && html[start + 1] !== '!' && html[start + 1] !== '?') return null;
  // `<!-->` is a complete comment.
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
  isSelected: (name: string) => boolean,
): HtmlTag | UnclosedMarkup {
  const readsAttributes = isSelected(name);
  const attributes: TagAttribute[] = [];
  let at = start + 1 + name.length;
  if (at === html.length) return { start };
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(html);
    if (found === null) break;
    const [, rawName = '', assigned, quote = ''] = found;
    const attribute = { name: rawName.toLowerCase(), quote, valueStart: ATTRIBUTE.lastIndex };
    const { valueStart } = attribute;
    if (valueStart === html.length && quote === '') break;
    const valueEnd = assigned === undefined ? valueStart : endOfValue(html, valueStart, quote);
    if (valueEnd < 0) return { start, tag: { name, attributesEnd: at }, attribute };
    at = valueEnd + quote.length;
    if (!readsAttributes) continue;
    const value = html.slice(valueStart, valueEnd);
    attributes.push({ name: attribute.name, start: valueStart - quote.length, end: at, value });
  }
  const close = html.indexOf('>', at);
  return close < 0
    ? { start, tag: { name, attributesEnd: at } }
    : { name, start, end: close + 1, attributes, isSelfClosing: close > at && html[close - 1] === '/' };
}

/** Returns the end of a value; -1 if the value is incomplete. */
function endOfValue(html: string, start: number, quote: string): number {
  if (quote !== '') return html.indexOf(quote, start);
  UNQUOTED.lastIndex = start;
  UNQUOTED.exec(html);
  return UNQUOTED.lastIndex === html.length ? -1 : UNQUOTED.lastIndex;
}

/** Returns the tags in a conditional comment. */
function tagsInComment(
  html: string,
  { start, end }: HtmlTag,
  isSelected: (name: string) => boolean,
): readonly HtmlTag[] {
  CONDITION.lastIndex = start + 4;
  const isShown = html.startsWith('<!--', start) && CONDITION.test(html) && CONDITION.lastIndex < end - 3;
  return isShown ? readTags(html.slice(0, end - 3), isSelected, CONDITION.lastIndex).tags : [];
}
