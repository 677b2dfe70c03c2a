/**
 * Events of tenants whose node is away. They wait apart: each attempt to record them would hold up those of others for
 * as long as a machine that is silent is waited for.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { MessageEvent } from './message-events.ts';

/** How often it is asked whether a node is back, milliseconds. */
const ASK_EVERY_MS = 1000;

/** Tells which of these tenants are on nodes that answer. */
export type ListReachable = (tenantIds: readonly string[]) => Promise<ReadonlySet<string>>;

/** What a buffer is told of its stuck events. */
export interface StuckListeners {
  /** The node of these is back. */
  readonly onBack: (events: readonly MessageEvent[]) => void;
  readonly onError: (error: unknown) => void;
}

/** The stuck events of one buffer. */
export class StuckEvents {
  readonly #listReachable: ListReachable;
  readonly #listeners: StuckListeners;
  #events: MessageEvent[] = [];
  readonly #tenants = new Set<string>();
  #isAsking = false;

  constructor(listReachable: ListReachable, listeners: StuckListeners) {
    this.#listReachable = listReachable;
    this.#listeners = listeners;
  }

  get size(): number {
    return this.#events.length;
  }

  /** Whether events of this tenant are stuck, so that others of it would be, too. */
  isStuck(tenantId: string): boolean {
    return this.#tenants.has(tenantId);
  }

  /** Keeps events until the nodes of their tenants are back. */
  add(events: readonly MessageEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#tenants.add(event.tenantId);
    }
    if (!this.#isAsking && this.size > 0) this.#ask();
  }

  /** Gives up the oldest, at most so many, and returns how many that were. */
  drop(most: number): number {
    return this.#events.splice(0, most).length;
  }

  /** Takes out all of them, whether their nodes are back or not. */
  takeAll(): readonly MessageEvent[] {
    this.#tenants.clear();
    return this.#events.splice(0);
  }

  /** Never rejects: nobody waits for it. */
  async #ask(): Promise<void> {
    this.#isAsking = true;
    while (this.#tenants.size > 0) {
      await pause(ASK_EVERY_MS, null, { ref: false });
      try {
        this.#giveBack(await this.#listReachable([...this.#tenants]));
      } catch (error) {
        this.#listeners.onError(error);
      }
    }
    this.#isAsking = false;
  }

  #giveBack(reachable: ReadonlySet<string>): void {
    const back = this.#events.filter(({ tenantId }) => reachable.has(tenantId));
    this.#events = this.#events.filter(({ tenantId }) => !reachable.has(tenantId));
    for (const tenantId of reachable) this.#tenants.delete(tenantId);
    if (back.length > 0) this.#listeners.onBack(back);
  }
}
