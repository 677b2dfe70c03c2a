import { type QueryResult, type RawBuilder, sql } from 'kysely';

/** Rows to delete. */
export interface DeletedRows {
  readonly table: string;
  /** The primary key after `tenant_id`; absent: `id`. */
  readonly key?: readonly string[];
  /** SQL over the columns of a row `r`, with an index behind it. */
  readonly where: RawBuilder<unknown>;
  /**
   * Tenants whose rows are deleted; absent: all tenants, by an index that does not begin with the tenant. On a cluster,
   * exactly one.
   */
  readonly tenantIds?: readonly string[];
  /** A table whose rows are deleted with those that they name in `column`; the key of `table` is then `id`. */
  readonly dependents?: { readonly table: string; readonly column: string };
}

/**
 * Deletes rows in statements of at most `limit` rows, so that requests can use the embedded database's only connection
 * in between.
 */
export async function deleteRows(
  run: (statement: RawBuilder<unknown>) => Promise<QueryResult<unknown>>,
  rows: DeletedRows,
  limit: number,
): Promise<void> {
  const { table, key = ['id'], where, tenantIds, dependents } = rows;
  const columns = ['tenant_id', ...key];
  const selectRows = (condition: RawBuilder<unknown>) => sql`
    select ${sql.join(columns.map((column) => sql.ref(`r.${column}`)))} from ${sql.table(table)} r
    where ${condition} and (${where}) limit ${limit} for update`;
  const isTenant = (tenantId: string, alias: string) =>
    sql`${sql.ref(`${alias}.tenant_id`)} = ${tenantId}::uuid`;
  const [tenantId, ...others] = tenantIds ?? [];
  const isSingleTenant = tenantId !== undefined && others.length === 0;
  const selectBatch = () => {
    if (tenantIds === undefined) return selectRows(sql`true`);
    if (isSingleTenant) return selectRows(isTenant(tenantId, 'r'));
    return sql`select each.* from unnest(${tenantIds}::uuid[]) as t (tenant_id)
      cross join lateral (${selectRows(sql`r.tenant_id = t.tenant_id`)}) each limit ${limit}`;
  };
  const matches = columns.map((column) => sql`${sql.ref(`d.${column}`)} = ${sql.ref(`batch.${column}`)}`);
  if (isSingleTenant) matches.push(isTenant(tenantId, 'd'));
  const deleteDependents = ({ table: dependent, column }: NonNullable<DeletedRows['dependents']>) => sql`
    , deleted_dependents as (
      delete from ${sql.table(dependent)} a using batch
      where a.tenant_id = ${isSingleTenant ? sql`${tenantId}::uuid` : sql`batch.tenant_id`}
        and ${sql.ref(`a.${column}`)} = batch.id)`;
  const statement = sql`
    with batch as materialized (${selectBatch()})
    ${dependents === undefined ? sql`` : deleteDependents(dependents)}
    delete from ${sql.table(table)} d using batch where ${sql.join(matches, sql` and `)}`;
  for (;;) {
    const { numAffectedRows } = await run(statement);
    if (Number(numAffectedRows ?? 0n) < limit) return;
  }
}
