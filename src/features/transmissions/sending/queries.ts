import { type Selectable, sql } from 'kysely';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import { storable } from '../../../db/storable.ts';
import type { Settlement } from '../../../ledger/ledger.ts';
import { toRow } from '../../../ledger/ledger-queries.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { TemplateError } from '../../email-templates/index.ts';
import { type MessageEvent, messageEventsCall } from '../../email-tracking/index.ts';
import type { EmailMessageRow, FreeData, StoredStatus, TransmissionRow } from '../tables.ts';

/** A message as the sender needs it. */
export type LoadedMessage = Pick<
  Selectable<EmailMessageRow>,
  'tenant_id' | 'id' | 'transmission_id' | 'recipient' | 'address' | 'name' | 'header_to' | 'refusals'
> & { readonly metadata: FreeData | null; readonly substitution_data: FreeData | null };

/** Reads messages of any tenants in one statement. */
export async function loadMessages(
  all: EveryTenantDb,
  messages: readonly { readonly tenantId: string; readonly id: string }[],
): Promise<LoadedMessage[]> {
  const tenantIds = messages.map(({ tenantId }) => tenantId);
  const ids = messages.map(({ id }) => id);
  const { rows } = await all.raw(
    sql<LoadedMessage>`select * from tessera_load_messages(${tenantIds}, ${ids})`,
  );
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

/** What an attempt found out about its message. */
export interface MessageNote {
  readonly status: StoredStatus;
  readonly renderedAt?: Date | undefined;
  readonly renderError?: TemplateError;
  readonly suppressedBy?: string;
  /** When the relay took it over, and with what words. */
  readonly sentAt?: Date;
  readonly answer?: string;
  readonly endedAt?: Date;
  /** How often the relay has refused it for now, this time included. */
  readonly refusals?: number;
  /** What is to be recorded as having happened to it. */
  readonly event?: Omit<MessageEvent, 'tenantId' | 'messageId'>;
}

/** Settles messages and records their events; returns how many deliveries to event webhooks are owed for them. */
export async function settleMessages(
  all: EveryTenantDb,
  settlements: readonly Settlement<MessageNote>[],
  now: Date,
): Promise<number> {
  // In one order for all workers, which is that in which events lock the same rows.
  const rows = settlements.map(toSettledRow).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const events = settlements.flatMap(({ claim: { tenantId, id: messageId }, outcome }) => {
    const event = 'note' in outcome ? outcome.note?.event : undefined;
    return event === undefined ? [] : [{ tenantId, messageId, ...event }];
  });
  const recorded = events.length === 0 ? sql`0` : messageEventsCall(events, now);
  // An error quotes what templates and data hold, and an answer what a relay says.
  const json = JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'string' ? storable(value) : value,
  );
  const { rows: answers } = await all.raw(sql<{ deliveries: number }>`
    select tessera_settle_messages(${json}), ${recorded} as deliveries`);
  return answers[0]?.deliveries ?? 0;
}

function toSettledRow(settlement: Settlement<MessageNote>) {
  const row = toRow(settlement);
  // An attempt that broke has no note.
  const broken =
    row.state === 'failed'
      ? ({ status: 'failed', endedAt: settlement.at } as const)
      : ({ status: 'queued' } as const);
  const note: MessageNote = ('note' in settlement.outcome ? settlement.outcome.note : undefined) ?? broken;
  return {
    ...row,
    status: note.status,
    rendered_at: note.renderedAt,
    render_error: note.renderError,
    suppressed_by: note.suppressedBy,
    sent_at: note.sentAt,
    relay_answer: note.answer,
    ended_at: note.endedAt,
    refusals: note.refusals,
  };
}

function keyOf({ tenant_id, id }: { readonly tenant_id: string; readonly id: string }): string {
  return tenant_id + id;
}
