/** Suggestions for misspelled names. */

/** Longer names get no suggestion: comparing them would cost more than it helps. */
const MAX_LENGTH = 64;

/** Returns the known name that is most like `name`, or null if none is close. Case and punctuation do not count. */
export function nearestName(name: string, known: Iterable<string>): string | null {
  if (name.length > MAX_LENGTH) return null;
  const normalized = normalize(name);
  let nearest: string | null = null;
  let minDistance = maxDistance(normalized) + 1;
  for (const each of known) {
    const candidate = normalize(each);
    if (Math.abs(candidate.length - normalized.length) >= minDistance) continue;
    const distance = editDistance(normalized, candidate);
    if (distance < minDistance) {
      nearest = each;
      minDistance = distance;
    }
  }
  return nearest;
}

/** The largest distance at which two names are still close. */
function maxDistance({ length }: string): number {
  return length < 3 ? 0 : Math.max(1, Math.floor(length / 3));
}

function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Returns the number of letters to insert, delete, replace or swap with their neighbor. */
function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, other.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
