/**
 * Texts as a rendering thread transfers them. All messages reference the same object for a long text of the template,
 * and a structured clone copies an object once per reply.
 */

/** A text of the template itself. */
export interface SharedText {
  readonly text: string;
}

/** A sequence of texts. */
export type TextParts = readonly (string | SharedText)[];

/** Joins the parts. Cheap, because V8 builds the text lazily when it is first read. */
export function joinParts(parts: TextParts): string {
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : part.text;
  return text;
}

/** Returns the number of characters that these parts add to a transfer. */
export function ownLength(parts: TextParts): number {
  return parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
}
