/**
 * What keeps messages back from people: decided when the messages of a batch are made, and again before one of them is handed over
 * that has waited for its place since, for whoever left meanwhile gets nothing.
 */
import type { Outcome } from '../../../ledger/ledger.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import {
  type EmailSettings,
  findSuppressions,
  getEmailSettings,
  isWhitelisted,
} from '../../email-settings/index.ts';
import { type Told, tellRecipients } from './audience.ts';
import { findPending, type LoadedMessage, type MessageNote, type TransmissionHead } from './queries.ts';

/** So long a decision holds, milliseconds: short for a person, long enough that looking again costs little. */
const HOLDS_MS = 1000;

/** How messages end that there are not to be, by message id. */
type Ends = ReadonlyMap<string, Outcome<MessageNote>>;

/** What was found out about the recipients of a batch. */
export interface Recipients {
  readonly told: ReadonlyMap<string, Told> | null;
  readonly ends: Ends;
}

/** Looks at the recipients of messages of one transmission. */
export async function lookAtRecipients(
  platform: Platform,
  db: ScopedDb,
  settings: EmailSettings,
  head: TransmissionHead,
  messages: readonly LoadedMessage[],
): Promise<Recipients> {
  const told = await tellRecipients(platform, db, head, messages, 'recipient');
  const ends = endsByAudience(told, platform.clock());
  const asked = messages.filter(({ id }) => !ends.has(id));
  for (const [id, by] of await findRules(platform, db, settings, head, asked))
    ends.set(id, suppressed(by, platform.clock()));
  return { told, ends };
}

const lastLooks = oncePerPlatform(() => new Map<string, LastLook>());

/**
 * The last look at the messages of a transmission that wait in this process, one for all of them, however they were claimed:
 * these as well, whose recipients have just been looked at.
 */
export function lastLook(
  platform: Platform,
  db: ScopedDb,
  head: TransmissionHead,
  messages: readonly LoadedMessage[],
): LastLook {
  const looks = lastLooks(platform);
  const key = `${db.tenantId}/${head.id}`;
  const look = looks.get(key) ?? new LastLook(platform, db, head, () => looks.delete(key));
  look.add(messages);
  if (messages.length > 0) looks.set(key, look);
  return look;
}

/** What keeps back messages that wait; it is looked at again when that was some time ago. */
class LastLook {
  readonly #platform: Platform;
  readonly #db: ScopedDb;
  readonly #head: TransmissionHead;
  readonly #onEnd: () => void;
  readonly #waiting = new Map<string, LoadedMessage>();
  #ends: Promise<Ends> = Promise.resolve(new Map());
  #at: number;

  constructor(platform: Platform, db: ScopedDb, head: TransmissionHead, onEnd: () => void) {
    [this.#platform, this.#db, this.#head, this.#onEnd] = [platform, db, head, onEnd];
    this.#at = platform.clock().getTime();
  }

  /** Messages that wait from now on. */
  add(messages: readonly LoadedMessage[]): void {
    for (const message of messages) this.#waiting.set(message.id, message);
  }

  /** How a message ends that is about to be handed over; null when nothing keeps it back. @throws what the database says. */
  async endOf(id: string): Promise<Outcome<MessageNote> | null> {
    const now = this.#platform.clock().getTime();
    if (Math.abs(now - this.#at) >= HOLDS_MS) {
      this.#at = now;
      this.#ends = this.#lookAgain();
      this.#ends.catch(() => {
        this.#at = Number.NEGATIVE_INFINITY;
      });
    }
    return (await this.#ends).get(id) ?? null;
  }

  /** One that is not to be looked at any more. */
  forget(id: string): void {
    if (this.#waiting.delete(id) && this.#waiting.size === 0) this.#onEnd();
  }

  async #lookAgain(): Promise<Ends> {
    const messages = [...this.#waiting.values()];
    const settings = await getEmailSettings(this.#db);
    const { ends } = await lookAtRecipients(this.#platform, this.#db, settings, this.#head, messages);
    return new Map([...ends, ...(await findEnded(this.#db, messages))]);
  }
}

/** Those that were ended meanwhile, as their recipients were erased. */
async function findEnded(db: ScopedDb, messages: readonly LoadedMessage[]): Promise<Ends> {
  const pending = await findPending(
    db,
    messages.map(({ id }) => id),
  );
  return new Map(messages.flatMap(({ id }) => (pending.has(id) ? [] : [[id, { kind: 'drop' }]])));
}

function suppressed(by: string, at: Date): Outcome<MessageNote> {
  const note = { status: 'suppressed', suppressed_by: by, ended_at: at } as const;
  return { kind: 'failed', error: `Suppressed: ${by}.`, note };
}

/** How those messages end that there are not to be, for what is known of their recipients. */
function endsByAudience(told: ReadonlyMap<string, Told> | null, at: Date): Map<string, Outcome<MessageNote>> {
  const ends = new Map<string, Outcome<MessageNote>>();
  for (const [id, each] of told ?? []) {
    if (each.keptBackBy !== undefined) ends.set(id, suppressed(each.keptBackBy, at));
    if (each.isCancelled) {
      const note = { status: 'failed', ended_at: at } as const;
      ends.set(id, { kind: 'failed', error: 'The e-mail was cancelled.', note });
    }
  }
  return ends;
}

/**
 * The rule that keeps each message back that is not to be sent, by message id
 * (docs/specification/email-settings.md#suppressions).
 */
async function findRules(
  platform: Platform,
  db: ScopedDb,
  settings: EmailSettings,
  { options, transactional }: TransmissionHead,
  messages: readonly LoadedMessage[],
): Promise<Map<string, string>> {
  const recipients = options.skipSuppression ? [] : messages.map(({ recipient }) => recipient);
  // Mail of a type goes by what each has chosen of it: an unsubscribe from others says nothing.
  const isChosen = (options.campaign?.subscriptionTypeId ?? null) !== null;
  const suppressions = await findSuppressions(platform, db, recipients, transactional || isChosen);
  const rules = new Map<string, string>();
  for (const { id, recipient } of messages) {
    const isOutside = settings.sandbox_mode && !isWhitelisted(settings, recipient);
    const rule = isOutside ? 'sandbox' : suppressions.get(recipient)?.type;
    if (rule !== undefined) rules.set(id, rule);
  }
  return rules;
}
