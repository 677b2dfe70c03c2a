/** Deletes and erases messages with their events and copies. */
import { sql } from 'kysely';
import { deleteOutboxCopies } from '../../../mail/outbox-transport.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { deleteMessageEvents } from '../email-tracking/index.ts';

/** Deletes transmissions with their messages, events and copies in the outbox. */
export async function deleteTransmissions(tx: ScopedDb, ids: readonly string[]): Promise<void> {
  const anyOf = (ids: readonly string[]) => sql<string>`any(${ids}::uuid[])`;
  await tx.query.deleteFrom('transmissions').where('id', '=', anyOf(ids)).execute();
  // Locked in the same order as by senders and events, to avoid deadlocks.
  const messages = await tx.query
    .selectFrom('email_messages')
    .select('id')
    .where('transmission_id', '=', anyOf(ids))
    .orderBy('id')
    .forUpdate()
    .execute();
  const messageIds = messages.map(({ id }) => id);
  if (messageIds.length === 0) return;
  await tx.query.deleteFrom('email_messages').where('id', '=', anyOf(messageIds)).execute();
  await deleteMessageEvents(tx, messageIds);
}

/** The subscriber whose messages are erased. */
export interface ErasedSubscriber {
  readonly subscriberId: string;
  readonly ownerBuId: string;
  /** All normalized addresses that the subscriber has had. */
  readonly addresses: readonly string[];
}

/**
 * Erases a subscriber from messages: those to the subscriber, of any unit and address, and those of the subscriber's
 * unit to its addresses alone. Counts stay, and unsent messages are no longer sent. Deletes their events and copies in
 * the outbox.
 */
export async function eraseMessagesTo(tx: ScopedDb, subscriber: ErasedSubscriber, now: Date): Promise<void> {
  const ids = await lockMessagesTo(tx, subscriber);
  if (ids.length === 0) return;
  await tx.raw(
    (tenantId) => sql`
    update email_messages m set recipient = '', address = '', name = null, header_to = null, metadata = null,
      substitution_data = null, render_error = null, relay_answer = null, bounce_reason = null,
      last_error = case when m.last_error is null and m.state <> 'pending' then null else 'The recipient was erased.' end,
      ended_at = case when m.state = 'pending' then ${now}::timestamptz else m.ended_at end,
      status = case when m.status = 'queued' then 'failed' else m.status end,
      state = case when m.state = 'pending' then 'failed' else m.state end, claim_id = null
    where m.tenant_id = ${tenantId}::uuid and m.id = any(${ids}::uuid[])`,
  );
  await deleteMessageEvents(tx, ids);
  await deleteOutboxCopies(tx, ids);
}

/** Locks the messages to a subscriber, in the same order as senders and events. */
async function lockMessagesTo(
  tx: ScopedDb,
  { subscriberId, ownerBuId, addresses }: ErasedSubscriber,
): Promise<string[]> {
  const { rows } = await tx.raw(
    (tenantId) => sql<{ id: string }>`
    select m.id from email_messages m where m.tenant_id = ${tenantId}::uuid and m.id in (
      select named.id from email_messages named
      where named.tenant_id = ${tenantId}::uuid and named.subscriber_id = ${subscriberId}::uuid
      union all
      select sent.id from email_messages sent
      join transmissions t on t.tenant_id = ${tenantId}::uuid and t.id = sent.transmission_id
      where sent.tenant_id = ${tenantId}::uuid and sent.recipient = any(${addresses}::text[])
        and sent.subscriber_id is null and t.owner_bu_id = ${ownerBuId}::uuid)
    order by m.id for update of m`,
  );
  return rows.map(({ id }) => id);
}
