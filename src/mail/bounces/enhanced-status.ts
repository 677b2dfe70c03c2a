/** Excludes longer numbers: `5.1.1.200` is an IP address. */
const ENHANCED_STATUS = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/;

/** Returns the first enhanced status (RFC 3463) of class 4 or 5 in a text, `5.1.1`; null without one. */
export function enhancedStatusIn(text: string): string | null {
  return ENHANCED_STATUS.exec(text)?.[0] ?? null;
}
