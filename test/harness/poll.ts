import { setTimeout as pause } from 'node:timers/promises';

/** Between probes, milliseconds: short at first, then longer, as each probe takes time from what it waits for. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;

/**
 * Repeats `probe` until it returns something other than null, undefined or false, and returns that.
 * @throws after `withinMs`, naming `what` was waited for.
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
    if (Date.now() > end) throw new Error(`Waited ${withinMs} ms in vain for ${what}.`);
    await pause(gap);
  }
}
