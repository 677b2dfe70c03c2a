/**
 * What takes long of a change of a large table is done beforehand, while others read and write: indexes are built, and rules are
 * checked that hold for new rows already. The definition is the old one until the change takes all of it over, in a
 * transaction that takes no time. What no change takes over is dropped: at once when the change is refused, by the next change
 * or by a job when its process has died.
 */
import { sql } from 'kysely';
import Type from 'typebox';
import type { OwnerSession } from '../../../db/owner-uses.ts';
import {
  CHECK_VIOLATION,
  DEADLOCK_DETECTED,
  FOREIGN_KEY_VIOLATION,
  isSqlState,
  LOCK_NOT_AVAILABLE,
  QUERY_CANCELED,
  UNDEFINED_COLUMN,
  UNDEFINED_OBJECT,
  UNDEFINED_SCHEMA,
  UNDEFINED_TABLE,
  UNIQUE_VIOLATION,
} from '../../../db/sqlstate.ts';
import type { Time } from '../../../db/tables.ts';
import { schemaOf } from '../../../db/tenant-schemas.ts';
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { codeOf } from '../../../errors/error-code.ts';
import { defineJob } from '../../../jobs/jobs.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { requireRoom } from './column-room.ts';
import { ENTITY_BUSY } from './errors.ts';
import { STAGED } from './names.ts';
import { factsOf, planChange } from './plan.ts';
import { findMismatches, type RowReader, readMoment, refuseViolations } from './row-checks.ts';
import type { Definition } from './schema.ts';
import { matchedBefore, refusesFormer, type Staging, stagingOf } from './staging-plan.ts';
import { beginStatements, buildStatements, dropStatements, readStaged } from './staging-sql.ts';
import { alterTables, lockTables } from './table-locks.ts';
import type { TablePlace } from './table-sql.ts';

/** Of a table of this size an index is built in a tenth of a second; smaller ones are changed at once. */
const LARGE_BYTES = 16 * 1024 * 1024;
/** Builds at once in one process: each has a connection of the pool for as long as it takes. */
const MOST_BUILDS = 2;
/** How long a build waits for transactions that were open when it began, and how long it takes at most. */
const PATIENCE = '1min';
const LONGEST = '2h';
/** A change takes over at once what was made for it. */
const UNCLAIMED_MS = 60_000;

interface EntityStagingTable {
  tenant_id: string;
  entity: string;
  worked_at: Time;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    entity_stagings: EntityStagingTable;
  }
}

/** What was done for a change before it. */
export interface Beforehand {
  /** Of which version the definition was then. */
  readonly version: number;
  /** Whether all was made that can be. */
  readonly isStaged: boolean;
  /** Rows from before this moment match the patterns; null: nobody looked. */
  readonly matchedUntil: string | null;
  /** What does not match all the same. */
  readonly mismatches: readonly Issue[];
}

const builds = oncePerPlatform(() => ({ running: 0 }));

/**
 * Does beforehand what takes long of a change. Texts are matched with new patterns; the rest only for a large table of a server,
 * as the embedded database has one connection. Nothing where tenants are spread over nodes.
 * @throws AppError VALIDATION_ERROR with what rows refuse, or ENTITY_BUSY when the table is being changed, or transactions of
 * others do not end; nothing is left then.
 */
export async function stageChange(
  platform: Platform,
  db: ScopedDb,
  old: Definition & { readonly version: number },
  next: Definition,
): Promise<Beforehand | null> {
  const { database } = platform;
  const plan = planChange(factsOf(old), factsOf(next));
  const staging = stagingOf(next.name, plan);
  const patterns = matchedBefore(plan);
  if (staging.rules.length + patterns.length === 0 || database.isSharded) return null;
  const place = placeOf(db, next.name);
  const stages = database.kind !== 'embedded' && (await isLarge(db, place));
  // Texts are matched outside of the transaction, as the embedded database serves nobody else in it.
  if (!stages && patterns.length === 0) return null;
  // Columns that come to nothing use up numbers, too.
  if (stages) await busyWhenGone(() => requireRoom(db, place, plan));
  const matchedUntil = patterns.length === 0 ? null : await readMoment(readerOf(db));
  const source = { read: readerOf(db), platform, tenantId: db.tenantId };
  const mismatches = await busyWhenGone(() => findMismatches(source, place, patterns, null));
  const beforehand = { version: old.version, isStaged: false, matchedUntil, mismatches };
  // The transaction refuses them, with whatever else it finds.
  if (!stages) return beforehand;
  // New columns are not there yet.
  const onRows = staging.rules.filter(({ field }) => !field.column.startsWith(STAGED));
  await busyWhenGone(() => refuseViolations(source.read, place, onRows, mismatches));
  // Such a change is refused nearly always: by the rows that are there.
  if (staging.rules.length === 0 || refusesFormer(staging)) return beforehand;
  await inTurn(platform, () => build(platform, db, place, staging));
  return { ...beforehand, isStaged: true };
}

/** Drops what was made for a change that came to nothing, unless somebody else has begun one. */
export async function dropStaging(db: ScopedDb, entity: string): Promise<void> {
  const place = placeOf(db, entity);
  await alone(db, place, () => clear(db, place));
}

/** Nothing is there beforehand any more: its change has taken it over. */
export async function forgetStaging(tx: ScopedDb, entity: string): Promise<void> {
  await tx.query.deleteFrom('entity_stagings').where('entity', '=', entity).execute();
}

/** Drops what was made for changes whose process has died. */
export const dropStagings = defineJob({
  name: 'entities.drop-stagings',
  payload: Type.Object({}),
  timeoutSeconds: 900,
  schedule: '* * * * *',
  run: async (platform) => {
    const before = new Date(platform.clock().getTime() - UNCLAIMED_MS);
    const { rows } = await platform.database.everyTenant('entity-stagings').gather(
      (isAskedFor) => sql<{ tenant_id: string; entity: string }>`
        select tenant_id, entity from entity_stagings s
        where worked_at < ${before} and ${isAskedFor('s.tenant_id')}`,
    );
    const errors: unknown[] = [];
    for (const { tenant_id, entity } of rows) {
      const db = platform.scoped(wholeTenant(tenant_id));
      await dropStaging(db, entity).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Some tables keep what was made for a change.');
  },
});

async function build(platform: Platform, db: ScopedDb, place: TablePlace, staging: Staging): Promise<void> {
  const built = await alone(db, place, async (run) => {
    await clear(db, place);
    await note(platform, db, place);
    try {
      await begin(db, place, staging);
      await run(
        sql`select set_config('lock_timeout', ${PATIENCE}, false), set_config('statement_timeout', ${LONGEST}, false)`,
      );
      for (const statement of buildStatements(place, staging)) await run(statement);
      await note(platform, db, place);
    } catch (error) {
      const refusal = await refusalOf(db, place, staging, error);
      await clear(db, place).catch((failure: unknown) =>
        platform.observe({
          event: 'background.failed',
          task: 'drop what was made for a change',
          error: failure,
        }),
      );
      throw refusal;
    }
  });
  if (!built) throw new AppError(ENTITY_BUSY);
}

async function begin(db: ScopedDb, place: TablePlace, staging: Staging): Promise<void> {
  const statements = beginStatements(place, staging);
  if (statements.length === 0) return;
  const parents = staging.rules.flatMap(({ rule }) => (rule.kind === 'refers' ? [rule.entity] : []));
  const locks = new Map([
    ...parents.map((entity) => [entity, false] as const),
    [place.entity, true] as const,
  ]);
  await db.changeTables(async (tx) => {
    await lockTables(tx, place.schema, locks);
    await alterTables(tx, statements);
  });
}

/** Drops what is there beforehand. @throws AppError ENTITY_BUSY */
async function clear(db: ScopedDb, place: TablePlace): Promise<void> {
  await db.changeTables(async (tx) => {
    if ((await readStaged(tx, place)).length > 0) {
      await lockTables(tx, place.schema, new Map([[place.entity, true]]));
      // Again, as a change may have taken it over meanwhile.
      const parts = await readStaged(tx, place);
      await alterTables(tx, dropStatements(place, parts));
    }
    await forgetStaging(tx, place.entity);
  });
}

async function note({ clock }: Platform, db: ScopedDb, { entity }: TablePlace): Promise<void> {
  const row = { tenant_id: db.tenantId, entity, worked_at: clock() };
  await db.query
    .insertInto('entity_stagings')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'entity']).doUpdateSet({ worked_at: row.worked_at }),
    )
    .execute();
}

/** Works on a table beforehand unless another process does; whether it did. */
async function alone(
  db: ScopedDb,
  place: TablePlace,
  work: (run: OwnerSession) => Promise<void>,
): Promise<boolean> {
  return db.ownerSession('entity-tables', async (run) => {
    const name = `${place.schema}.${place.entity}`;
    const [turn] = await run(
      sql<{ is_ours: boolean }>`select pg_try_advisory_lock(hashtextextended(${name}, 0)) as is_ours`,
    );
    if (turn?.is_ours !== true) return false;
    await work(run);
    return true;
  });
}

async function inTurn(platform: Platform, work: () => Promise<void>): Promise<void> {
  const counter = builds(platform);
  if (counter.running >= MOST_BUILDS) throw new AppError(ENTITY_BUSY);
  counter.running += 1;
  try {
    await work();
  } finally {
    counter.running -= 1;
  }
}

const VIOLATIONS: readonly string[] = [UNIQUE_VIOLATION, CHECK_VIOLATION, FOREIGN_KEY_VIOLATION];
/** Others hold the table, take it away, or take all the time that there is. */
const MEANWHILE: readonly string[] = [
  LOCK_NOT_AVAILABLE,
  DEADLOCK_DETECTED,
  QUERY_CANCELED,
  UNDEFINED_TABLE,
  UNDEFINED_SCHEMA,
  UNDEFINED_COLUMN,
  UNDEFINED_OBJECT,
];

/** What a build that has failed is told as. Rows that broke a rule may be others by now: then it may be tried again. */
async function refusalOf(db: ScopedDb, place: TablePlace, { rules }: Staging, error: unknown) {
  const code = codeOf(error);
  if (VIOLATIONS.includes(code))
    return refuseViolations(readerOf(db), place, rules, []).then(
      () => new AppError(ENTITY_BUSY, { cause: error }),
      (refusal: unknown) => refusal,
    );
  return MEANWHILE.includes(code) ? new AppError(ENTITY_BUSY, { cause: error }) : error;
}

/** The entity may be deleted before anything is made of it. */
async function busyWhenGone<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isSqlState(error, UNDEFINED_TABLE) ? new AppError(ENTITY_BUSY, { cause: error }) : error;
  }
}

async function isLarge(db: ScopedDb, place: TablePlace): Promise<boolean> {
  const name = `${place.schema}.${place.entity}`;
  const { rows } = await db.raw(
    (tenantId) =>
      sql<{ size: number | null }>`select pg_relation_size(to_regclass(${name})) as size, ${tenantId}::uuid`,
  );
  return (rows[0]?.size ?? 0) >= LARGE_BYTES;
}

function readerOf(db: ScopedDb): RowReader {
  return (write) => db.raw(write);
}

function placeOf({ tenantId }: ScopedDb, entity: string): TablePlace {
  return { schema: schemaOf(tenantId), entity };
}
