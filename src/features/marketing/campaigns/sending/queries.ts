import { sql } from 'kysely';
import type { EveryTenantDb } from '../../../../db/every-tenant.ts';
import type { Gathered } from '../../../../db/gathered-rows.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { sendings } from '../../../mail/api.ts';
import type { SendingJobRow } from '../emails/resource.ts';

/** Subscribers processed in one transaction. */
export const BATCH_SIZE = 5000;

/** Input of one batch of messages. */
export interface MessageBatch {
  /** The sending, and the number of messages written before. */
  readonly job: Pick<SendingJobRow, 'id' | 'recipients'>;
  /** Subscribers who joined later get no message. */
  readonly startedAt: string;
  readonly groups: readonly string[];
  /** Id of the last subscriber of the previous batch; null for the first batch. */
  readonly after: string | null;
  /** Subscribers who unsubscribed from this type get no message; null for no type. */
  readonly subscriptionTypeId: string | null;
  readonly now: Date;
}

/** Result of a batch. */
export interface BatchResult {
  /** Id of the last subscriber that was read; null if there is none. */
  readonly last: string | null;
  /** Number of subscribers that were read. */
  readonly scanned: number;
  /** Number of messages that were written. */
  readonly written: number;
}

/**
 * Writes the messages to the next active subscribers who have not unsubscribed from the type. Each address gets one
 * message, even if it is in several groups or units. Suppressions and the sandbox are checked later, when messages are
 * sent.
 */
export async function writeBatch(tx: ScopedDb, batch: MessageBatch): Promise<BatchResult> {
  const { job, startedAt, groups, after, subscriptionTypeId, now } = batch;
  const { rows } = await tx.raw(
    (tenantId) => sql<BatchResult>`
    select last, scanned, written from tessera_snapshot_batch(${tenantId}::uuid, ${job.id}::uuid, ${startedAt}::timestamptz,
      ${groups}::uuid[], ${subscriptionTypeId}::text, ${after}::uuid, ${job.recipients}::int, ${sendings.CAMPAIGN_LANE}::int,
      ${now}::timestamptz, ${BATCH_SIZE}::int)`,
  );
  return rows[0] ?? { last: null, scanned: 0, written: 0 };
}

/** Finds the groups and start of a sending whose audience snapshot is unfinished. Null for any other sending. */
export async function findUnfinishedJob(db: ScopedDb, jobId: string) {
  const row = await db.query
    .selectFrom('marketing_email_sending_jobs')
    .select(['groups', 'created_at'])
    .where('id', '=', jobId)
    .where('status', '=', 'freezing')
    .executeTakeFirst();
  return row ?? null;
}

/** Locks a sending whose audience snapshot is unfinished and returns its progress. Null for any other sending. */
export async function lockUnfinishedJob(tx: ScopedDb, jobId: string) {
  const row = await tx.query
    .selectFrom('marketing_email_sending_jobs')
    .select(['id', 'recipients', 'groups', 'frozen_to', 'marketing_email_id', 'created_at'])
    .where('id', '=', jobId)
    .where('status', '=', 'freezing')
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Stores the progress of an audience snapshot. */
export async function recordProgress(
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

/** Finds the position of a sending before which all messages have ended. */
export async function findEndedPosition(db: ScopedDb, jobId: string): Promise<number | null> {
  const row = await db.query
    .selectFrom('marketing_email_sending_jobs')
    .select('ended_to')
    .where('id', '=', jobId)
    .where('status', '=', 'sending')
    .executeTakeFirst();
  return row?.ended_to ?? null;
}

/** Stores the position before which all messages have ended. */
export async function recordEndedPosition(db: ScopedDb, jobId: string, position: number): Promise<void> {
  const ended = { ended_to: position };
  await db.query.updateTable('marketing_email_sending_jobs').set(ended).where('id', '=', jobId).execute();
}

/** A scheduled email that is due, or one that is being sent. */
export interface ActiveEmail {
  readonly tenant_id: string;
  readonly id: string;
  readonly status: 'Scheduled' | 'Sending';
  readonly job_id: string;
}

/** Lists emails of all tenants that are due or being sent. */
export function listActiveEmails(all: EveryTenantDb, now: Date): Promise<Gathered<ActiveEmail>> {
  return all.gather(
    (inTenants) => sql<ActiveEmail>`
    select e.tenant_id, e.id, e.status, e.job_id from marketing_emails e
    where ${inTenants('e.tenant_id')} and e.status in ('Scheduled', 'Sending') and e.sent_date <= ${now}`,
  );
}
