import { type Kysely, type Selectable, sql } from 'kysely';
import { storable } from '../../../db/storable.ts';
import type { Tables } from '../../../db/tables.ts';
import type { Claim } from '../../../ledger/ledger.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { TemplateError } from '../../email-templates/index.ts';
import type { EmailMessageRow, FreeData, StoredStatus, TransmissionRow } from '../tables.ts';

/** A message as the sender needs it. */
export type LoadedMessage = Pick<
  Selectable<EmailMessageRow>,
  'tenant_id' | 'id' | 'transmission_id' | 'recipient' | 'address' | 'name' | 'header_to' | 'refusals'
> & { readonly metadata: FreeData | null; readonly substitution_data: FreeData | null };

/** Reads messages of any tenants in one statement. */
export async function loadMessages(
  query: Kysely<Tables>,
  messages: readonly { readonly tenantId: string; readonly id: string }[],
): Promise<LoadedMessage[]> {
  const tenantIds = messages.map(({ tenantId }) => tenantId);
  const ids = messages.map(({ id }) => id);
  const { rows } =
    await sql<LoadedMessage>`select * from tessera_load_messages(${tenantIds}, ${ids})`.execute(query);
  return rows;
}

/** A transmission with everything that it sends. */
export type LoadedTransmission = Pick<
  Selectable<TransmissionRow>,
  | 'tenant_id'
  | 'id'
  | 'created_at'
  | 'scheduled_at'
  | 'transactional'
  | 'content'
  | 'options'
  | 'metadata'
  | 'substitution_data'
  | 'return_path'
>;

/** Reads a transmission. Nothing of it changes while it is sent. */
export function findWholeTransmission(db: ScopedDb, id: string): Promise<LoadedTransmission | undefined> {
  return db.query
    .selectFrom('transmissions')
    .select([
      ...(['tenant_id', 'id', 'created_at', 'scheduled_at', 'transactional', 'content'] as const),
      ...(['options', 'metadata', 'substitution_data', 'return_path'] as const),
    ])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** What an attempt made of a message. */
export interface MessageResult {
  readonly status: StoredStatus;
  readonly renderedAt?: Date;
  readonly renderError?: TemplateError;
  readonly suppressedBy?: string;
  readonly endedAt?: Date;
  /** How often the relay has refused it for now, this time included. */
  readonly refusals?: number;
}

/** Notes the results of attempts, in the transaction that settles them. */
export async function noteResults(
  query: Kysely<Tables>,
  results: readonly ({ readonly tenantId: string; readonly id: string } & MessageResult)[],
): Promise<void> {
  const rows = results.map((result) => ({
    tenant_id: result.tenantId,
    id: result.id,
    status: result.status,
    rendered_at: result.renderedAt,
    render_error: result.renderError,
    suppressed_by: result.suppressedBy,
    ended_at: result.endedAt,
    refusals: result.refusals,
  }));
  // An error quotes what templates and data hold.
  const json = JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'string' ? storable(value) : value,
  );
  await sql`select tessera_note_messages(${json})`.execute(query);
}

/** Settles messages that the relay has taken over, in one statement that needs no transaction around it. */
export async function noteSent(
  query: Kysely<Tables>,
  messages: readonly {
    readonly claim: Claim;
    readonly renderedAt: Date;
    readonly sentAt: Date;
    readonly answer: string;
  }[],
): Promise<void> {
  const rows = messages.map(({ claim, renderedAt, sentAt, answer }) => ({
    tenant_id: claim.tenantId,
    id: claim.id,
    rendered_at: renderedAt,
    sent_at: sentAt,
    relay_answer: answer,
  }));
  // In one order for all workers, which is that in which events lock the same rows.
  const ordered = rows.toSorted((a, b) => (a.tenant_id + a.id < b.tenant_id + b.id ? -1 : 1));
  await sql`select tessera_note_sent(${JSON.stringify(ordered)})`.execute(query);
}
