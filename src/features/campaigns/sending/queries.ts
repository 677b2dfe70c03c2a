import { sql } from 'kysely';
import type { Gathered } from '../../../db/every-node.ts';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { CAMPAIGN_LANE } from '../../transmissions/index.ts';
import type { SendingJobRow } from '../emails/resource.ts';

/** People of a sending who are looked at in one transaction. */
export const PORTION = 5000;

/** A portion of those whom an e-mail is addressed to. */
export interface Portion {
  /** Whose messages are written, by the sending and the position after the last one. */
  readonly job: Pick<SendingJobRow, 'id' | 'recipients'>;
  /** Who was made later gets nothing. */
  readonly begunAt: string;
  readonly groups: readonly string[];
  /** The last person who was looked at before; null: nobody. */
  readonly after: string | null;
  /** Who left this type gets no message; null: it is of none. */
  readonly subscriptionTypeId: string | null;
  readonly now: Date;
}

/** What a portion came to. */
export interface FrozenPortion {
  readonly last: string | null;
  readonly looked_at: number;
  readonly written: number;
}

/**
 * Writes the messages to the next people, set-based: those who are active and have not left the type, each address once
 * however many groups and units know it. Suppressions and the sandbox are looked at when a message is handed over.
 */
export async function freezePortion(tx: ScopedDb, portion: Portion): Promise<FrozenPortion> {
  const { job, begunAt, groups, after, subscriptionTypeId, now } = portion;
  const { rows } = await tx.raw(
    (tenantId) => sql<FrozenPortion>`
    select last, looked_at, written from tessera_freeze_portion(${tenantId}::uuid, ${job.id}::uuid, ${begunAt}::timestamptz,
      ${groups}::uuid[], ${subscriptionTypeId}::text, ${after}::uuid, ${job.recipients}::int, ${CAMPAIGN_LANE}::int,
      ${now}::timestamptz, ${PORTION}::int)`,
  );
  return rows[0] ?? { last: null, looked_at: 0, written: 0 };
}

/** Whom a sending goes to that is being frozen, and since when; null when it is not, or is gone. */
export async function findFreezing(db: ScopedDb, jobId: string) {
  const row = await db.query
    .selectFrom('marketing_email_sending_jobs')
    .select(['groups', 'created_at'])
    .where('id', '=', jobId)
    .where('status', '=', 'freezing')
    .executeTakeFirst();
  return row ?? null;
}

/** How far the freezing of a sending has come; null when it has ended or is gone. Locked until the transaction ends. */
export async function lockFreezing(tx: ScopedDb, jobId: string) {
  const row = await tx.query
    .selectFrom('marketing_email_sending_jobs')
    .select(['id', 'recipients', 'groups', 'frozen_to', 'marketing_email_id', 'created_at'])
    .where('id', '=', jobId)
    .where('status', '=', 'freezing')
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Notes how far the freezing has come. */
export async function noteFrozen(
  tx: ScopedDb,
  jobId: string,
  frozenTo: string | null,
  recipients: number,
): Promise<void> {
  await tx.query
    .updateTable('marketing_email_sending_jobs')
    .set({ frozen_to: frozenTo, recipients })
    .where('id', '=', jobId)
    .execute();
}

/** The position of a sending before which all messages have ended. */
export async function findEndedTo(db: ScopedDb, jobId: string): Promise<number | null> {
  const row = await db.query
    .selectFrom('marketing_email_sending_jobs')
    .select('ended_to')
    .where('id', '=', jobId)
    .where('status', '=', 'sending')
    .executeTakeFirst();
  return row?.ended_to ?? null;
}

/** Notes that position. */
export async function noteEnded(db: ScopedDb, jobId: string, position: number): Promise<void> {
  const ended = { ended_to: position };
  await db.query.updateTable('marketing_email_sending_jobs').set(ended).where('id', '=', jobId).execute();
}

/** An e-mail that time may change. */
export interface UnderWay {
  readonly tenant_id: string;
  readonly id: string;
  readonly status: 'Scheduled' | 'Sending';
  readonly job_id: string;
}

/** The e-mails of all tenants that are due, and those that are being sent. */
export function listUnderWay(all: EveryTenantDb, now: Date): Promise<Gathered<UnderWay>> {
  return all.gather(
    (isAskedFor) => sql<UnderWay>`
    select e.tenant_id, e.id, e.status, e.job_id from marketing_emails e
    where ${isAskedFor('e.tenant_id')} and e.status in ('Scheduled', 'Sending') and e.sent_date <= ${now}`,
  );
}
