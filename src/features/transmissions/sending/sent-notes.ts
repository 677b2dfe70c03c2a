/**
 * Settles messages that the relay has taken over, as soon as the database is free to and not with the next batch of
 * their ledger: a message keeps its place at the gate until it is settled, so what this takes is time in which its
 * connection stands idle.
 */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Claim } from '../../../ledger/ledger.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { emailEventDeliveries } from '../../email-event-webhooks/index.ts';
import { writeMessageEvents } from '../../email-tracking/index.ts';
import { noteSent } from './queries.ts';

/** A message that the relay has taken over. */
export interface SentMessage {
  readonly claim: Claim;
  readonly renderedAt: Date;
  readonly sentAt: Date;
  /** The relay's words. */
  readonly answer: string;
  /** Whether somebody wants to be told: without listeners no event is recorded. */
  readonly tellsDelivery: boolean;
}

const PAUSE_AFTER_ERROR_MS = 1000;

interface Entry {
  readonly message: SentMessage;
  readonly settle: (isNoted: boolean) => void;
}

/** Gathers what was sent while the last statements ran. */
class SentNotes {
  readonly #platform: Platform;
  #waiting: Entry[] = [];
  #isWriting = false;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Settles a message; false when the process stopped before the database could be reached. Never rejects. */
  add(message: SentMessage): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push({ message, settle: resolve });
    if (!this.#isWriting) this.#writeAll();
    return promise;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Answers of the relay that came together share a statement.
    await turn();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      const isNoted = await this.#writeUntilDone(batch.map(({ message }) => message));
      for (const { settle } of batch) settle(isNoted);
    }
    this.#isWriting = false;
  }

  async #writeUntilDone(messages: readonly SentMessage[]): Promise<boolean> {
    for (;;) {
      try {
        await writeSent(this.#platform, messages);
        return true;
      } catch (error) {
        this.#platform.observe({ event: 'background.failed', task: 'settle sent messages', error });
        if (this.#platform.drain.started) return false;
        await pause(PAUSE_AFTER_ERROR_MS);
      }
    }
  }
}

async function writeSent(platform: Platform, messages: readonly SentMessage[]): Promise<void> {
  const { everyTenant } = platform.database;
  const told = messages.filter(({ tellsDelivery }) => tellsDelivery);
  if (told.length === 0) {
    await noteSent(everyTenant, messages);
    return;
  }
  const events = told.map(({ claim: { tenantId, id: messageId }, sentAt: occurredAt, answer: detail }) => {
    return { tenantId, messageId, type: 'delivery', occurredAt, detail } as const;
  });
  const deliveries = await everyTenant.transaction().execute(async (query) => {
    await noteSent(query, messages);
    return writeMessageEvents(query, events, platform.clock());
  });
  if (deliveries > 0) platform.ledgers.wake(emailEventDeliveries);
}

/** Those of a process. */
export const sentNotes = oncePerPlatform((platform) => new SentNotes(platform));
