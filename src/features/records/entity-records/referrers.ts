/** A record cannot be deleted while other records refer to it. */
import { type SqlBool, sql } from 'kysely';
import { AppError } from '../../../errors/app-error.ts';
import { runCompiled } from '../../../resources/compiled-statements.ts';
import { listFirst, MAX_USES } from '../../../resources/uses.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { EntityModel, StoredField } from '../entities/index.ts';
import type { EntityContext } from './entity-context.ts';
import { RECORD_IN_USE } from './errors.ts';
import { ROWS } from './shown-fields.ts';

interface Referrer {
  readonly id: string;
  /** Number of records that refer by the same field. */
  readonly total: number;
}

/**
 * Refuses a deletion if other records refer to these. It names those that the caller sees; the database also refuses
 * because of others.
 * @throws AppError RECORD_IN_USE.
 */
export async function refuseReferred(
  { db, models, model }: EntityContext,
  ids: readonly string[],
): Promise<void> {
  const names: string[] = [];
  let total = 0;
  for (const other of models.all()) {
    for (const field of other.fields.values()) {
      if (field.refersTo !== model.name) continue;
      const found = await readReferrers(db, { model, other, field }, ids);
      names.push(...found.map(({ id }) => `${other.name} ${id} (${field.name})`));
      total += found[0]?.total ?? 0;
    }
  }
  if (total === 0) return;
  const message = `Other records refer to this one: ${listFirst(names.slice(0, MAX_USES), total)}.`;
  throw new AppError(RECORD_IN_USE, { message });
}

/** A field that refers to an entity. */
interface Reference {
  readonly model: EntityModel;
  readonly other: EntityModel;
  readonly field: StoredField;
}

/** Reads the first records that refer to these and are not among them. */
function readReferrers(
  db: ScopedDb,
  { model, other, field }: Reference,
  ids: readonly string[],
): Promise<Referrer[]> {
  const shape = `referrers ${field.column}`;
  return runCompiled<Referrer>(db, other, shape, [ids], (query, [slot]) => {
    const column = sql.ref(`${ROWS}.${field.column}`);
    const rows = query
      .selectFrom(`${other.table} as ${ROWS}`)
      .innerJoin(`${model.table} as target`, (join) =>
        join.onRef('target.id', '=', `${ROWS}.${field.column}`),
      )
      .select(sql.ref(`${ROWS}.id`).as('id'))
      .select(sql<number>`count(*) over ()`.as('total'))
      .where(sql<SqlBool>`${column} = any(${slot}::uuid[])`)
      .orderBy(`${ROWS}.id`)
      .limit(MAX_USES);
    return model.name === other.name
      ? rows.where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} <> all(${slot}::uuid[])`)
      : rows;
  });
}
