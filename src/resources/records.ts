/** Reading and writing versioned records. Every write and its history entry are one statement. */
import { AppError } from '../errors/app-error.ts';
import type { MemberContext } from '../http/context.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Role } from '../tenancy/caller.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { requireWritable, writeAllOrNone } from './all-or-none.ts';
import type { Columns } from './body.ts';
import type { RowsDb } from './compiled-statements.ts';
import { type KeyParts, toParts } from './keys.ts';
import { ownerOfNew, requireTenantWriter, unitIdOf } from './ownership.ts';
import { putRows } from './put-rows.ts';
import { isOwned, type Resource, type ResourceTypes } from './resource.ts';
import { type RestoredRecord, type RestoringContext, restoredOf } from './restored-records.ts';
import { type Change, findRow, type Writer, writeRows } from './statements.ts';

/**
 * The author, time and access of a write: a member's request, or another actor. `db` reaches the rows that the actor
 * may write.
 */
export type WriteContext = (Writer | Pick<MemberContext, 'caller' | 'db' | 'now'>) & RestoringContext;

/** Options for the owner of a new record. */
export interface OwnerOptions {
  /** The owner that the body names, by id, slug or name. */
  readonly businessUnit?: string;
  /** The owner of the parent; a member must be an editor there. Required if the actor is not a member. */
  readonly ownerId?: string;
  /** The first version, if it is not 1: the key belonged to a deleted record. */
  readonly firstVersion?: number;
  /** The creation time, if the caller sets it. */
  readonly createdAt?: string;
}

/** Options of a create. */
export interface CreateOptions extends OwnerOptions {
  /** The key, or its part that is not generated: the parent's. */
  readonly key?: KeyParts;
}

/** Options of a replace. */
export interface ReplaceOptions {
  readonly businessUnit?: string;
  /** The version that the caller last read; an outdated one is refused. */
  readonly version?: number;
  /** Once-only values by column: other values than the stored ones are refused. */
  readonly setOnce?: Columns;
}

/** Options of a replace that may create. */
export interface PutOptions extends ReplaceOptions {
  /**
   * Columns for a new record in addition to the replaced ones: once-only fields, and fields that a replace would keep.
   */
  readonly initial?: Columns;
}

/** One of several new records. */
export type NewRecord = Pick<CreateOptions, 'key'> & { readonly columns: Columns };
/** One of several replacements. */
export type Replacement<Options = ReplaceOptions> = Options & Required<NewRecord>;

/** Creates a record. @throws AppError FORBIDDEN or BUSINESS_UNIT_REQUIRED by the rules of ownership. */
export async function createRecord<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: Resource<T>,
  columns: Columns,
  { key = [], ...options }: CreateOptions = {},
): Promise<T['row']> {
  return onlyRow(await createRecords(ctx, resource, [{ columns, key }], options));
}

/**
 * Creates a record, or returns null if another record has the same unique value. It waits for a transaction that writes
 * such a record, so the next statement sees it. @throws AppError like `createRecord`.
 */
export async function createRecordUnlessTaken<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: Resource<T>,
  columns: Columns,
  { key = [], ...options }: CreateOptions = {},
): Promise<T['row'] | null> {
  const writer = writerOf(ctx);
  const all = { ...columns, ...initialColumns(writer, resource, options) };
  const [row] = await writeRows<T['row']>('add', writer, resource, [
    { columns: all, key: keyColumns(resource, key) },
  ]);
  return row ?? null;
}

/** Creates records of one owner, all or none, in one statement. @throws AppError like `createRecord`. */
export async function createRecords<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: Resource<T>,
  records: readonly NewRecord[],
  options: OwnerOptions = {},
): Promise<T['row'][]> {
  const writer = writerOf(ctx);
  const restored = restoredOf(ctx, resource);
  const platformColumns = columnsOfNew(writer, resource, options, restored);
  const changes = records.map(({ columns, key = [] }) => ({
    columns: { ...columns, ...platformColumns },
    key: keyColumns(resource, restored?.key ?? key),
  }));
  return writeRows<T['row']>('insert', writer, resource, changes);
}

/** Returns the record, or null if it does not exist or belongs to a unit that the caller may not read. */
export async function findRecord<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  key: KeyParts,
): Promise<T['row'] | null> {
  return findRow<T['row']>(db, resource, toParts(key), false);
}

/** Returns the record. @throws AppError of the resource's `notFound` if it is missing or not visible. */
export async function getRecord<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  key: KeyParts,
): Promise<T['row']> {
  const row = await findRecord(db, resource, key);
  if (row === null) throw new AppError(resource.notFound);
  return row;
}

/**
 * Writes columns of a record as its next version.
 * @throws AppError notFound, FORBIDDEN, OWNER_IMMUTABLE or VERSION_CONFLICT.
 */
export async function replaceRecord<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: Resource<T>,
  key: KeyParts,
  columns: Columns,
  options: ReplaceOptions = {},
): Promise<T['row']> {
  return onlyRow(await replaceRecords(ctx, resource, [{ key, columns, ...options }]));
}

/**
 * Replaces records, all or none, in one statement. All of them set the same columns. @throws AppError like
 * `replaceRecord`.
 */
export async function replaceRecords<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: Resource<T>,
  replacements: readonly Replacement[],
): Promise<T['row'][]> {
  const writer = writerOf(ctx);
  requireTenantWriter(writer.actor, resource, 'editor');
  const changes = replacements.map((each) => changeOf(writer.actor, resource, each));
  return writeAllOrNone<T['row']>('update', writer, resource, changes);
}

/**
 * Returns the record, locked until the transaction ends, for a write that needs `role` and the state in `options`.
 * @throws AppError like `replaceRecord`.
 */
export async function lockRecord<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: Resource<T>,
  key: KeyParts,
  role: Role,
  options: ReplaceOptions = {},
): Promise<T['row']> {
  const { actor, db } = writerOf(ctx);
  requireTenantWriter(actor, resource, role);
  const current = await findRow<T['row']>(db, resource, toParts(key), true);
  if (current === null) throw new AppError(resource.notFound);
  requireWritable(actor, resource, current, expectedOf(actor, options), role);
  return current;
}

/**
 * Replaces a record by the result of `change`, which gets the locked record.
 * @throws AppError like `replaceRecord`, and errors of `change`.
 */
export async function changeRecord<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: Resource<T>,
  key: KeyParts,
  options: ReplaceOptions,
  change: (current: T['row'], tx: ScopedDb) => Promise<Columns> | Columns,
): Promise<T['row']> {
  const writer = writerOf(ctx);
  return writer.db.transaction(async (db) => {
    const inner = { ...writer, db };
    const current = await lockRecord(inner, resource, key, 'editor', options);
    const columns = await change(current, db);
    const next = { key: keyColumns(resource, key), columns };
    return onlyRow(await writeRows<T['row']>('update', inner, resource, [next]));
  });
}

/**
 * Replaces a record whose key the caller chose, or creates it. @throws AppError like `replaceRecord` and
 * `createRecord`; notFound for an impossible key, or one out of the caller's reach.
 */
export async function putRecord<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: Resource<T>,
  key: KeyParts,
  columns: Columns,
  options: PutOptions & OwnerOptions = {},
): Promise<T['row']> {
  return onlyRow(await putRecords(ctx, resource, [{ key, columns, ...options }], options));
}

/**
 * Replaces or creates records, all or none. A record under the key of a deleted one continues from its last version.
 * @throws AppError like `putRecord`.
 */
export async function putRecords<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: Resource<T>,
  replacements: readonly Replacement<PutOptions>[],
  options: OwnerOptions = {},
): Promise<T['row'][]> {
  const writer = writerOf(ctx);
  const restored = restoredOf(ctx, resource);
  const platformColumns = columnsOfNew(writer, resource, options, restored);
  const changes = replacements.map(({ initial, ...each }) => ({
    ...changeOf(writer.actor, resource, each),
    initial: { ...initial, ...platformColumns },
  }));
  return putRows<T['row']>(writer, resource, changes);
}

/** Deletes a record; its history stays. @throws AppError notFound or FORBIDDEN (deleting needs the admin role). */
export async function deleteRecord<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: Resource<T>,
  key: KeyParts,
): Promise<T['row']> {
  return onlyRow(await deleteRecords(ctx, resource, [key]));
}

/** Deletes records, all or none, in one statement. @throws AppError like `deleteRecord`. */
export async function deleteRecords<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: Resource<T>,
  keys: readonly KeyParts[],
): Promise<T['row'][]> {
  const writer = writerOf(ctx);
  requireTenantWriter(writer.actor, resource, 'admin');
  const changes = keys.map((key) => changeOf(writer.actor, resource, { key, columns: {} }));
  return writeAllOrNone<T['row']>('delete', writer, resource, changes);
}

/** Returns the writer of a request. */
export function writerOf(ctx: WriteContext): Writer {
  return 'actor' in ctx ? ctx : { actor: { kind: 'member', caller: ctx.caller }, db: ctx.db, now: ctx.now };
}

/** Returns the columns that the platform sets in new records. @throws AppError by the rules of ownership. */
function initialColumns(
  { actor, now }: Writer,
  resource: Resource,
  { ownerId, businessUnit, firstVersion = 1, createdAt }: OwnerOptions,
): Columns {
  requireTenantWriter(actor, resource, 'editor');
  const owner = isOwned(resource) ? { owner_bu_id: ownerOfNew(actor, ownerId, businessUnit) } : {};
  const times = ['created_at', 'updated_at'].filter((column) => resource.kinds.has(column));
  return {
    ...owner,
    ...(resource.isVersioned ? { version: firstVersion } : {}),
    ...Object.fromEntries(times.map((column) => [column, now])),
    ...(createdAt === undefined ? {} : { created_at: createdAt }),
  };
}

/** Returns `initialColumns`, or the platform's columns of the restored record. @throws as `initialColumns`. */
function columnsOfNew(
  writer: Writer,
  resource: Resource,
  options: OwnerOptions,
  restored: RestoredRecord | undefined,
): Columns {
  return { ...restored?.columns, ...initialColumns(writer, resource, { ...options, ...restored }) };
}

/** Returns the columns of a key; the last is generated unless it is given. */
function keyColumns({ key }: Resource, given: KeyParts): Columns {
  const parts = toParts(given);
  return Object.fromEntries(key.columns.map((column, index) => [column, parts[index] ?? key.generate?.()]));
}

function changeOf(actor: Actor, resource: Resource, { key, columns, ...options }: Replacement): Change {
  if (!resource.key.isKey(toParts(key))) throw new AppError(resource.notFound);
  return { key: keyColumns(resource, key), columns, expected: expectedOf(actor, options) };
}

/** Sorted by the priority of faults: impossible values before outdated ones. */
function expectedOf(actor: Actor, { version, businessUnit, setOnce }: ReplaceOptions): Columns {
  return {
    ...(businessUnit === undefined ? {} : { owner_bu_id: unitIdOf(actor, businessUnit) }),
    ...setOnce,
    ...(version === undefined ? {} : { version }),
  };
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}
