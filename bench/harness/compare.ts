/** Measures Tessera and its limit in alternating rounds, so that other load on the machine affects both. */

import type { Measured } from './load.ts';

/** One comparison of Tessera with its limit. */
export interface Comparison {
  /** Start of the printed line: `reads, one form (server)`. */
  readonly name: string;
  /** Description of the limit. */
  readonly against: string;
  /** Minimum ratio of Tessera to the limit; 0 for none. */
  readonly aim: number;
  /** `limit` and `tessera` each run one round. */
  readonly limit: () => Promise<Measured>;
  readonly tessera: () => Promise<Measured>;
}

const ROUNDS = 5;
/** Maximum spread of the rounds' ratios. Beyond it, other load has disturbed them, and they are repeated once. */
const TOLERANCE = 1.25;

/** Measures in alternating rounds after a warm-up and prints one line. Returns true if the aim was reached. */
export async function compare(comparison: Comparison): Promise<boolean> {
  await comparison.limit();
  await comparison.tessera();
  let rounds = await measure(comparison);
  let note = '';
  if (spread(rounds) > TOLERANCE) {
    const first = ratios(rounds).join(' ');
    rounds = await measure(comparison);
    note = `; repeated, the first rounds disagreed (${first})`;
    if (spread(rounds) > TOLERANCE) note += ', and these disagree too';
  }
  const ratio = median(rounds.map(ratioOf));
  const isReached = ratio >= comparison.aim;
  const pairs = rounds
    .map(({ limit, tessera }) => `${tessera.rate.toFixed(0)}/${limit.rate.toFixed(0)}`)
    .join(' ');
  console.log(
    `${comparison.name}: ${ratio.toFixed(2)} of ${comparison.against}${aimNote(comparison.aim, isReached)}; ` +
      `rounds ${ratios(rounds).join(' ')}; per second ${pairs}${cpuOf(rounds)}${note}`,
  );
  return isReached;
}

function aimNote(aim: number, isReached: boolean): string {
  return aim === 0 ? '' : ` (aim ${aim}${isReached ? '' : ', MISSED'})`;
}

interface Round {
  readonly limit: Measured;
  readonly tessera: Measured;
}

async function measure(comparison: Comparison): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let index = 0; index < ROUNDS; index += 1)
    rounds.push({ limit: await comparison.limit(), tessera: await comparison.tessera() });
  return rounds;
}

function ratioOf({ limit, tessera }: Round): number {
  return tessera.rate / limit.rate;
}

/** Medians of the servers' processor time, which other load on the machine hardly affects. */
function cpuOf(rounds: readonly Round[]): string {
  const own = rounds.flatMap(({ tessera }) => tessera.cpuMicros ?? []);
  const limits = rounds.flatMap(({ limit }) => limit.cpuMicros ?? []);
  if (own.length === 0 || limits.length === 0) return '';
  return `; server CPU per request ${median(own).toFixed(0)}/${median(limits).toFixed(0)} us`;
}

function ratios(rounds: readonly Round[]): string[] {
  return rounds.map((round) => ratioOf(round).toFixed(2));
}

function spread(rounds: readonly Round[]): number {
  const all = rounds.map(ratioOf);
  return Math.max(...all) / Math.min(...all);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
