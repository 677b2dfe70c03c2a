/** Words of the full-text search of records. */

/**
 * ASCII characters that separate words, besides blanks. PostgreSQL's parser keeps `SKU-12345`, `foo.png` and addresses as
 * words of their own, so their parts would not be found.
 */
export const WORD_SEPARATORS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

const SEPARATOR = new RegExp(`[\\s${WORD_SEPARATORS.replaceAll(/[\\\]^-]/g, '\\$&')}]+`);

/**
 * Returns the `tsquery` that matches texts with all words of a search, the last one as the beginning of a word. It
 * matches nothing if the search has no word.
 */
export function searchQuery(text: string): string {
  const words = text.split(SEPARATOR).filter((word) => word !== '');
  return words.length === 0 ? '' : `${words.map((word) => `'${word}'`).join(' & ')}:*`;
}
