/**
 * Opens and clicks wait here for a moment and are recorded together, so that no request waits for the database and
 * none causes a write of its own. What waits when the process is asked to stop is recorded before it ends; a process
 * that is killed loses the last fifth of a second.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { listReachable, type MessageEvent, type Recording, recordAll } from './message-events.ts';
import { type ListReachable, StuckEvents } from './stuck-events.ts';

/** How long an event waits for others. */
const FLUSH_MS = 200;
/** Events recorded in one transaction: its statement takes milliseconds to plan, whatever it records. */
const BATCH = 5000;
/** Events that wait at most, about 20 MB of them; then requests wait too. */
const MAX_WAITING = 50_000;
/** How long a request waits for room before its event is given up. */
const MAX_WAIT_MS = 1000;
const PAUSE_AFTER_ERROR_MS = 1000;
const TRIES_AT_END = 5;
/** How many events of tenants whose node is away make room at once for those of others. */
const STUCK_DROPPED = 1000;

/** Events on their way to the database. */
export class EventBuffer {
  readonly #record: (events: readonly MessageEvent[]) => Promise<Recording>;
  readonly #onError: (error: unknown) => void;
  #waiting: MessageEvent[] = [];
  /** Events that are being recorded. */
  #underWay = 0;
  readonly #stuck: StuckEvents;
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> | null = null;
  #lost = 0;
  #isClosing = false;

  /** `record` never rejects. */
  constructor(
    record: (events: readonly MessageEvent[]) => Promise<Recording>,
    listReachable: ListReachable,
    onError: (error: unknown) => void,
  ) {
    this.#record = record;
    this.#onError = onError;
    const onBack = (events: readonly MessageEvent[]) => events.forEach((event) => void this.#take(event));
    this.#stuck = new StuckEvents(listReachable, { onBack, onError });
  }

  /** Events given up because the database could not keep up. */
  get lost(): number {
    return this.#lost;
  }

  /** Takes an event. Only while the buffer is full there is something to wait for, for a second at most. */
  add(event: MessageEvent): Promise<void> | undefined {
    if (this.#isFull) this.#lost += this.#stuck.drop(STUCK_DROPPED);
    if (this.#isFull) return this.#addLater(event);
    this.#take(event);
    return undefined;
  }

  get #isFull(): boolean {
    return this.#waiting.length + this.#underWay + this.#stuck.size >= MAX_WAITING;
  }

  /** Records all that waits. Never rejects. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#flushing ??= this.#flushAll().finally(() => {
      this.#flushing = null;
      if (this.#waiting.length > 0 && !this.#isClosing) this.#arm();
    });
    return this.#flushing;
  }

  /** Records all that waits, as the last thing; after a few failures it is given up. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#waiting.push(...this.#stuck.takeAll());
    await this.flush();
  }

  #arm(): void {
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  async #flushAll(): Promise<void> {
    let failures = 0;
    // What comes meanwhile waits for its own batch, unless there is a whole one.
    let due = this.#waiting.length;
    while (due > 0 || this.#waiting.length >= BATCH || (this.#isClosing && this.#waiting.length > 0)) {
      const batch = this.#waiting.splice(0, BATCH);
      this.#underWay = batch.length;
      const { left, away, error } = await this.#record(batch);
      this.#underWay = 0;
      if (error !== undefined) this.#onError(error);
      const again = this.#isClosing ? [...left, ...away] : left;
      if (!this.#isClosing) this.#setApart(away);
      due = Math.min(due - batch.length, this.#waiting.length);
      failures = again.length === 0 ? 0 : failures + 1;
      if (again.length === 0) continue;
      // Behind the others, which may be of tenants elsewhere.
      this.#waiting.push(...again);
      if (this.#isClosing && failures >= TRIES_AT_END) return;
      await pause(PAUSE_AFTER_ERROR_MS);
    }
  }

  /** Has these wait apart, and with them all that waits of their tenants. */
  #setApart(away: readonly MessageEvent[]): void {
    if (away.length === 0) return;
    this.#stuck.add(away);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const event of waiting) this.#take(event);
  }

  async #addLater(event: MessageEvent): Promise<void> {
    const end = performance.now() + MAX_WAIT_MS;
    while (performance.now() < end) {
      await pause(FLUSH_MS / 4);
      if (!this.#isFull) {
        this.#take(event);
        return;
      }
    }
    this.#lost += 1;
  }

  #take(event: MessageEvent): void {
    if (this.#stuck.isStuck(event.tenantId)) {
      this.#stuck.add([event]);
      return;
    }
    this.#waiting.push(event);
    if (this.#flushing === null) this.#arm();
  }
}

/** The buffer of a process; what is in it is recorded when the process drains. */
export const eventBuffer = oncePerPlatform((platform: Platform): EventBuffer => {
  const buffer = new EventBuffer(
    (events) => recordAll(platform, events),
    (tenantIds) => listReachable(platform, tenantIds),
    (error) => platform.observe({ event: 'background.failed', task: 'record opens and clicks', error }),
  );
  platform.metrics.gauge(
    'tessera_tracking_events_lost',
    'Opens and clicks that were given up because the database could not keep up.',
    async () => buffer.lost,
  );
  platform.onClose(() => buffer.close());
  return buffer;
});
