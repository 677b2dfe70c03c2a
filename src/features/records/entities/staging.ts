/**
 * Runs the slow steps of changing a large table while others read and write: it builds indexes, and validates rules
 * that already apply to new rows. These staged parts have names that no statement on records uses. The old definition
 * stays valid until the change adopts them in a short transaction. Unused parts are dropped: at once if the change is
 * rejected; by the next change or by a job if the process died.
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
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { codeOf } from '../../../errors/error-code.ts';
import { defineJob } from '../../../jobs/jobs.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { requireFreeColumns } from './column-limit.ts';
import { type EntityTable, entityTableOf } from './entity-table.ts';
import { ENTITY_BUSY } from './errors.ts';
import { STAGED } from './names.ts';
import { planChange, tableDefinitionOf } from './plan.ts';
import { findMismatches, type RowReader, readTimestamp, refuseViolations } from './row-checks.ts';
import type { Definition } from './schema.ts';
import { breaksOldWrites, fieldsToMatch, type Staging, stagingOf } from './staging-plan.ts';
import { beginStatements, buildStatements, dropStatements, readStaged } from './staging-sql.ts';
import { alterTables, lockTables } from './table-locks.ts';

/** Building an index takes 0.1 s at this size; smaller tables are changed directly. */
const LARGE_BYTES = 16 * 1024 * 1024;
/** Concurrent builds per process: each needs a pool connection for its whole duration. */
const MAX_BUILDS = 2;
/** Limits how long a build waits for transactions that were open when it began, and how long it runs. */
const BUILD_LOCK_TIMEOUT = '1min';
const BUILD_TIMEOUT = '2h';
/** Staged parts that are older than this belong to no running change, since a change adopts them at once. */
const ABANDONED_MS = 60_000;

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

/** Results of the slow steps that run before a change. */
export interface PreparedChange {
  /** Version of the definition that the steps used. */
  readonly version: number;
  /** True if everything that can be staged was staged. */
  readonly isStaged: boolean;
  /** Rows from before this time were matched against the patterns; null if none were. */
  readonly matchedUntil: string | null;
  /** Issues of the rows that did not match. */
  readonly mismatches: readonly Issue[];
}

const builds = oncePerPlatform(() => ({ running: 0 }));

/**
 * Runs the slow steps of a change. It matches texts against new patterns. Other steps run only for large tables on a
 * server, because the embedded database has one connection. Does nothing where tables of entities are apart.
 * @throws AppError VALIDATION_ERROR with violations, or ENTITY_BUSY if the table is being changed or other
 * transactions do not end; nothing is left staged then.
 */
export async function stageChange(
  platform: Platform,
  db: ScopedDb,
  old: Definition & { readonly version: number },
  next: Definition,
): Promise<PreparedChange | null> {
  const { database } = platform;
  const plan = planChange(tableDefinitionOf(old), tableDefinitionOf(next));
  const staging = stagingOf(next.name, plan);
  const patterns = fieldsToMatch(plan);
  if (staging.rules.length + patterns.length === 0 || database.keepsEntitiesApart) return null;
  const table = entityTableOf(db, next.name);
  const canStage = database.kind !== 'embedded' && (await isLarge(db, table));
  // Match texts outside the transaction, during which the embedded database serves no other request.
  if (!canStage && patterns.length === 0) return null;
  // Staged columns use up column numbers even if the change fails.
  if (canStage) await busyIfDropped(() => requireFreeColumns(db, table, plan));
  const matchedUntil = patterns.length === 0 ? null : await readTimestamp(readerOf(db));
  const source = { read: readerOf(db), platform, tenantId: db.tenantId };
  const mismatches = await busyIfDropped(() => findMismatches(source, table, patterns, null));
  const prepared = { version: old.version, isStaged: false, matchedUntil, mismatches };
  // The transaction refuses the mismatches together with other issues.
  if (!canStage) return prepared;
  // New columns do not exist yet.
  const checkableRules = staging.rules.filter(({ field }) => !field.column.startsWith(STAGED));
  await busyIfDropped(() => refuseViolations(source.read, table, checkableRules, mismatches));
  // Existing rows nearly always violate such a rule, so staging would be wasted.
  if (staging.rules.length === 0 || breaksOldWrites(staging)) return prepared;
  await limitBuilds(platform, () => build(platform, db, table, staging));
  return { ...prepared, isStaged: true };
}

/** Drops the staged parts of a change that failed, unless another process has started one. */
export async function dropStaging(db: ScopedDb, entity: string): Promise<void> {
  const table = entityTableOf(db, entity);
  await withStagingLock(db, table, () => dropStagedParts(db, table));
}

/** Marks the staged parts of an entity as adopted. */
export async function deleteStaging(tx: ScopedDb, entity: string): Promise<void> {
  await tx.query.deleteFrom('entity_stagings').where('entity', '=', entity).execute();
}

/** Drops the staged parts of processes that died. */
export const dropStagings = defineJob({
  name: 'entities.drop-stagings',
  payload: Type.Object({}),
  timeoutSeconds: 900,
  schedule: '* * * * *',
  run: async (platform) => {
    const before = new Date(platform.clock().getTime() - ABANDONED_MS);
    const { rows } = await platform.database.everyTenant('entity-stagings').gather(
      (inTenants) => sql<{ tenant_id: string; entity: string }>`
        select tenant_id, entity from entity_stagings s
        where worked_at < ${before} and ${inTenants('s.tenant_id')}`,
    );
    const errors: unknown[] = [];
    for (const { tenant_id, entity } of rows) {
      const db = platform.scoped(wholeTenant(tenant_id));
      await dropStaging(db, entity).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0)
      throw new AggregateError(errors, 'Some tables still have staged parts of a change.');
  },
});

/** Builds all staged parts, or drops them and throws the reason. */
async function build(platform: Platform, db: ScopedDb, table: EntityTable, staging: Staging): Promise<void> {
  const built = await withStagingLock(db, table, async (run) => {
    await dropStagedParts(db, table);
    await recordProgress(platform, db, table);
    try {
      await addStagedParts(db, table, staging);
      await run(
        sql`select set_config('lock_timeout', ${BUILD_LOCK_TIMEOUT}, false), set_config('statement_timeout', ${BUILD_TIMEOUT}, false)`,
      );
      for (const statement of buildStatements(table, staging)) await run(statement);
      await recordProgress(platform, db, table);
    } catch (error) {
      const refusal = await toAppError(db, table, staging, error);
      await dropStagedParts(db, table).catch((failure: unknown) =>
        platform.observe({
          event: 'background.failed',
          task: 'drop the staged parts of a change',
          error: failure,
        }),
      );
      throw refusal;
    }
  });
  if (!built) throw new AppError(ENTITY_BUSY);
}

/** Adds staged columns, and constraints that existing rows are not yet checked against. */
async function addStagedParts(db: ScopedDb, table: EntityTable, staging: Staging): Promise<void> {
  const statements = beginStatements(table, staging);
  if (statements.length === 0) return;
  const parents = staging.rules.flatMap(({ rule }) => (rule.kind === 'refers' ? [rule.entity] : []));
  const locks = new Map([
    ...parents.map((entity) => [entity, false] as const),
    [table.entity, true] as const,
  ]);
  await db.changeTables(async (tx) => {
    await lockTables(tx, table.schema, locks);
    await alterTables(tx, statements);
  });
}

/** Drops all staged parts of a table. @throws AppError ENTITY_BUSY. */
async function dropStagedParts(db: ScopedDb, table: EntityTable): Promise<void> {
  await db.changeTables(async (tx) => {
    if ((await readStaged(tx, table)).length > 0) {
      await lockTables(tx, table.schema, new Map([[table.entity, true]]));
      // Read again under the lock: a change may have adopted them.
      const parts = await readStaged(tx, table);
      await alterTables(tx, dropStatements(table, parts));
    }
    await deleteStaging(tx, table.entity);
  });
}

/** Stores the time of the last work on staged parts, so that the job does not drop them. */
async function recordProgress({ clock }: Platform, db: ScopedDb, { entity }: EntityTable): Promise<void> {
  const row = { tenant_id: db.tenantId, entity, worked_at: clock() };
  await db.query
    .insertInto('entity_stagings')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'entity']).doUpdateSet({ worked_at: row.worked_at }),
    )
    .execute();
}

/** Runs `work` unless another process stages changes of the table. Returns true if it ran. */
async function withStagingLock(
  db: ScopedDb,
  table: EntityTable,
  work: (run: OwnerSession) => Promise<void>,
): Promise<boolean> {
  return db.ownerSession('entity-tables', async (run) => {
    const name = `${table.schema}.${table.entity}`;
    const [lock] = await run(
      sql<{ is_acquired: boolean }>`select pg_try_advisory_lock(hashtextextended(${name}, 0)) as is_acquired`,
    );
    if (lock?.is_acquired !== true) return false;
    await work(run);
    return true;
  });
}

async function limitBuilds(platform: Platform, work: () => Promise<void>): Promise<void> {
  const counter = builds(platform);
  if (counter.running >= MAX_BUILDS) throw new AppError(ENTITY_BUSY);
  counter.running += 1;
  try {
    await work();
  } finally {
    counter.running -= 1;
  }
}

const VIOLATIONS: readonly string[] = [UNIQUE_VIOLATION, CHECK_VIOLATION, FOREIGN_KEY_VIOLATION];
/** SQL states caused by concurrent work: locks, dropped objects, timeouts. */
const CONCURRENT_CHANGE: readonly string[] = [
  LOCK_NOT_AVAILABLE,
  DEADLOCK_DETECTED,
  QUERY_CANCELED,
  UNDEFINED_TABLE,
  UNDEFINED_SCHEMA,
  UNDEFINED_COLUMN,
  UNDEFINED_OBJECT,
];

/** Returns the error to report for a failed build. If the rows no longer violate a rule, the client may try again. */
async function toAppError(db: ScopedDb, table: EntityTable, { rules }: Staging, error: unknown) {
  const code = codeOf(error);
  if (VIOLATIONS.includes(code))
    return refuseViolations(readerOf(db), table, rules, []).then(
      () => new AppError(ENTITY_BUSY, { cause: error }),
      (refusal: unknown) => refusal,
    );
  return CONCURRENT_CHANGE.includes(code) ? new AppError(ENTITY_BUSY, { cause: error }) : error;
}

/** Reports ENTITY_BUSY if the entity is deleted before its change begins. */
async function busyIfDropped<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isSqlState(error, UNDEFINED_TABLE) ? new AppError(ENTITY_BUSY, { cause: error }) : error;
  }
}

async function isLarge(db: ScopedDb, table: EntityTable): Promise<boolean> {
  const name = `${table.schema}.${table.entity}`;
  const { rows } = await db.raw(
    (tenantId) =>
      sql<{ size: number | null }>`select pg_relation_size(to_regclass(${name})) as size, ${tenantId}::uuid`,
  );
  return (rows[0]?.size ?? 0) >= LARGE_BYTES;
}

function readerOf(db: ScopedDb): RowReader {
  return (write) => db.raw(write);
}
