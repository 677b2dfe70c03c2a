/** Follows the HTML of a template, which comes in pieces, to know what a value written at its end would be part of. */
import { TagReader } from '../../../mail/html-tags.ts';

/** Where a value would stand: text, a quoted attribute, an unquoted one, or the query of a link's address. */
export type ValueContext = 'text' | 'quoted' | 'unquoted' | 'query';

/**
 * A place in an HTML text: the shortest text that leads there. Empty between elements, `<style>` in a style sheet,
 * `<!--` in a comment, and the tag as far as it matters in a tag. A branch begins where its block does.
 */
export type HtmlPlace = string;

/** The beginning of a text. */
export const HTML_START: HtmlPlace = '';
/** Within a style sheet. */
export const IN_STYLE: HtmlPlace = '<style>';

/** Attributes whose value is an address. */
const ADDRESS_ATTRIBUTES = new Set(['href', 'src']);

/** The place after `text`. */
export function afterText(place: HtmlPlace, text: string): HtmlPlace {
  const html = place + text;
  const { rawElement, unfinished, name, attributesEnd, attribute, valueStart } = read(html);
  if (rawElement !== '') return `<${rawElement}>`;
  const tail = html.slice(unfinished);
  if (tail.startsWith('<!')) return tail.startsWith('<!--') ? '<!--' : '<!';
  if (name === '') return tail;
  if (valueStart === null) return `<${name}${html.slice(attributesEnd)}`;
  const value = html.slice(valueStart);
  return `<${name} ${attribute}=${quoteBefore(html, valueStart)}${isQuery(value) ? '?' : 'x'}`;
}

/** The place after a value: one that begins an unquoted attribute is in it. */
export function afterValue(place: HtmlPlace): HtmlPlace {
  return isText(place) ? place : afterText(place, 'x');
}

/** What a value at this place is part of. */
export function contextAt(place: HtmlPlace): ValueContext {
  if (isText(place)) return 'text';
  const { attribute, valueStart } = read(`${place}x`);
  if (valueStart === null) return 'unquoted';
  if (ADDRESS_ATTRIBUTES.has(attribute) && isQuery(place.slice(valueStart))) return 'query';
  return quoteBefore(place, valueStart) === '' ? 'unquoted' : 'quoted';
}

function read(html: string): TagReader {
  return new TagReader(html, () => true);
}

function isText(place: HtmlPlace): boolean {
  return place === '' || place === '<!--' || place.endsWith('>');
}

function isQuery(value: string): boolean {
  return /[?&]/.test(value);
}

function quoteBefore(html: string, valueStart: number): string {
  const before = html[valueStart - 1];
  return before === '"' || before === "'" ? before : '';
}
