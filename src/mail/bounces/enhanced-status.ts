/** Not a part of a longer number: `5.1.1.200` is a network address. */
const ENHANCED_STATUS = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/;

/** The first enhanced status (RFC 3463) of a refusal in a text, `5.1.1`; null when it has none. */
export function enhancedStatusIn(text: string): string | null {
  return ENHANCED_STATUS.exec(text)?.[0] ?? null;
}
