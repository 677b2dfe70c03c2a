/** Tracks the HTML of a template piece by piece, to determine the context of a value written at its end. */
import { readTags } from '../../../../mail/html-tags.ts';

/** Context of a value: text, a quoted attribute, an unquoted one, or the query of a link's address. */
export type ValueContext = 'text' | 'quoted' | 'unquoted' | 'query';

/**
 * A place in an HTML text, as the shortest text that leads there. Empty between elements, `<style>` in a style sheet,
 * `<!--` in a comment, and the relevant start of a tag inside one. A branch begins where its block does.
 */
export type HtmlContext = string;

/** The beginning of a text. */
export const HTML_START: HtmlContext = '';
/** Within a style sheet. */
export const IN_STYLE: HtmlContext = '<style>';

/** Attributes whose value is an address. */
const ADDRESS_ATTRIBUTES = new Set(['href', 'src']);

/** Returns the place after `text`. */
export function afterText(context: HtmlContext, text: string): HtmlContext {
  const html = context + text;
  const { open } = readTags(html, () => false);
  if (open === null) return '';
  const { start, rawElement, tag, attribute } = open;
  if (rawElement !== undefined) return `<${rawElement}>`;
  if (tag === undefined) return /^<!(?:--)?/.exec(html.slice(start))?.[0] ?? html.slice(start);
  if (attribute === undefined) return `<${tag.name} ${html.slice(tag.attributesEnd).trimStart()}`;
  const { name, quote, valueStart } = attribute;
  return `<${tag.name} ${name}=${quote}${isQuery(html.slice(valueStart)) ? '?' : 'x'}`;
}

/** Returns the place after a value, which may begin an unquoted attribute. */
export function afterValue(context: HtmlContext): HtmlContext {
  return isText(context) ? context : afterText(context, 'x');
}

/** Returns the context of a value at this place. */
export function contextAt(context: HtmlContext): ValueContext {
  if (isText(context)) return 'text';
  const attribute = readTags(`${context}x`, () => false).open?.attribute;
  if (attribute === undefined) return 'unquoted';
  const { name, quote, valueStart } = attribute;
  if (ADDRESS_ATTRIBUTES.has(name) && isQuery(context.slice(valueStart))) return 'query';
  return quote === '' ? 'unquoted' : 'quoted';
}

function isText(context: HtmlContext): boolean {
  return context === '' || context === '<!--' || context.endsWith('>');
}

function isQuery(value: string): boolean {
  return /[?&]/.test(value);
}
