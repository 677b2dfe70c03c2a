/**
 * Reduces words of texts and questions to stems, so that `refunds` finds `refund`. A text is stemmed in its own
 * language. A question is too short to detect its language, so each word has its stems in every language.
 */
import { setImmediate } from 'node:timers/promises';
import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { FUNCTION_WORDS } from './function-words.ts';

/** The stems of a text with their counts, and its number of words. */
export interface WordCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Longest part of a text that is read, in characters. */
const MAX_CHARS = 100_000;
/** Words of a question that are searched for. */
const MAX_QUERY_WORDS = 24;
/** Longer words are cut, in characters. */
const MAX_WORD = 40;
/** Words from which the language of a text is detected. */
const SAMPLE_WORDS = 300;
/** The library has no stemmer for Polish. The last characters of a word are removed, but its first ones are kept. */
const POLISH_KEPT_CHARS = 4;
const POLISH_ENDING_CHARS = 3;

const WORDS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+|[^\P{L}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+(?:\p{M}|[^\P{L}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])*|\p{N}+/gu;
const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]/u;
const ONLY_HIRAGANA = /^\p{sc=Hiragana}+$/u;

/** A language for detection. */
interface TextLanguage {
  readonly functionWords: ReadonlySet<string>;
  readonly stem: (word: string) => string;
}

const ENGLISH: TextLanguage = { functionWords: FUNCTION_WORDS.en, stem: english };
const LANGUAGES: readonly TextLanguage[] = [
  ENGLISH,
  { functionWords: FUNCTION_WORDS.ar, stem: arabic },
  { functionWords: FUNCTION_WORDS.de, stem: german },
  { functionWords: FUNCTION_WORDS.es, stem: spanish },
  { functionWords: FUNCTION_WORDS.fr, stem: french },
  { functionWords: FUNCTION_WORDS.it, stem: italian },
  { functionWords: FUNCTION_WORDS.nl, stem: dutch },
  { functionWords: FUNCTION_WORDS.pl, stem: stemPolish },
  { functionWords: FUNCTION_WORDS.pt, stem: portuguese },
];

/** Returns the stems of a text. */
export function countWords(text: string): WordCounts {
  const found = wordsOf(text);
  const { functionWords, stem } = languageOf(found);
  const counts = new Map<string, number>();
  let length = 0;
  for (const word of found)
    for (const term of UNSPACED.test(word)
      ? pairsOf(word)
      : functionWords.has(word)
        ? []
        : [fold(stem(word))]) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
      length += 1;
    }
  return { counts, length };
}

/** Returns the stems of texts in order. Yields to the event loop in between. */
export async function countWordsOf(texts: readonly string[]): Promise<WordCounts[]> {
  const all: WordCounts[] = [];
  let chars = 0;
  for (const text of texts) {
    all.push(countWords(text));
    chars += text.length;
    if (chars < MAX_CHARS) continue;
    await setImmediate();
    chars = 0;
  }
  return all;
}

/** Returns the words of a question, each with its possible stems in a text. */
export function queryWords(text: string): readonly (readonly string[])[] {
  const all = new Map<string, readonly string[]>();
  for (const word of wordsOf(text)) {
    if (UNSPACED.test(word)) for (const pair of pairsOf(word)) all.set(pair, [pair]);
    else if (!LANGUAGES.some(({ functionWords }) => functionWords.has(word)))
      all.set(word, [...new Set(LANGUAGES.map(({ stem }) => fold(stem(word))))]);
  }
  return [...all.values()].slice(0, MAX_QUERY_WORDS);
}

function wordsOf(text: string): string[] {
  const form = text.slice(0, MAX_CHARS).normalize('NFKC').toLowerCase().slice(0, MAX_CHARS);
  return (form.match(WORDS) ?? []).map((word) => (UNSPACED.test(word) ? word : word.slice(0, MAX_WORD)));
}

/** Returns the language whose function words occur most often; English if none occurs. */
function languageOf(found: readonly string[]): TextLanguage {
  const sample = found.slice(0, SAMPLE_WORDS);
  let best = { language: ENGLISH, hits: 0 };
  for (const language of LANGUAGES) {
    const hits = sample.filter((word) => language.functionWords.has(word)).length;
    if (hits > best.hits) best = { language, hits };
  }
  return best.language;
}

function stemPolish(word: string): string {
  return word.slice(0, Math.max(POLISH_KEPT_CHARS, word.length - POLISH_ENDING_CHARS));
}

/** Returns pairs of neighbouring characters, as Japanese has no spaces. Pairs of Hiragana only are mostly endings. */
function pairsOf(word: string): string[] {
  const characters = [...word];
  const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  return pairs.length === 0 ? [word] : pairs.filter((pair) => !ONLY_HIRAGANA.test(pair));
}

/** Removes accents, which people omit in questions. */
function fold(stem: string): string {
  return stem.normalize('NFD').replace(/\p{M}/gu, '');
}
