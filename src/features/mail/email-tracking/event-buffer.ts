/**
 * Group commit of opens and clicks: a write begins as soon as none is under way, and the events that arrive meanwhile
 * share the next one. A request is answered when the write of its event has ended, so a killed process loses no event
 * that was answered.
 *
 * A recipient must reach the link even if the database does not answer. A request is therefore answered after a second
 * at most. Its event then waits in memory, and is recorded once the database is back.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import {
  listReachable,
  type MessageEvent,
  type RecordingResult,
  tryRecordMessageEvents,
} from './message-events.ts';
import { type ListReachable, StuckEvents } from './stuck-events.ts';

/** Events per transaction. Large, because planning the statement takes milliseconds for any number of events. */
const GROUP_SIZE = 5000;
/** Capacity in events, about 20 MB. */
const MAX_WAITING = 50_000;
/** Longest time until a request is answered, in ms. */
const MAX_WAIT_MS = 1000;
const PAUSE_AFTER_ERROR_MS = 1000;
const TRIES_AT_END = 5;
/** Events of unavailable tenants that are dropped at once to make room for others. */
const STUCK_DROPPED = 1000;

const NOTHING_FAILED: RecordingResult = { failed: [], unavailable: [] };

/** Events that are written together, and the answer to their requests. */
class Group {
  readonly events: MessageEvent[] = [];
  /** Resolves when the first write of the events has ended, or at the longest wait of the oldest of them. */
  readonly answered: Promise<void>;
  readonly #answer: () => void;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.answered = promise;
    this.#answer = resolve;
    this.#timer = setTimeout(resolve, MAX_WAIT_MS);
  }

  answer(): void {
    clearTimeout(this.#timer);
    this.#answer();
  }
}

/** Buffer of events on their way to the database. */
export class EventBuffer {
  readonly #record: (events: readonly MessageEvent[]) => Promise<RecordingResult>;
  readonly #onError: (error: unknown) => void;
  /** Events that wait for the next writes, oldest first. */
  #groups: Group[] = [];
  /** Number of events in these groups. */
  #waiting = 0;
  /** Number of events in the write under way. */
  #inProgress = 0;
  readonly #stuck: StuckEvents;
  #recording: Promise<void> | null = null;
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
    const onAvailable = (events: readonly MessageEvent[]) => this.#addAll(events);
    this.#stuck = new StuckEvents(listReachable, { onAvailable, onError });
  }

  /** Number of events dropped because the database was too slow. */
  get lost(): number {
    return this.#lost;
  }

  /**
   * Records an event. Resolves when it is recorded. If that fails or takes longer than a second, resolves too, and the
   * event is recorded later. If the buffer is full, the event is dropped. Never rejects.
   */
  async add(event: MessageEvent): Promise<void> {
    if (this.#isFull) this.#lost += this.#stuck.drop(STUCK_DROPPED);
    if (this.#isFull) this.#lost += 1;
    else await this.#enqueue(event);
  }

  get #isFull(): boolean {
    return this.#waiting + this.#inProgress + this.#stuck.size >= MAX_WAITING;
  }

  /** Records all events before the process ends; drops them after TRIES_AT_END failures. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#addAll(this.#stuck.takeAll());
    await this.#recording;
  }

  #addAll(events: readonly MessageEvent[]): void {
    for (const event of events) void this.#enqueue(event);
  }

  /** Returns when the event's request may be answered: at once if its tenant is unavailable. */
  #enqueue(event: MessageEvent): Promise<void> | undefined {
    if (this.#stuck.isStuck(event.tenantId)) {
      this.#stuck.add([event]);
      return undefined;
    }
    let group = this.#groups.at(-1);
    if (group === undefined || group.events.length >= GROUP_SIZE) {
      group = new Group();
      this.#groups.push(group);
    }
    group.events.push(event);
    this.#waiting += 1;
    this.#recording ??= this.#recordAll();
    return group.answered;
  }

  /** Writes group after group until none is left. Never rejects. */
  async #recordAll(): Promise<void> {
    let failures = 0;
    // Requests that arrived at the same time share the first group.
    await nextTurn();
    for (let group = this.#groups.shift(); group !== undefined; group = this.#groups.shift()) {
      const failed = await this.#recordGroup(group);
      failures = failed.length === 0 ? 0 : failures + 1;
      if (failed.length === 0) continue;
      if (this.#isClosing && failures >= TRIES_AT_END) break;
      // At the end of the queue: the other events may belong to available tenants.
      this.#addAll(failed);
      await pause(PAUSE_AFTER_ERROR_MS);
    }
    this.#recording = null;
  }

  /** Writes a group, and returns the events to write again. */
  async #recordGroup(group: Group): Promise<readonly MessageEvent[]> {
    this.#waiting -= group.events.length;
    const events = this.#withoutStuck(group.events);
    this.#inProgress = events.length;
    const { failed, unavailable, error } = events.length === 0 ? NOTHING_FAILED : await this.#record(events);
    this.#inProgress = 0;
    group.answer();
    if (error !== undefined) this.#onError(error);
    if (this.#isClosing) return [...failed, ...unavailable];
    this.#stuck.add(unavailable);
    return failed;
  }

  /** Moves the events of unavailable tenants to their own queue, and returns the others. */
  #withoutStuck(events: readonly MessageEvent[]): readonly MessageEvent[] {
    const isStuck = ({ tenantId }: MessageEvent) => this.#stuck.isStuck(tenantId);
    this.#stuck.add(events.filter(isStuck));
    return events.filter((event) => !isStuck(event));
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
