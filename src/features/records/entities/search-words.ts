/**
 * ASCII characters that separate words, in addition to white space. PostgreSQL's parser treats `SKU-12345`, `foo.png`
 * and email addresses as single words, so a search would not find their parts.
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
