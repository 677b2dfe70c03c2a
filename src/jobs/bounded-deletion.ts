import { type QueryResult, type RawBuilder, sql } from 'kysely';

/** Rows to delete. */
export interface DoomedRows {
  readonly table: string;
  /** The primary key after `tenant_id`; absent: `id`. */
  readonly key?: readonly string[];
  /** SQL over the columns of a row `r`, with an index behind it. */
  readonly where: RawBuilder<unknown>;
  /**
   * The tenants whose rows are looked for, each by itself; absent: those of all, by an index that does not begin with the
   * tenant. One alone where tenants are spread over nodes.
   */
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
  const chosen = (of: RawBuilder<unknown>) => sql`
    select ${sql.join(columns.map((column) => sql.ref(`r.${column}`)))} from ${sql.table(table)} r
    where ${of} and (${where}) limit ${limit} for update`;
  const ofOne = (tenantId: string, alias: string) =>
    sql`${sql.ref(`${alias}.tenant_id`)} = ${tenantId}::uuid`;
  const [tenantId, ...others] = tenantIds ?? [];
  const isOfOne = tenantId !== undefined && others.length === 0;
  const doomed = () => {
    if (tenantIds === undefined) return chosen(sql`true`);
    if (isOfOne) return chosen(ofOne(tenantId, 'r'));
    return sql`select each.* from unnest(${tenantIds}::uuid[]) as t (tenant_id)
      cross join lateral (${chosen(sql`r.tenant_id = t.tenant_id`)}) each limit ${limit}`;
  };
  const matches = columns.map((column) => sql`${sql.ref(`d.${column}`)} = ${sql.ref(`doomed.${column}`)}`);
  if (isOfOne) matches.push(ofOne(tenantId, 'd'));
  const statement = sql`
    with doomed as materialized (${doomed()})
    delete from ${sql.table(table)} d using doomed where ${sql.join(matches, sql` and `)}`;
  for (;;) {
    const { numAffectedRows } = await run(statement);
    if (Number(numAffectedRows ?? 0n) < limit) return;
  }
}
