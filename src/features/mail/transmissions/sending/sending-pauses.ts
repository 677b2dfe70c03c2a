/**
 * Pauses of sendings whose sender the relay rejects. Further messages would fail in the same way, and a relay may block
 * clients after thousands of rejected messages.
 */
import { LRUCache } from 'lru-cache';

/** Consecutive rejections after which a sending pauses. */
const REFUSALS = 5;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 30 * 60_000;
/** Time that other messages wait for the probe after a pause, in ms: longer than a relay may take. */
const PROBE_MS = 90_000;
/** Number of rejected sendings in memory; an evicted one is no longer paused. */
const MAX_SENDINGS = 10_000;

/** Rejections and pause of a sending. */
interface RejectedSending {
  readonly refusals: number;
  readonly pauseMs: number;
  /** End of the pause; null if the sending is not paused. */
  readonly until: number | null;
  /** True while one message is sent as a probe. */
  readonly isProbed: boolean;
  readonly reason: string;
}

/** Pause of a sending. */
export interface SendingPause {
  readonly until: Date;
  readonly reason: string;
}

/** Pauses of sendings, by their ids. */
export class SendingPauses {
  readonly #refused = new LRUCache<string, RejectedSending>({ max: MAX_SENDINGS });

  /** Returns the pause of a sending; null allows a message. After a pause one message is allowed as a probe. */
  find(id: string, now: Date): SendingPause | null {
    const state = this.#refused.get(id);
    if (state === undefined || state.until === null) return null;
    const { until, reason } = state;
    if (now.getTime() < until) return { until: new Date(until), reason };
    this.#refused.set(id, { ...state, until: now.getTime() + PROBE_MS, isProbed: true });
    return null;
  }

  /** Records a rejected message with its reason. Returns the pause that begins with it, or null. */
  refuse(id: string, reason: string, now: Date): SendingPause | null {
    const state = this.#refused.get(id);
    const refusals = (state?.refusals ?? 0) + 1;
    const isPaused = state !== undefined && state.until !== null && !state.isProbed;
    if (refusals < REFUSALS || isPaused) {
      const { pauseMs = 0, until = null, isProbed = false } = state ?? {};
      this.#refused.set(id, { refusals, pauseMs, until, isProbed, reason });
      return null;
    }
    const pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, (state?.pauseMs ?? 0) * 2), LONGEST_PAUSE_MS);
    const until = now.getTime() + pauseMs;
    this.#refused.set(id, { refusals, pauseMs, until, isProbed: false, reason });
    return { until: new Date(until), reason };
  }

  /** Records that the relay accepted a message, or rejected only its recipient. */
  accept(id: string): void {
    this.#refused.delete(id);
  }
}
