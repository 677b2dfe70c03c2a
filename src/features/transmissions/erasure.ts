/** Mail that goes for good, with all that is told of it. */
import { sql } from 'kysely';
import { deleteCopies } from '../../mail/outbox-transport.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { deleteMessageEvents } from '../email-tracking/index.ts';

/** Removes transmissions with their messages, whatever became of them, their events and copies in the outbox. */
export async function deleteTransmissions(tx: ScopedDb, ids: readonly string[]): Promise<void> {
  const isAnyOf = (those: readonly string[]) => sql<string>`any(${those}::uuid[])`;
  await tx.query.deleteFrom('transmissions').where('id', '=', isAnyOf(ids)).execute();
  // In the order in which senders and events lock them: none waits for the other for good.
  const messages = await tx.query
    .selectFrom('email_messages')
    .select('id')
    .where('transmission_id', '=', isAnyOf(ids))
    .orderBy('id')
    .forUpdate()
    .execute();
  const messageIds = messages.map(({ id }) => id);
  if (messageIds.length === 0) return;
  await tx.query.deleteFrom('email_messages').where('id', '=', isAnyOf(messageIds)).execute();
  await deleteMessageEvents(tx, messageIds);
}

/** Whose messages are to be erased. */
export interface ErasedPerson {
  readonly subscriberId: string;
  readonly ownerBuId: string;
  /** All that the person has had, in their normal form. */
  readonly addresses: readonly string[];
}

/**
 * Takes a person out of the messages to it: those that name it, whichever unit sent them and to whichever address, and
 * those that its own unit sent to its addresses alone. What became of them is still counted; those that nobody has handed
 * over yet are not sent any more. With what was seen of them, and their copies in the outbox.
 */
export async function eraseMessagesTo(tx: ScopedDb, person: ErasedPerson, now: Date): Promise<void> {
  const ids = await lockMessagesTo(tx, person);
  if (ids.length === 0) return;
  await tx.raw(
    (tenantId) => sql`
    update email_messages m set recipient = '', address = '', name = null, header_to = null, metadata = null,
      substitution_data = null, render_error = null, relay_answer = null, bounce_reason = null,
      last_error = case when m.last_error is null and m.state <> 'pending' then null else 'The recipient was erased.' end,
      ended_at = case when m.state = 'pending' then ${now}::timestamptz else m.ended_at end,
      status = case when m.status = 'queued' then 'failed' else m.status end,
      state = case when m.state = 'pending' then 'failed' else m.state end
    where m.tenant_id = ${tenantId}::uuid and m.id = any(${ids}::uuid[])`,
  );
  await deleteMessageEvents(tx, ids);
  await deleteCopies(tx, ids);
}

/** In the order in which senders and events lock them. */
async function lockMessagesTo(
  tx: ScopedDb,
  { subscriberId, ownerBuId, addresses }: ErasedPerson,
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
