/**
 * Checks which messages are suppressed: when a batch is built, and again before a message is sent that has waited
 * since. A recipient who unsubscribes meanwhile gets nothing.
 */

import { oncePerPlatform, type Platform } from '../../../../platform.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import type { Outcome } from '../../../../work-queue/work-queue.ts';
import { type EmailSettings, findRecipientRules, getEmailSettings } from '../../../email-settings/api.ts';
import {
  findPending,
  isSendingCancelled,
  type LoadedMessage,
  type MessageResult,
  type TransmissionHead,
} from './queries.ts';
import { type RecipientData, resolveRecipients, sendingIdOf } from './recipient-resolver.ts';

/** Time for which a check stays valid, in ms: short for a reader, long enough to keep repeated checks cheap. */
const CHECK_TTL_MS = 1000;

/** Outcomes of messages that must not be sent, by message id. */
type OutcomesById = ReadonlyMap<string, Outcome<MessageResult>>;

/** Data and outcomes of the recipients of a batch. */
export interface Recipients {
  readonly recipientData: ReadonlyMap<string, RecipientData> | null;
  readonly outcomes: OutcomesById;
}

/** Resolves and checks the recipients of messages of one transmission. */
export async function checkRecipients(
  platform: Platform,
  db: ScopedDb,
  settings: EmailSettings,
  head: TransmissionHead,
  messages: readonly LoadedMessage[],
): Promise<Recipients> {
  const recipientData = await resolveRecipients(platform, db, head, messages, 'recipient');
  const isCancelled =
    recipientData !== null && (await isSendingCancelled(db, sendingIdOf(head.id, messages)));
  const outcomes = outcomesOfRecipients(recipientData ?? new Map(), isCancelled, platform.clock());
  const remaining = messages.filter(({ id }) => !outcomes.has(id));
  const { options, transactional } = head;
  const recipients = remaining.map(({ recipient }) => recipient);
  const rules = await findRecipientRules(platform, db, settings, recipients, {
    isTransactional: transactional,
    subscriptionTypeId: options.campaign?.subscriptionTypeId ?? null,
    skipsSuppressions: options.skipSuppression,
  });
  for (const { id, recipient } of remaining) {
    const rule = rules.get(recipient);
    if (rule !== undefined) outcomes.set(id, suppressed(rule, platform.clock()));
  }
  return { recipientData, outcomes };
}

const rechecks = oncePerPlatform(() => new Map<string, Recheck>());

/**
 * Returns the recheck of a transmission's messages that wait in this process, shared by all claims, and adds these
 * messages, whose recipients were just checked.
 */
export function recheckOf(
  platform: Platform,
  db: ScopedDb,
  head: TransmissionHead,
  messages: readonly LoadedMessage[],
): Recheck {
  const rechecksByKey = rechecks(platform);
  const key = `${db.tenantId}/${head.id}`;
  const recheck = rechecksByKey.get(key) ?? new Recheck(platform, db, head, () => rechecksByKey.delete(key));
  recheck.add(messages);
  if (messages.length > 0) rechecksByKey.set(key, recheck);
  return recheck;
}

/** Repeats the check of waiting messages when the last one is older than CHECK_TTL_MS. */
class Recheck {
  readonly #platform: Platform;
  readonly #db: ScopedDb;
  readonly #head: TransmissionHead;
  readonly #onEnd: () => void;
  readonly #waiting = new Map<string, LoadedMessage>();
  #ends: Promise<OutcomesById> = Promise.resolve(new Map());
  #at: number;

  constructor(platform: Platform, db: ScopedDb, head: TransmissionHead, onEnd: () => void) {
    this.#platform = platform;
    this.#db = db;
    this.#head = head;
    this.#onEnd = onEnd;
    this.#at = platform.clock().getTime();
  }

  /** Adds waiting messages. */
  add(messages: readonly LoadedMessage[]): void {
    for (const message of messages) this.#waiting.set(message.id, message);
  }

  /** Returns the outcome of a message that must not be sent, or null. @throws the database error. */
  async outcomeOf(id: string): Promise<Outcome<MessageResult> | null> {
    const now = this.#platform.clock().getTime();
    if (Math.abs(now - this.#at) >= CHECK_TTL_MS) {
      this.#at = now;
      this.#ends = this.#checkAll();
      this.#ends.catch(() => {
        this.#at = Number.NEGATIVE_INFINITY;
      });
    }
    return (await this.#ends).get(id) ?? null;
  }

  /** Removes a message that no longer waits. */
  remove(id: string): void {
    if (this.#waiting.delete(id) && this.#waiting.size === 0) this.#onEnd();
  }

  async #checkAll(): Promise<OutcomesById> {
    const messages = [...this.#waiting.values()];
    const settings = await getEmailSettings(this.#db);
    const { outcomes } = await checkRecipients(this.#platform, this.#db, settings, this.#head, messages);
    return new Map([...outcomes, ...(await findEnded(this.#db, messages))]);
  }
}

/** Returns the messages that ended meanwhile because their recipients were erased. */
async function findEnded(db: ScopedDb, messages: readonly LoadedMessage[]): Promise<OutcomesById> {
  const pending = await findPending(
    db,
    messages.map(({ id }) => id),
  );
  return new Map(messages.flatMap(({ id }) => (pending.has(id) ? [] : [[id, { kind: 'drop' }]])));
}

function suppressed(rule: string, at: Date): Outcome<MessageResult> {
  const result = { status: 'suppressed', suppressed_by: rule, ended_at: at } as const;
  return { kind: 'failed', error: `Suppressed: ${rule}.`, result };
}

/** Returns the outcomes of messages to subscribers whose data suppress them, or whose sending was cancelled. */
function outcomesOfRecipients(
  recipientData: ReadonlyMap<string, RecipientData>,
  isCancelled: boolean,
  at: Date,
): Map<string, Outcome<MessageResult>> {
  const outcomes = new Map<string, Outcome<MessageResult>>();
  for (const [id, each] of recipientData) {
    if (each.suppressedBy !== undefined) outcomes.set(id, suppressed(each.suppressedBy, at));
    if (isCancelled) {
      const result = { status: 'failed', ended_at: at } as const;
      outcomes.set(id, { kind: 'failed', error: 'The email was cancelled.', result });
    }
  }
  return outcomes;
}
