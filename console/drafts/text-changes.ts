/** The words in which two texts differ. */

/** A piece of a text: in both texts, or only in the older or the newer one. */
export interface TextPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Tags, spaces, words and single characters. */
const TOKEN = /<[^>]*>|\s+|[\p{L}\p{N}_]+|./gsu;
/** Comparisons of tokens; beyond it, everything between the equal beginning and end counts as changed. */
const MAX_COMPARISONS = 1_000_000;

/** Returns the pieces of two texts in order: of a place that differs, first the older ones. */
export function textParts(before: string, after: string): TextPart[] {
  const [old, current] = [before.match(TOKEN) ?? [], after.match(TOKEN) ?? []];
  const start = countEqual(old, current);
  const end = countEqual(old.slice(start).reverse(), current.slice(start).reverse());
  const middle = [old.slice(start, old.length - end), current.slice(start, current.length - end)] as const;
  return joinParts([
    { kind: 'same', text: old.slice(0, start).join('') },
    ...compare(...middle),
    { kind: 'same', text: old.slice(old.length - end).join('') },
  ]);
}

/** Returns how many items at the beginning are equal. */
function countEqual(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((token, at) => token !== b[at]);
  return index === -1 ? a.length : index;
}

function compare(old: readonly string[], current: readonly string[]): TextPart[] {
  const lengths = commonLengths(old, current);
  if (lengths === null)
    return [
      { kind: 'removed', text: old.join('') },
      { kind: 'added', text: current.join('') },
    ];
  const width = current.length + 1;
  const parts: TextPart[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < current.length) {
    const [before, after] = [old[i], current[j]];
    if (before !== undefined && before === after) {
      parts.push({ kind: 'same', text: before });
      i += 1;
      j += 1;
    } else if (
      before !== undefined &&
      (after === undefined || (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      parts.push({ kind: 'removed', text: before });
      i += 1;
    } else {
      parts.push({ kind: 'added', text: after ?? '' });
      j += 1;
    }
  }
  return parts;
}

/** Returns the length of the longest common subsequence of each pair of ends; null if there are too many. */
function commonLengths(old: readonly string[], current: readonly string[]): Uint32Array | null {
  if (old.length * current.length > MAX_COMPARISONS) return null;
  const width = current.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = current.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        old[i] === current[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  return lengths;
}

/** Joins neighbours of one kind. Between two equal pieces, all removed ones come before the added ones. */
function joinParts(parts: readonly TextPart[]): TextPart[] {
  const joined: TextPart[] = [];
  let [removed, added] = ['', ''];
  const flush = () => {
    if (removed !== '') joined.push({ kind: 'removed', text: removed });
    if (added !== '') joined.push({ kind: 'added', text: added });
    [removed, added] = ['', ''];
  };
  for (const { kind, text } of parts) {
    if (text === '') continue;
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else {
      flush();
      const last = joined.at(-1);
      if (last?.kind === 'same') joined[joined.length - 1] = { kind, text: last.text + text };
      else joined.push({ kind, text });
    }
  }
  flush();
  return joined;
}
