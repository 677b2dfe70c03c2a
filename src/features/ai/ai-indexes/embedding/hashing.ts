/**
 * The built-in embedder, which needs no model. It compares texts by common words and parts of words
 * (docs/specification/ai.md#the-built-in-embedder). Each feature of a text adds its signed weight to one of 256
 * numbers, selected by its hash. Vectors are scaled to length 1, so that the product of two is the cosine of their
 * angle.
 */

import { setImmediate } from 'node:timers/promises';

/** Identifies vectors of this formula. A changed formula needs a new name. */
export const HASHING_MODEL = 'tessera-hashing-2';
const DIMENSIONS = 256;

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
/** Words of this many letters have full weight: short words mean little in most languages. */
const FULL_LENGTH = 6;
const PAIR_WEIGHT = 0.5;
const GRAM_WEIGHT = 0.4;
const GRAM_LENGTH = 3;
/** Maximum number of characters that are hashed. The vectors of longer texts would hardly differ. */
const MAX_CHARS = 100_000;
/** Vectors are sent to the database as text. A `real` keeps six digits. */
const DIGITS = 1e6;

/** Returns the vector of a text. Without letters and digits it is all zeros. */
export function hashText(text: string): number[] {
  const vector = new Float64Array(DIMENSIONS);
  featuresOf(text).forEach(({ weight, times }, hash) => {
    const slot = hash & (DIMENSIONS - 1);
    const value = times === 1 ? weight : weight * (1 + Math.log(times));
    // The sign uses a bit that does not select the dimension.
    vector[slot] = (vector[slot] ?? 0) + (hash & 0x8000_0000 ? -value : value);
  });
  let squares = 0;
  for (const value of vector) squares += value * value;
  const scale = squares === 0 ? 0 : DIGITS / Math.sqrt(squares);
  const numbers: number[] = [];
  for (const value of vector) numbers.push(Math.round(value * scale) / DIGITS);
  return numbers;
}

/** Returns the vectors of texts in order. Yields to the event loop in between. */
export async function hashTexts(texts: readonly string[]): Promise<number[][]> {
  const vectors: number[][] = [];
  let chars = 0;
  for (const text of texts) {
    vectors.push(hashText(text));
    chars += text.length;
    if (chars < MAX_CHARS) continue;
    await setImmediate();
    chars = 0;
  }
  return vectors;
}

/** A feature of a text: its weight and number of occurrences. */
interface Feature {
  readonly weight: number;
  times: number;
}

/** Returns words, pairs of neighbouring words and parts of words by their hashes. */
function featuresOf(text: string): Map<number, Feature> {
  // Cut before and after normalizing, because normalizing can make a text many times as long.
  const form = text.slice(0, MAX_CHARS).normalize('NFKC').toLowerCase().slice(0, MAX_CHARS);
  const words = form.match(WORDS) ?? [];
  const features = new Map<number, Feature>();
  const add = (hash: number, weight: number) => {
    const existing = features.get(hash);
    if (existing) existing.times += 1;
    else features.set(hash, { weight, times: 1 });
  };
  let previous = '';
  for (const word of words) {
    const weight = Math.min(1, word.length / FULL_LENGTH);
    add(hashOf('w', word), weight);
    if (previous !== '') add(hashOf('p', previous, ' ', word), PAIR_WEIGHT * weight);
    previous = word;
    const delimited = `^${word}$`;
    const gramWeight = (GRAM_WEIGHT * weight) / Math.sqrt(word.length);
    for (let from = 0; from + GRAM_LENGTH <= delimited.length; from += 1)
      add(finalizeHash(mix(mix(FNV_BASIS, 'g', 0, 1), delimited, from, from + GRAM_LENGTH)), gramWeight);
  }
  return features;
}

const FNV_BASIS = 0x811c_9dc5;

/** FNV-1a of the UTF-16 units of these parts, concatenated. */
function hashOf(...parts: readonly string[]): number {
  return finalizeHash(parts.reduce((hash, part) => mix(hash, part, 0, part.length), FNV_BASIS));
}

function mix(hash: number, text: string, from: number, to: number): number {
  let mixed = hash;
  for (let index = from; index < to; index += 1)
    mixed = Math.imul(mixed ^ text.charCodeAt(index), 0x0100_0193);
  return mixed;
}

/** Mixes all bits, like the last step of MurmurHash3. */
function finalizeHash(hash: number): number {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2_ae35);
  // Signed, because small integers are faster keys.
  return second ^ (second >>> 16);
}
