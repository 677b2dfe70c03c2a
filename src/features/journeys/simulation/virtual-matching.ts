/**
 * Matches a virtual subscriber against filters. Common table expressions with the virtual data shadow the tables that
 * the filters read. Nothing is written.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** A subscriber as filters read it. */
export interface VirtualRow {
  readonly id: string;
  readonly owner_bu_id: string;
  readonly first_name: string;
  readonly last_name: string | null;
  readonly email: string;
  /** Normalized address. */
  readonly address_key: string;
  readonly active: boolean;
  readonly additional_fields_data: object;
  readonly created_at: string;
  readonly updated_at: string;
  readonly lists: readonly string[];
  readonly audiences: readonly string[];
  /** Opens and clicks in the simulation. */
  readonly engagements: readonly { readonly opened_at: string | null; readonly clicked_at: string | null }[];
}

/** Id of the transmission of simulated mails. */
const SIMULATED = '00000000-0000-0000-0000-000000000000';

/** Returns true if the virtual subscriber meets all conditions. */
export async function matchVirtual(
  db: ScopedDb,
  { lists, audiences, engagements, ...subscriber }: VirtualRow,
  conditions: readonly Expression<SqlBool>[],
): Promise<boolean> {
  const members = [
    ...lists.map((group_id) => ({ group_id, is_audience: false })),
    ...audiences.map((group_id) => ({ group_id, is_audience: true })),
  ];
  const { rows } = await db.raw(
    (tenantId) => sql<{ isMet: boolean }>`
    with subscribers as materialized (
      select ${tenantId}::uuid as tenant_id, g.* from json_to_record(${JSON.stringify(subscriber)}::json) as g (id uuid,
        owner_bu_id uuid, first_name text, last_name text, email text, address_key text, active boolean,
        additional_fields_data json, created_at timestamptz, updated_at timestamptz)
    ), subscriber_group_members as materialized (
      select ${tenantId}::uuid as tenant_id, g.group_id, ${subscriber.id}::uuid as subscriber_id, g.is_audience
      from json_to_recordset(${JSON.stringify(members)}::json) as g (group_id uuid, is_audience boolean)
    ), email_messages as materialized (
      select m.id, m.recipient, m.transmission_id, m.opened_at, m.clicked_at from email_messages m
      where m.tenant_id = ${tenantId}::uuid and m.recipient = ${subscriber.address_key}
      union all
      select ${SIMULATED}::uuid, ${subscriber.address_key}::text, ${SIMULATED}::uuid, g.opened_at, g.clicked_at
      from json_to_recordset(${JSON.stringify(engagements)}::json) as g (opened_at timestamptz, clicked_at timestamptz)
    ), transmissions as materialized (
      select t.id, t.owner_bu_id from transmissions t
      where t.tenant_id = ${tenantId}::uuid and t.id in (select transmission_id from email_messages)
      union all
      select ${SIMULATED}::uuid, ${subscriber.owner_bu_id}::uuid
    )
    select ${sql.join([sql`true`, ...conditions.map((condition) => sql`(${condition})`)], sql` and `)} as "isMet"
    from subscribers`,
  );
  return rows[0]?.isMet ?? false;
}
