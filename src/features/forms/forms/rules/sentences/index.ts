import { arabic } from './arabic.ts';
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import { japanese } from './japanese.ts';
import { polish } from './polish.ts';
import { portuguese } from './portuguese.ts';
import type { Sentences } from './sentence-codes.ts';
import { spanish } from './spanish.ts';

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

/** Returns the messages for a locale and their language, which is English if there is no translation. */
export function sentencesIn(locale: string): { readonly language: string; readonly sentences: Sentences } {
  const [primary = ''] = locale.toLowerCase().split('-');
  const sentences = languages.get(primary);
  return sentences === undefined ? { language: 'en', sentences: english } : { language: primary, sentences };
}
