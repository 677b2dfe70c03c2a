/**
 * Events of unavailable tenants. They wait in a queue of their own: each attempt to record them would
 * delay the events of other tenants until the connection times out.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { MessageEvent } from './message-events.ts';

/** Interval between checks of the tenants, in ms. */
const CHECK_INTERVAL_MS = 1000;

/** Returns those of these tenants that are available. */
export type ListReachable = (tenantIds: readonly string[]) => Promise<ReadonlySet<string>>;

/** Callbacks of the owner of the queue. */
export interface StuckListeners {
  /** Called with events whose tenant is available again. */
  readonly onAvailable: (events: readonly MessageEvent[]) => void;
  readonly onError: (error: unknown) => void;
}

/** Queue of events of unavailable tenants. */
export class StuckEvents {
  readonly #listReachable: ListReachable;
  readonly #listeners: StuckListeners;
  #events: MessageEvent[] = [];
  readonly #tenants = new Set<string>();
  #isChecking = false;

  constructor(listReachable: ListReachable, listeners: StuckListeners) {
    this.#listReachable = listReachable;
    this.#listeners = listeners;
  }

  get size(): number {
    return this.#events.length;
  }

  /** True if events of this tenant wait here; further events of the tenant belong here too. */
  isStuck(tenantId: string): boolean {
    return this.#tenants.has(tenantId);
  }

  /** Queues events until their tenants are available. */
  add(events: readonly MessageEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#tenants.add(event.tenantId);
    }
    if (!this.#isChecking && this.size > 0) this.#checkNodes();
  }

  /** Drops the oldest `count` events, or all if there are fewer. Returns the number dropped. */
  drop(count: number): number {
    return this.#events.splice(0, count).length;
  }

  /** Removes and returns all events, even if their tenants are unavailable. */
  takeAll(): readonly MessageEvent[] {
    this.#tenants.clear();
    return this.#events.splice(0);
  }

  /** Checks the tenants until no events wait. Never rejects. */
  async #checkNodes(): Promise<void> {
    this.#isChecking = true;
    while (this.#tenants.size > 0) {
      await pause(CHECK_INTERVAL_MS, null, { ref: false });
      try {
        this.#release(await this.#listReachable([...this.#tenants]));
      } catch (error) {
        this.#listeners.onError(error);
      }
    }
    this.#isChecking = false;
  }

  #release(reachable: ReadonlySet<string>): void {
    const released = this.#events.filter(({ tenantId }) => reachable.has(tenantId));
    this.#events = this.#events.filter(({ tenantId }) => !reachable.has(tenantId));
    for (const tenantId of reachable) this.#tenants.delete(tenantId);
    if (released.length > 0) this.#listeners.onAvailable(released);
  }
}
