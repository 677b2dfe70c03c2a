/**
 * Finds start tags in the HTML of a message as a browser would (HTML, tokenization): not in comments, scripts, styles
 * and other raw text. Conditional comments for Outlook are the exception: what they hold is shown there, so their
 * links are links. One pass, linear, positions only; nothing is ever written anew that is not changed.
 */

/** An attribute: where its value stands in the text, quotes included, and the value without them. */
export interface TagAttribute {
  /** In lower case. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** A start or end tag. */
export interface HtmlTag {
  /** In lower case. */
  readonly name: string;
  readonly isEnd: boolean;
  readonly start: number;
  /** After its `>`. */
  readonly end: number;
  readonly attributes: readonly TagAttribute[];
}

const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);
const TAG_NAME = /[^\s/>]+/y;
/** A name (which may begin with `=`), and perhaps a value: quoted, or up to a space or `>`. */
const ATTRIBUTE = /[\s/]*([^\s/>][^\s/>=]*)(\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)|(?=>)))?/y;
/** What follows a name whose value never ends: the rest of the text is that value. */
const ASSIGNMENT = /\s*=/y;
const CONDITION = /<!--\[if[^\]>]*\]>/iy;

/** The tags of `html` in their order; only those named by `wanted` have their attributes read. */
export function* findTags(html: string, wanted: (name: string) => boolean): Generator<HtmlTag> {
  let at = html.indexOf('<');
  while (at >= 0) {
    const next = html.charCodeAt(at + 1);
    const isEnd = next === 0x2f;
    if (isLetter(isEnd ? html.charCodeAt(at + 2) : next)) {
      const tag = readTag(html, at, isEnd, wanted);
      if (tag === null) return;
      yield tag;
      const isRaw = !isEnd && RAW_TEXT.has(tag.name);
      at = html.indexOf('<', isRaw ? endOfRawText(html, tag) : tag.end);
    } else {
      at = html.indexOf('<', next === 0x21 || next === 0x3f || isEnd ? endOfMarkup(html, at) : at + 1);
    }
  }
}

/** Null for a tag that the text ends in. */
function readTag(
  html: string,
  start: number,
  isEnd: boolean,
  wanted: (name: string) => boolean,
): HtmlTag | null {
  TAG_NAME.lastIndex = start + (isEnd ? 2 : 1);
  const name = (TAG_NAME.exec(html)?.[0] ?? '').toLowerCase();
  const attributes: TagAttribute[] = [];
  const keep = !isEnd && wanted(name);
  let at = start + (isEnd ? 2 : 1) + name.length;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(html);
    if (found === null) break;
    at += found[0].length;
    const [, attribute = '', assigned, double, single, bare] = found;
    if (assigned === undefined && isAssigned(html, at)) return null;
    if (!keep) continue;
    const value = double ?? single ?? bare ?? '';
    const quotes = double === undefined && single === undefined ? 0 : 2;
    attributes.push({ name: attribute.toLowerCase(), start: at - value.length - quotes, end: at, value });
  }
  const close = html.indexOf('>', at);
  return close < 0 ? null : { name, isEnd, start, end: close + 1, attributes };
}

function isAssigned(html: string, at: number): boolean {
  ASSIGNMENT.lastIndex = at;
  return ASSIGNMENT.test(html);
}

function endOfRawText(html: string, { name, end }: HtmlTag): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  closing.lastIndex = end;
  return closing.exec(html)?.index ?? html.length;
}

/** After a comment, a declaration or a bogus comment; a conditional comment is only opened. */
function endOfMarkup(html: string, at: number): number {
  if (html.startsWith('<!--', at)) {
    CONDITION.lastIndex = at;
    if (CONDITION.test(html)) return CONDITION.lastIndex;
    if (html.startsWith('>', at + 4)) return at + 5;
    if (html.startsWith('->', at + 4)) return at + 6;
    const end = /--!?>/g;
    end.lastIndex = at + 4;
    const found = end.exec(html);
    return found === null ? html.length : found.index + found[0].length;
  }
  const end = html.indexOf('>', at);
  return end < 0 ? html.length : end + 1;
}

/** ASCII letters begin a tag's name. */
function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
