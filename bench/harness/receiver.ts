import { setTimeout as pause } from 'node:timers/promises';
import { type Child, startProgram } from './children.ts';

const POLL_MS = 100;
/** Time without a new delivery after which the receiver stops waiting. */
const IDLE_TIMEOUT_MS = 60_000;

/** A receiver of deliveries, in a separate process. */
export interface BenchReceiver extends Child {
  /** Discards the recorded arrivals. */
  reset(): Promise<void>;
  /** Waits until `count` requests have arrived. Returns their arrival times, in ms of the receiver's clock. */
  waitFor(count: number): Promise<readonly number[]>;
}

interface Arrivals {
  readonly count: number;
  readonly arrivals: readonly number[];
}

/** Starts a receiver. */
export async function startBenchReceiver(): Promise<BenchReceiver> {
  const child = await startProgram('limits/receiver.ts');
  return {
    ...child,
    async reset() {
      await fetch(child.url, { method: 'DELETE' });
    },
    async waitFor(count) {
      let seen: Arrivals = { count: 0, arrivals: [] };
      for (let waitedMs = 0; waitedMs < IDLE_TIMEOUT_MS; waitedMs += POLL_MS) {
        const before = seen.count;
        seen = await readArrivals(`${child.url}/?count=${count}`);
        if (seen.count >= count) return seen.arrivals;
        if (seen.count > before) waitedMs = 0;
        await pause(POLL_MS);
      }
      throw new Error(`Only ${seen.count} of ${count} deliveries arrived.`);
    },
  };
}

async function readArrivals(url: string): Promise<Arrivals> {
  const answer: unknown = await (await fetch(url)).json();
  const isKnown = typeof answer === 'object' && answer !== null && 'count' in answer && 'arrivals' in answer;
  if (!isKnown || !Array.isArray(answer.arrivals))
    throw new Error('The receiver sent an unexpected response.');
  return { count: Number(answer.count), arrivals: answer.arrivals.map(Number) };
}
