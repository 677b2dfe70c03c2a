/** Returns a text without U+0000 and lone surrogates, which PostgreSQL cannot store. */
export function storable(text: string): string {
  return text.replaceAll('\0', ' ').toWellFormed();
}
