import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../db/sqlstate.ts';
import type { Time } from '../db/tables.ts';
import type { Clock } from '../platform.ts';
import { type Scope, wholeTenant } from '../tenancy/scope.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { normalizeAddress } from './address.ts';
import type { MailTransport } from './transport.ts';

/** A captured message. `recipient` is the normalized recipient of the envelope. */
export interface OutboxTable {
  tenant_id: string;
  id: string;
  /** Row of the message in `email_messages`, with which this copy is deleted. Null if the message has no row. */
  message_id: string | null;
  created_at: Time;
  envelope_from: string;
  recipient: string;
  header_from: string;
  subject: string;
  raw: Buffer;
}

declare module '../db/tables.ts' {
  interface Tables {
    email_outbox: OutboxTable;
  }
}

/** Services that the outbox needs; the platform itself does not exist yet when the transport is created. */
export interface OutboxParts {
  readonly clock: Clock;
  readonly scoped: (scope: Scope) => ScopedDb;
}

/** Stores messages in the database, for installations without a relay. /admin/outbox lists them. */
export function createOutboxTransport({ clock, scoped }: OutboxParts): MailTransport {
  return {
    async send(tenantId, message, mime) {
      const id = uuidv7();
      try {
        await scoped(wholeTenant(tenantId))
          .query.insertInto('email_outbox')
          .values({
            tenant_id: tenantId,
            id,
            message_id: message.id ?? null,
            created_at: clock().toISOString(),
            envelope_from: message.envelope.from,
            recipient: normalizeAddress(message.envelope.to),
            header_from: message.from.address,
            subject: message.subject,
            raw: mime,
          })
          .execute();
      } catch (error) {
        if (isSqlState(error, FOREIGN_KEY_VIOLATION, 'email_outbox_message'))
          return { kind: 'sent', reply: '250 2.0.0 not captured: the message was erased' };
        return {
          kind: 'unavailable',
          error: `the outbox: ${error instanceof Error ? error.message : error}`,
          hasBodyStarted: false,
        };
      }
      return { kind: 'sent', reply: `250 2.0.0 captured as ${id}` };
    },
    close: async () => {},
  };
}

/** Deletes the captured copies of messages. */
export async function deleteOutboxCopies(tx: ScopedDb, messageIds: readonly string[]): Promise<void> {
  await tx.query
    .deleteFrom('email_outbox')
    .where('message_id', '=', sql<string>`any(${messageIds}::uuid[])`)
    .execute();
}
