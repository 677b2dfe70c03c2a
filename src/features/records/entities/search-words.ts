/**
 * ASCII characters that separate words, in addition to white space. PostgreSQL's parser treats `SKU-12345`, `foo.png`
 * and email addresses as single words, so a search would not find their parts.
 */
export const WORD_SEPARATORS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

const SEPARATOR = new RegExp(`[\\s${WORD_SEPARATORS.replaceAll(/[\\\]^-]/g, '\\$&')}]+`);

/** Matches the places in a word between a letter and a digit. */
const LETTER_AND_DIGIT = /(?<=\p{L})(?=[0-9])|(?<=[0-9])(?=\p{L})/u;

/**
 * Returns the `tsquery` that matches texts with all words of a search, the last one as the beginning of a word.
 * `SKU123` also matches the parts `SKU` and `123` next to each other. It matches nothing if the search has no word.
 */
export function searchQuery(text: string): string {
  const words = text.split(SEPARATOR).filter((word) => word !== '');
  return words.map((word, index) => wordQuery(word, index === words.length - 1 ? ':*' : '')).join(' & ');
}

function wordQuery(word: string, end: string): string {
  const parts = word.split(LETTER_AND_DIGIT).map((part) => `'${part}'`);
  return parts.length === 1 ? `'${word}'${end}` : `('${word}'${end} | ${parts.join(' <-> ')}${end})`;
}
