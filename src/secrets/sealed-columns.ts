/** Columns with encrypted secrets. Each feature declares its own, so that keys can be rotated. */
import { type RawBuilder, sql } from 'kysely';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import { openedOrNull, SEALED_VALUE, type SecretBox, sealedWith } from './secret-box.ts';

/** A column with encrypted values: a text that is one, or JSON with such texts. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly type: 'text' | 'json';
  /** Types of the primary key columns after `tenant_id`, and of other columns that `sealedUnder` needs. */
  readonly key: Readonly<Record<string, 'uuid' | 'text' | 'int'>>;
  /** Returns the record id that the row's values are bound to. */
  readonly sealedUnder: (row: Readonly<Record<string, string>>) => string;
}

type SealedRow = Readonly<Record<string, string>> & { readonly tenant_id: string; readonly sealed: string };

/** Returns the id of the key of the first encrypted value found; null if there is none. */
export async function findSealingKey(
  all: EveryTenantDb,
  columns: readonly SealedColumn[],
): Promise<string | null> {
  for (const { table, column } of columns) {
    const text = sql`r.${sql.ref(column)}::text`;
    const { rows } = await all.raw(
      sql<{ sealed: string }>`
        select ${text} as sealed from ${sql.table(table)} r where ${text} ~ ${SEALED_VALUE.source} limit 1`,
    );
    const [found] = (rows[0]?.sealed ?? '').matchAll(SEALED_VALUE);
    if (found?.[1] !== undefined) return found[1];
  }
  return null;
}

/** Returns the number of rows with values encrypted with the key. */
export async function countSealed(
  all: EveryTenantDb,
  columns: readonly SealedColumn[],
  keyId: string,
): Promise<number> {
  let count = 0;
  for (const column of columns) {
    const { rows } = await all.raw(
      sql<{ count: number }>`
        select count(*) as count from ${sql.table(column.table)} r where ${isSealedWith(column, keyId)}`,
    );
    count += rows[0]?.count ?? 0;
  }
  return count;
}

/**
 * Re-encrypts values of the key `keyId` with the current key, in statements of `limit` rows. Values that cannot be
 * decrypted, or change meanwhile, are left for the next run.
 */
export async function reencrypt(
  all: EveryTenantDb,
  secrets: SecretBox,
  column: SealedColumn,
  { keyId, limit }: { readonly keyId: string; readonly limit: number },
): Promise<void> {
  for (let last: SealedRow | undefined; ; ) {
    const rows = await nextRows(all, column, { keyId, limit, last });
    const changes = rows.map((row) => ({
      ...row,
      resealed: resealed(secrets, row.sealed, column.sealedUnder(row)),
    }));
    await all.byTenant(
      changes,
      ({ tenant_id }) => tenant_id,
      (db, tenantRows) => writeRows(db, column, tenantRows),
    );
    last = rows.at(-1);
    if (rows.length < limit) return;
  }
}

function resealed(secrets: SecretBox, text: string, recordId: string): string {
  // Encrypted values contain no characters that JSON escapes, so text replacement is safe.
  return text.replaceAll(SEALED_VALUE, (sealed) => {
    const opened = openedOrNull(() => secrets.open(sealed, recordId));
    return opened === null ? sealed : secrets.seal(opened, recordId);
  });
}

function isSealedWith({ column }: SealedColumn, keyId: string): RawBuilder<unknown> {
  return sql`position(${sealedWith(keyId)} in r.${sql.ref(column)}::text) > 0`;
}

/** Returns `tenant_id` and the key columns, with their types. */
function keyOf({ key }: SealedColumn): (readonly [column: string, type: string])[] {
  return [['tenant_id', 'uuid'], ...Object.entries(key)];
}

async function nextRows(
  all: EveryTenantDb,
  column: SealedColumn,
  { keyId, limit, last }: { keyId: string; limit: number; last: SealedRow | undefined },
): Promise<SealedRow[]> {
  const key = keyOf(column);
  const names = sql.join(key.map(([name]) => sql.ref(`r.${name}`)));
  const values = key.map(([name, type]) => sql`${last?.[name] ?? null}::${sql.raw(type)}`);
  const after = last === undefined ? sql`true` : sql`(${names}) > (${sql.join(values)})`;
  const { rows } = await all.raw(
    sql<SealedRow>`
      select ${sql.join(key.map(([name]) => sql`r.${sql.ref(name)}::text as ${sql.ref(name)}`))},
        r.${sql.ref(column.column)}::text as sealed
      from ${sql.table(column.table)} r where ${after} and ${isSealedWith(column, keyId)}
      order by ${names} limit ${limit}`,
  );
  return rows;
}

async function writeRows(
  all: EveryTenantDb,
  column: SealedColumn,
  rows: readonly (SealedRow & { readonly resealed: string })[],
): Promise<void> {
  const key = keyOf(column);
  const listOf = (name: string) => rows.map((row) => row[name]);
  const lists = [...key, ['sealed', 'text'], ['resealed', 'text']].map(
    ([name = '', type = '']) => sql`${listOf(name)}::${sql.raw(type)}[]`,
  );
  const names = sql.join([...key.map(([name]) => name), 'sealed', 'resealed'].map((name) => sql.ref(name)));
  const target = sql.ref(column.column);
  const matches = key.map(([name]) => sql`r.${sql.ref(name)} = v.${sql.ref(name)}`);
  if (all.tenantId !== null) matches.push(sql`r.tenant_id = ${all.tenantId}`);
  await all.raw(sql`
    update ${sql.table(column.table)} r set ${target} = v.resealed::${sql.raw(column.type)}
    from unnest(${sql.join(lists)}) as v (${names})
    where ${sql.join(matches, sql` and `)} and r.${target}::text = v.sealed`);
}
