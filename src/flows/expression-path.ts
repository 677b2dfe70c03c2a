/**
 * Syntax of expression paths: `trigger.body.name`, `trigger.body["First Name"].items[0]`. A quoted key in brackets may
 * contain any characters (docs/specification/automations.md#expressions).
 */

/** The names of a path: `trigger`, `entity`, `amount`. */
export type Segments = readonly string[];

/** The longest text between the braces of an expression. */
export const MAX_EXPRESSION_CHARS = 500;

const QUOTED_KEY = String.raw`\[\s*(?:"(?:[^"\\]|\\.){0,500}"|'(?:[^'\\]|\\.){0,500}')`;
/** Braces end an expression, except inside a quoted key. */
const INSIDE = String.raw`[^{}[]*(?:(?:${QUOTED_KEY}|\[(?!\s*["']))[^{}[]*)*`;

/** Matches expressions in a text. */
export const EXPRESSION = new RegExp(String.raw`\{\{(${INSIDE})\}\}`, 'gs');
/**
 * Matches expressions that begin with `trigger` or `actions`; used with `split`, which returns them as every other
 * part.
 */
export const OWN_EXPRESSION = new RegExp(
  String.raw`\{\{\s*((?:urlencode\s+)?(?:trigger|actions)[.[]${INSIDE})\}\}`,
  's',
);

const ROOT = /[\p{L}\p{N}_$-]+/uy;
const PLAIN_KEY = /\.([\p{L}\p{N}_$-]+)/uy;
const BRACKETS = /\[\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(\d+))\s*\]/sy;
const ESCAPED = /\\(.)/gs;

/** Parses a path; returns null if the text is not a path. */
export function parsePath(text: string): Segments | null {
  ROOT.lastIndex = 0;
  const [root] = ROOT.exec(text) ?? [];
  if (root === undefined) return null;
  const segments = [root];
  let position = root.length;
  while (position < text.length) {
    const pattern = text[position] === '.' ? PLAIN_KEY : BRACKETS;
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match === null) return null;
    const [matched, first, second, index] = match;
    const key = first ?? second;
    segments.push(key === undefined ? (index ?? '') : key.replace(ESCAPED, '$1'));
    position += matched.length;
  }
  return segments;
}
