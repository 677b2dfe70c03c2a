import { arabic } from './arabic.ts';
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import { japanese } from './japanese.ts';
import { polish } from './polish.ts';
import { portuguese } from './portuguese.ts';
import { spanish } from './spanish.ts';

/** Names what is said to a visitor of a broken rule; several rules may share a sentence. */
export type SentenceCode = keyof typeof english;

/** One language's sentences. `{limit}` and the like stand for what a form asks. */
export type Sentences = Readonly<Record<SentenceCode, string>>;

/** By primary language subtag (RFC 5646). */
export const languages: ReadonlyMap<string, Sentences> = new Map([
  ['ar', arabic],
  ['de', german],
  ['en', english],
  ['es', spanish],
  ['fr', french],
  ['it', italian],
  ['ja', japanese],
  ['nl', dutch],
  ['pl', polish],
  ['pt', portuguese],
]);

/** The sentences of a locale and the language they are in, which is English where there is no translation. */
export function sentencesIn(locale: string): { readonly language: string; readonly sentences: Sentences } {
  const [primary = ''] = locale.toLowerCase().split('-');
  const sentences = languages.get(primary);
  return sentences === undefined ? { language: 'en', sentences: english } : { language: primary, sentences };
}
