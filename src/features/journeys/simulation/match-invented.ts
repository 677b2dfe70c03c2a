/**
 * Whether somebody who is made up, or changed in mind only, meets filters: these ask the tables of people, groups and mail, in
 * whose place the statement puts what is made up. Nothing is written.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** Somebody as filters see them. */
export interface Invented {
  readonly id: string;
  readonly owner_bu_id: string;
  readonly first_name: string;
  readonly last_name: string | null;
  readonly email: string;
  /** Normal form of the address. */
  readonly address_key: string;
  readonly active: boolean;
  readonly additional_fields_data: object;
  readonly created_at: string;
  readonly updated_at: string;
  readonly lists: readonly string[];
  readonly audiences: readonly string[];
  /** What was opened and clicked in the simulation. */
  readonly engaged: readonly { readonly opened_at: string | null; readonly clicked_at: string | null }[];
}

/** The transmission to which simulated mails belong. */
const SIMULATED = '00000000-0000-0000-0000-000000000000';

/** Whether all conditions hold for somebody. */
export async function matchInvented(
  db: ScopedDb,
  { lists, audiences, engaged, ...person }: Invented,
  conditions: readonly Expression<SqlBool>[],
): Promise<boolean> {
  const members = [
    ...lists.map((group_id) => ({ group_id, is_audience: false })),
    ...audiences.map((group_id) => ({ group_id, is_audience: true })),
  ];
  const { rows } = await db.raw(
    (tenantId) => sql<{ isMet: boolean }>`
    with subscribers as materialized (
      select ${tenantId}::uuid as tenant_id, g.* from json_to_record(${JSON.stringify(person)}::json) as g (id uuid,
        owner_bu_id uuid, first_name text, last_name text, email text, address_key text, active boolean,
        additional_fields_data json, created_at timestamptz, updated_at timestamptz)
    ), subscriber_group_members as materialized (
      select ${tenantId}::uuid as tenant_id, g.group_id, ${person.id}::uuid as subscriber_id, g.is_audience
      from json_to_recordset(${JSON.stringify(members)}::json) as g (group_id uuid, is_audience boolean)
    ), email_messages as materialized (
      select m.id, m.recipient, m.transmission_id, m.opened_at, m.clicked_at from email_messages m
      where m.tenant_id = ${tenantId}::uuid and m.recipient = ${person.address_key}
      union all
      select ${SIMULATED}::uuid, ${person.address_key}::text, ${SIMULATED}::uuid, g.opened_at, g.clicked_at
      from json_to_recordset(${JSON.stringify(engaged)}::json) as g (opened_at timestamptz, clicked_at timestamptz)
    ), transmissions as materialized (
      select t.id, t.owner_bu_id from transmissions t
      where t.tenant_id = ${tenantId}::uuid and t.id in (select transmission_id from email_messages)
      union all
      select ${SIMULATED}::uuid, ${person.owner_bu_id}::uuid
    )
    select ${sql.join([sql`true`, ...conditions.map((condition) => sql`(${condition})`)], sql` and `)} as "isMet"
    from subscribers`,
  );
  return rows[0]?.isMet ?? false;
}
