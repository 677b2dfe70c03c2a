/** Waits until the runs of messages have ended, so that the messages can be acknowledged. */
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { findSourceEnds } from '../automations/index.ts';
import type { MessageRun } from './messages.ts';

/** Poll interval for all messages of a process together, in ms. */
const POLL_MS = 150;

/** Result of waiting for the runs of a message; `aborted` if the wait was aborted. */
export type RunsEnd = 'done' | 'failed' | 'aborted';

interface Waiter {
  readonly tenantId: string;
  readonly runs: readonly MessageRun[];
  readonly finish: (end: RunsEnd) => void;
}

/** The waits of a process. One statement per tenant checks all of them. */
class RunEnds {
  readonly #platform: Platform;
  readonly #waiting = new Set<Waiter>();
  #timer: NodeJS.Timeout | undefined;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /**
   * Resolves when all of these runs have ended or `signal` is aborted. Never rejects; it waits through database
   * outages.
   */
  wait(tenantId: string, runs: readonly MessageRun[], signal: AbortSignal): Promise<RunsEnd> {
    const { promise, resolve } = Promise.withResolvers<RunsEnd>();
    const abort = () => waiter.finish('aborted');
    const waiter: Waiter = {
      ...{ tenantId, runs },
      finish: (end) => {
        this.#waiting.delete(waiter);
        signal.removeEventListener('abort', abort);
        resolve(end);
      },
    };
    this.#waiting.add(waiter);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    this.#schedule();
    return promise;
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => void this.#poll(), POLL_MS).unref();
  }

  async #poll(): Promise<void> {
    const polls = [...Map.groupBy(this.#waiting, ({ tenantId }) => tenantId)].map(([tenantId, waiters]) =>
      this.#pollTenant(tenantId, waiters).catch((error: unknown) =>
        this.#platform.observe({
          event: 'background.failed',
          task: 'check for ended runs of messages',
          error,
        }),
      ),
    );
    await Promise.all(polls);
    this.#timer = undefined;
    this.#schedule();
  }

  /** A run that no longer exists has ended. */
  async #pollTenant(tenantId: string, waiters: readonly Waiter[]): Promise<void> {
    const db = this.#platform.scoped(wholeTenant(tenantId));
    const sources = waiters.flatMap(({ runs }) => runs);
    const found = Map.groupBy(await findSourceEnds(db, sources), keyOf);
    for (const { runs, finish } of waiters) {
      const ends = runs.flatMap((run) => found.get(keyOf(run)) ?? []);
      if (ends.some(({ isPending }) => isPending)) continue;
      finish(ends.some(({ isFailed }) => isFailed) ? 'failed' : 'done');
    }
  }
}

/** Messages of different queues may have the same id. */
function keyOf({ automationId, sourceKey }: MessageRun): string {
  return `${automationId} ${sourceKey}`;
}

/** The waits of a process. */
export const runEnds = oncePerPlatform((platform) => new RunEnds(platform));
