/**
 * How a rendering thread hands over a text. What messages say alike is an object that all of them name, and a structured clone
 * writes an object once: a long text of the template crosses once for all messages of a reply.
 */

/** A text of the template itself. */
export interface SharedText {
  readonly text: string;
}

/** Texts that follow each other. */
export type TextParts = readonly (string | SharedText)[];

/** The parts as one text. V8 only notes them: the text is written when it is first read. */
export function joinParts(parts: TextParts): string {
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : part.text;
  return text;
}

/** How many characters cross for these parts alone. */
export function ownLength(parts: TextParts): number {
  return parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
}
