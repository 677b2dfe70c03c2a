/**
 * Buffer of opens and clicks, which are recorded in batches: requests do not wait for the database and cause no writes of
 * their own. A process that stops records its buffer first; a killed process loses the last 0.2 s.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import {
  listReachable,
  type MessageEvent,
  type RecordingResult,
  tryRecordMessageEvents,
} from './message-events.ts';
import { type ListReachable, StuckEvents } from './stuck-events.ts';

/** Time between an event and the recording of its batch, in ms. */
const FLUSH_MS = 200;
/** Events per transaction. Large, because planning the statement takes milliseconds for any number of events. */
const BATCH_SIZE = 5000;
/** Capacity in events, about 20 MB. Requests wait while the buffer is full. */
const MAX_WAITING = 50_000;
/** Time that a request waits for a full buffer before its event is dropped, in ms. */
const MAX_WAIT_MS = 1000;
const PAUSE_AFTER_ERROR_MS = 1000;
const TRIES_AT_END = 5;
/** Events of unavailable nodes that are dropped at once to make room for others. */
const STUCK_DROPPED = 1000;

/** Buffer of events on their way to the database. */
export class EventBuffer {
  readonly #record: (events: readonly MessageEvent[]) => Promise<RecordingResult>;
  readonly #onError: (error: unknown) => void;
  #waiting: MessageEvent[] = [];
  /** Number of events in the batch that is being recorded. */
  #inProgress = 0;
  readonly #stuck: StuckEvents;
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> | null = null;
  #lost = 0;
  #isClosing = false;

  /** Creates a buffer. `record` must never reject. */
  constructor(
    record: (events: readonly MessageEvent[]) => Promise<RecordingResult>,
    listReachable: ListReachable,
    onError: (error: unknown) => void,
  ) {
    this.#record = record;
    this.#onError = onError;
    const onAvailable = (events: readonly MessageEvent[]) =>
      events.forEach((event) => void this.#enqueue(event));
    this.#stuck = new StuckEvents(listReachable, { onAvailable, onError });
  }

  /** Number of events dropped because the database was too slow. */
  get lost(): number {
    return this.#lost;
  }

  /** Adds an event. Returns a promise only if the buffer is full; it resolves within a second. */
  add(event: MessageEvent): Promise<void> | undefined {
    if (this.#isFull) this.#lost += this.#stuck.drop(STUCK_DROPPED);
    if (this.#isFull) return this.#addWhenNotFull(event);
    this.#enqueue(event);
    return undefined;
  }

  get #isFull(): boolean {
    return this.#waiting.length + this.#inProgress + this.#stuck.size >= MAX_WAITING;
  }

  /** Records the waiting events. Never rejects. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#flushing ??= this.#flushAll().finally(() => {
      this.#flushing = null;
      if (this.#waiting.length > 0 && !this.#isClosing) this.#scheduleFlush();
    });
    return this.#flushing;
  }

  /** Records all events before the process ends; drops them after TRIES_AT_END failures. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#waiting.push(...this.#stuck.takeAll());
    await this.flush();
  }

  #scheduleFlush(): void {
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  async #flushAll(): Promise<void> {
    let failures = 0;
    // Events that arrive meanwhile wait for the next flush, unless they fill a batch.
    let due = this.#waiting.length;
    while (due > 0 || this.#waiting.length >= BATCH_SIZE || (this.#isClosing && this.#waiting.length > 0)) {
      const batch = this.#waiting.splice(0, BATCH_SIZE);
      this.#inProgress = batch.length;
      const { failed, unavailable, error } = await this.#record(batch);
      this.#inProgress = 0;
      if (error !== undefined) this.#onError(error);
      const retried = this.#isClosing ? [...failed, ...unavailable] : failed;
      if (!this.#isClosing) this.#defer(unavailable);
      due = Math.min(due - batch.length, this.#waiting.length);
      failures = retried.length === 0 ? 0 : failures + 1;
      if (retried.length === 0) continue;
      // At the end of the queue: the other events may belong to tenants of working nodes.
      this.#waiting.push(...retried);
      if (this.#isClosing && failures >= TRIES_AT_END) return;
      await pause(PAUSE_AFTER_ERROR_MS);
    }
  }

  /** Moves these events and all others of their tenants to the queue of stuck events. */
  #defer(unavailable: readonly MessageEvent[]): void {
    if (unavailable.length === 0) return;
    this.#stuck.add(unavailable);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const event of waiting) this.#enqueue(event);
  }

  async #addWhenNotFull(event: MessageEvent): Promise<void> {
    const end = performance.now() + MAX_WAIT_MS;
    while (performance.now() < end) {
      await pause(FLUSH_MS / 4);
      if (!this.#isFull) {
        this.#enqueue(event);
        return;
      }
    }
    this.#lost += 1;
  }

  #enqueue(event: MessageEvent): void {
    if (this.#stuck.isStuck(event.tenantId)) {
      this.#stuck.add([event]);
      return;
    }
    this.#waiting.push(event);
    if (this.#flushing === null) this.#scheduleFlush();
  }
}

/** The buffer of a process; its events are recorded when the process stops. */
export const eventBuffer = oncePerPlatform((platform: Platform): EventBuffer => {
  const buffer = new EventBuffer(
    (events) => tryRecordMessageEvents(platform, events),
    (tenantIds) => listReachable(platform, tenantIds),
    (error) => platform.observe({ event: 'background.failed', task: 'record opens and clicks', error }),
  );
  platform.metrics.gauge(
    'tessera_tracking_events_lost',
    'Opens and clicks dropped because the database could not keep up.',
    async () => buffer.lost,
  );
  platform.onClose(() => buffer.close());
  return buffer;
});
