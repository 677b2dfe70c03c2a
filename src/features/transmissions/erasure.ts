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

/**
 * Takes a person out of the messages that a unit has sent to an address (normal form): what became of them is still counted.
 * Those that nobody has handed over yet are not sent any more. With what was seen of them, and their copies in the outbox.
 */
export async function eraseMessagesTo(
  tx: ScopedDb,
  { recipient, ownerBuId }: { readonly recipient: string; readonly ownerBuId: string },
  now: Date,
): Promise<void> {
  const { rows } = await tx.raw(
    (tenantId) => sql<{ id: string }>`
    update email_messages m set recipient = '', address = '', name = null, header_to = null, metadata = null,
      substitution_data = null, render_error = null, relay_answer = null, bounce_reason = null,
      last_error = case when m.last_error is null and m.state <> 'pending' then null else 'The recipient was erased.' end,
      ended_at = case when m.state = 'pending' then ${now}::timestamptz else m.ended_at end,
      status = case when m.status = 'queued' then 'failed' else m.status end,
      state = case when m.state = 'pending' then 'failed' else m.state end
    where m.tenant_id = ${tenantId}::uuid and m.recipient = ${recipient} and exists (
      select from transmissions t where t.tenant_id = ${tenantId}::uuid and t.id = m.transmission_id
        and t.owner_bu_id = ${ownerBuId}::uuid)
    returning m.id`,
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  await deleteMessageEvents(tx, ids);
  await deleteCopies(tx, ids);
}
