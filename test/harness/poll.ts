import { setTimeout as pause } from 'node:timers/promises';

/** Pauses between probes in ms. They grow, because probes slow down the work that they wait for. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;

/**
 * Repeats `probe` until it returns something other than null, undefined or false, and returns that.
 * @throws Error after `withinMs`, with `what` in its message.
 */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  withinMs = 30_000,
): Promise<T> {
  const end = Date.now() + withinMs;
  for (let gap = FIRST_PAUSE_MS; ; gap = Math.min(gap * 1.25, LONGEST_PAUSE_MS)) {
    const found = await probe();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`Timed out after ${withinMs} ms while waiting for ${what}.`);
    await pause(gap);
  }
}
