import { sql } from 'kysely';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { homeIn } from '../../../tenancy/tenant-home.ts';
import { CAMPAIGN_LANE } from '../../transmissions/index.ts';
import type { SendingJobRow } from '../emails/resource.ts';
import { hasLeft } from './has-left.ts';

/** People of a sending who are looked at in one transaction. */
export const PORTION = 5000;

/** A portion of those whom an e-mail is addressed to. */
export interface Portion {
  /** Whose messages are written, by the sending and the position after the last one. */
  readonly job: Pick<SendingJobRow, 'id' | 'recipients'>;
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
export async function freezePortion(
  tx: ScopedDb,
  { job, groups, after, subscriptionTypeId, now }: Portion,
): Promise<FrozenPortion> {
  const { rows } = await tx.raw(
    (tenantId) => sql<FrozenPortion>`
    with picked as materialized (
      select distinct each.subscriber_id as id from unnest(${groups}::uuid[]) as wanted (group_id)
      cross join lateral (
        select m.subscriber_id from subscriber_group_members m
        where m.tenant_id = ${tenantId}::uuid and m.group_id = wanted.group_id
          and (${after}::uuid is null or m.subscriber_id > ${after}::uuid)
        order by m.subscriber_id limit ${PORTION}) each
      order by id limit ${PORTION}
    ), people as materialized (
      select distinct on (s.address_key) s.id, s.email, s.address_key,
        nullif(trim(concat_ws(' ', s.first_name, s.last_name)), '') as name
      from picked join subscribers s on s.tenant_id = ${tenantId}::uuid and s.id = picked.id
      where s.active and not ${hasLeft(tenantId, subscriptionTypeId)}
      order by s.address_key, s.created_at
    ), fresh as materialized (
      select * from people where not exists (
        select from email_messages known
        where known.tenant_id = ${tenantId}::uuid and known.recipient = people.address_key
          and known.transmission_id = ${job.id}::uuid)
    ), written as (
      insert into email_messages (tenant_id, id, target_id, lane, state, due_at, attempts, transmission_id, position,
        created_at, subscriber_id, recipient, address, name, status)
      select home.tenant_id, tessera_uuidv7(${now}), md5(${job.id}::text || split_part(fresh.address_key, '@', 2))::uuid,
        ${CAMPAIGN_LANE}, 'pending', ${now}, 0, ${job.id}::uuid, ${job.recipients}::int - 1 + row_number() over (order by fresh.id),
        ${now}, fresh.id, fresh.address_key, fresh.email, fresh.name, 'queued'
      from fresh cross join ${homeIn(tenantId)}
      returning 1
    )
    select (select max(id::text) from picked)::uuid as last, (select count(*)::int from picked) as looked_at,
      (select count(*)::int from written) as written`,
  );
  return rows[0] ?? { last: null, looked_at: 0, written: 0 };
}

/** How far the freezing of a sending has come; null when it has ended or is gone. Locked until the transaction ends. */
export async function lockFreezing(tx: ScopedDb, jobId: string) {
  const row = await tx.query
    .selectFrom('marketing_email_sending_jobs')
    .select(['id', 'recipients', 'groups', 'frozen_to', 'marketing_email_id'])
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
export async function listUnderWay(all: EveryTenantDb, now: Date): Promise<readonly UnderWay[]> {
  const { rows } = await all.gather(
    (isAskedFor) => sql<UnderWay>`
    select e.tenant_id, e.id, e.status, e.job_id from marketing_emails e
    where ${isAskedFor('e.tenant_id')} and e.status in ('Scheduled', 'Sending') and e.sent_date <= ${now}`,
  );
  return rows;
}
