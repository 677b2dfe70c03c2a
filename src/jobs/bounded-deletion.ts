import { type QueryResult, type RawBuilder, sql } from 'kysely';

/** Rows to delete. */
export interface DoomedRows {
  readonly table: string;
  /** The primary key after `tenant_id`; absent: `id`. */
  readonly key?: readonly string[];
  /** SQL over the columns of a row `r`, with an index behind it. */
  readonly where: RawBuilder<unknown>;
  /** Where that index begins with the tenant: the tenants whose rows are looked for, each by itself. */
  readonly tenantIds?: readonly string[];
}

/**
 * Deletes rows, in statements of at most `limit` rows: the embedded database's one connection is never held for long,
 * and requests have it in between.
 */
export async function deleteRows(
  run: (statement: RawBuilder<unknown>) => Promise<QueryResult<unknown>>,
  rows: DoomedRows,
  limit: number,
): Promise<void> {
  const { table, key = ['id'], where, tenantIds } = rows;
  const columns = ['tenant_id', ...key];
  const matches = columns.map((column) => sql`${sql.ref(`d.${column}`)} = ${sql.ref(`doomed.${column}`)}`);
  const chosen = (of: RawBuilder<unknown>) => sql`
    select ${sql.join(columns.map((column) => sql.ref(`r.${column}`)))} from ${sql.table(table)} r
    where ${of} and (${where}) limit ${limit} for update`;
  const doomed =
    tenantIds === undefined
      ? chosen(sql`true`)
      : sql`select each.* from unnest(${tenantIds}::uuid[]) as t (tenant_id)
          cross join lateral (${chosen(sql`r.tenant_id = t.tenant_id`)}) each limit ${limit}`;
  const statement = sql`
    with doomed as materialized (${doomed})
    delete from ${sql.table(table)} d using doomed where ${sql.join(matches, sql` and `)}`;
  for (;;) {
    const { numAffectedRows } = await run(statement);
    if (Number(numAffectedRows ?? 0n) < limit) return;
  }
}
