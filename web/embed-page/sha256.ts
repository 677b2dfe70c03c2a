/**
 * Synchronous SHA-256 (FIPS 180-4) of short texts. The browser's own is asynchronous, which costs more than the digest,
 * and is available only over https.
 */

/** Maximum length of a message that fits into one block with its padding and length. */
const maxBytes = 55;

const initial = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;

const constants = Int32Array.of(
  ...[0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5],
  ...[0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174],
  ...[0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da],
  ...[0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967],
  ...[0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85],
  ...[0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070],
  ...[0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3],
  ...[0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2],
);

const words = new Int32Array(64);

function rotateRight(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** Fills the first 16 words with text, padding and length, and computes the others from them. */
function schedule(text: string): void {
  words.fill(0, 0, 16);
  const put = (index: number, byte: number): void => {
    words[index >> 2] = (words[index >> 2] ?? 0) | (byte << (24 - (index & 3) * 8));
  };
  for (let index = 0; index < text.length; index += 1) put(index, text.charCodeAt(index) & 0x7f);
  put(text.length, 0x80);
  words[15] = text.length * 8;
  for (let index = 16; index < 64; index += 1) {
    const [early, late] = [words[index - 15] ?? 0, words[index - 2] ?? 0];
    const small = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
    const large = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] ?? 0) + small + (words[index - 7] ?? 0) + large;
  }
}

/**
 * Returns the first 32 bits of the digest of an ASCII text.
 *
 * @throws RangeError if the text has more than 55 characters
 */
export function digestStart(text: string): number {
  if (text.length > maxBytes) throw new RangeError(`A text of ${text.length} characters is too long.`);
  schedule(text);
  let [a, b, c, d, e, f, g, h]: [number, number, number, number, number, number, number, number] = [
    ...initial,
  ];
  for (let round = 0; round < 64; round += 1) {
    const sumE = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const chosen = (e & f) ^ (~e & g);
    const first = (h + sumE + chosen + (constants[round] ?? 0) + (words[round] ?? 0)) | 0;
    const sumA = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const major = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + sumA + major) | 0;
  }
  return (a + initial[0]) >>> 0;
}
