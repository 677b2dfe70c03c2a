/** A text from anywhere as PostgreSQL can hold it: without U+0000 and halves of characters. */
export function storable(text: string): string {
  return text.replaceAll('\0', ' ').toWellFormed();
}
