/** Reading and writing versioned records. Every write and its history entry are one statement. */
import { AppError } from '../errors/app-error.ts';
import type { MemberContext } from '../http/context.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Role } from '../tenancy/caller.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { Columns } from './body.ts';
import { findRow } from './find-row.ts';
import { type KeyParts, keyOf, toParts } from './keys.ts';
import { ownerOfNew, requireTenantWriter, unitIdOf } from './ownership.ts';
import { allOrNone, refuse } from './refusals.ts';
import { isOwned, type Resource, type ResourceTypes, type TypedResource } from './resource.ts';
import { type Change, deleteRows, insertRows, saveRows, updateRows, type Writer } from './statements.ts';

/** Who writes, when, and through what: a member's request, or another actor. `db` reaches what the actor may write. */
export type WriteContext = Writer | Pick<MemberContext, 'caller' | 'db' | 'now'>;

/** What a create says beside the columns. */
export interface CreateOptions {
  /** The owner that the body names, by id or slug. */
  readonly businessUnit?: string;
  /** The owner that a parent imposes; a member must be an editor there. Actors that are no members always name one. */
  readonly ownerId?: string;
  /** The key, or the part of it that is not made: the parent's. */
  readonly key?: KeyParts;
}

/** What a replace says beside the columns. */
export interface ReplaceOptions {
  readonly businessUnit?: string;
  /** The version the caller last read; a stale one is refused. */
  readonly version?: number;
  /** What was set once, by column: other values than the stored ones are refused. */
  readonly setOnce?: Columns;
}

/** A new record among several. */
export interface NewRecord {
  readonly columns: Columns;
  readonly key?: KeyParts;
}

/** One replace among several. */
export interface Replacement extends ReplaceOptions {
  readonly key: KeyParts;
  readonly columns: Columns;
}

/** What a replace that may create says besides. */
export interface PutOptions extends ReplaceOptions {
  /** Columns that a new record gets beside the replaced ones: those that are set once, and what a replace would keep. */
  readonly initial?: Columns;
}

/** Creates a record. @throws AppError FORBIDDEN or BUSINESS_UNIT_REQUIRED by the rules of ownership. */
export async function createRecord<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: TypedResource<T>,
  columns: Columns,
  { key = [], ...options }: CreateOptions = {},
): Promise<T['row']> {
  return onlyRow(await createRecords(ctx, resource, [{ columns, key }], options));
}

/** Creates records of one owner, all or none, in one statement. @throws AppError as `createRecord`. */
export async function createRecords<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: TypedResource<T>,
  records: readonly NewRecord[],
  options: Omit<CreateOptions, 'key'> = {},
): Promise<T['row'][]> {
  const writer = writerOf(ctx);
  const initial = initialColumns(writer, resource, options);
  const rows = records.map(({ columns, key = [] }) => ({
    ...columns,
    ...initial,
    ...newKey(resource, toParts(key)),
  }));
  return insertRows<T['row']>(writer, resource, rows);
}

/** The record, or null when it does not exist or belongs to a unit that the caller may not read. */
export async function findRecord<T extends ResourceTypes>(
  db: ScopedDb,
  resource: TypedResource<T>,
  key: KeyParts,
): Promise<T['row'] | null> {
  return findRow<T['row']>(db, resource, toParts(key), false);
}

/** The record. @throws AppError of the resource's `notFound` when there is none to see. */
export async function getRecord<T extends ResourceTypes>(
  db: ScopedDb,
  resource: TypedResource<T>,
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
  resource: TypedResource<T>,
  key: KeyParts,
  columns: Columns,
  options: ReplaceOptions = {},
): Promise<T['row']> {
  return onlyRow(await replaceRecords(ctx, resource, [{ key, columns, ...options }]));
}

/** Replaces records, all or none, in one statement. All of them name the same columns. @throws AppError as `replaceRecord`. */
export async function replaceRecords<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: TypedResource<T>,
  replacements: readonly Replacement[],
): Promise<T['row'][]> {
  const writer = writerOf(ctx);
  requireTenantWriter(writer.actor, resource, 'editor');
  const changes = replacements.map((each) => changeOf(writer.actor, resource, each));
  return allOrNone(writer, resource, changes, (all) => updateRows<T['row']>(all, resource, changes));
}

/**
 * The record, locked until the transaction ends, for a write that needs `role` and expects what `options` say.
 * @throws AppError as `replaceRecord`.
 */
export async function lockRecord<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: TypedResource<T>,
  key: KeyParts,
  role: Role,
  options: ReplaceOptions = {},
): Promise<T['row']> {
  const { actor, db } = writerOf(ctx);
  const current = await findRow<T['row']>(db, resource, toParts(key), true);
  if (current === null) throw new AppError(resource.notFound);
  const { expected } = changeOf(actor, resource, { ...options, key, columns: {} });
  refuse(actor, resource, current, expected, role);
  return current;
}

/**
 * Replaces a record by what `change` makes of it as it is now. It is locked meanwhile.
 * @throws AppError as `replaceRecord`, and what `change` throws.
 */
export async function changeRecord<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: TypedResource<T>,
  key: KeyParts,
  options: ReplaceOptions,
  change: (current: T['row'], tx: ScopedDb) => Promise<Columns> | Columns,
): Promise<T['row']> {
  const writer = writerOf(ctx);
  return writer.db.transaction(async (db) => {
    const inside = { ...writer, db };
    const current = await lockRecord(inside, resource, key, 'editor', options);
    const columns = await change(current, db);
    return onlyRow(await updateRows<T['row']>(inside, resource, [{ key: toParts(key), columns }]));
  });
}

/**
 * Replaces a record whose key the caller chose, or creates it. @throws AppError as `replaceRecord` and `createRecord`;
 * notFound for a key that cannot be, or that names a record out of the caller's reach.
 */
export async function putRecord<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: TypedResource<T>,
  key: KeyParts,
  columns: Columns,
  options: PutOptions & Omit<CreateOptions, 'key'> = {},
): Promise<T['row']> {
  return onlyRow(await putRecords(ctx, resource, [{ key, columns, ...options }], options));
}

/** Replaces or creates records, all or none, in one statement. @throws AppError as `putRecord`. */
export async function putRecords<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: TypedResource<T>,
  replacements: readonly (Replacement & PutOptions)[],
  options: Omit<CreateOptions, 'key'> = {},
): Promise<T['row'][]> {
  const writer = writerOf(ctx);
  const fromPlatform = initialColumns(writer, resource, options);
  const changes = replacements.map(({ initial = {}, ...each }) => {
    const besides = Object.entries(initial).filter(([column]) => !Object.hasOwn(each.columns, column));
    const change = changeOf(writer.actor, resource, each);
    return { ...change, initial: { ...Object.fromEntries(besides), ...fromPlatform } };
  });
  return allOrNone(writer, resource, changes, async (all) => {
    const rows = await saveRows<T['row']>(all, resource, changes);
    const written = new Set(rows.map((row) => keyOf(resource, row).join('#')));
    // Of two first PUTs of one key at once, the later one finds what it is to replace only when the first has ended.
    const left = changes.filter(({ key }) => !written.has(key.join('#')));
    return left.length === 0 ? rows : [...rows, ...(await saveRows<T['row']>(all, resource, left))];
  });
}

/** Deletes a record; its history stays. @throws AppError notFound or FORBIDDEN (deleting needs the admin role). */
export async function deleteRecord<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: TypedResource<T>,
  key: KeyParts,
): Promise<T['row']> {
  return onlyRow(await deleteRecords(ctx, resource, [key]));
}

/** Deletes records, all or none, in one statement. @throws AppError as `deleteRecord`. */
export async function deleteRecords<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: TypedResource<T>,
  keys: readonly KeyParts[],
): Promise<T['row'][]> {
  const writer = writerOf(ctx);
  requireTenantWriter(writer.actor, resource, 'admin');
  const changes = keys.map((key) => changeOf(writer.actor, resource, { key, columns: {} }));
  const named = changes.map(({ key }) => key);
  return allOrNone(writer, resource, changes, (all) => deleteRows<T['row']>(all, resource, named), 'admin');
}

/** The writer that a request is. */
export function writerOf(ctx: WriteContext): Writer {
  return 'actor' in ctx ? ctx : { actor: { kind: 'member', caller: ctx.caller }, db: ctx.db, now: ctx.now };
}

/** What every new record gets from the platform. @throws AppError by the rules of ownership. */
function initialColumns(
  { actor, now }: Writer,
  resource: Resource,
  { ownerId, businessUnit }: CreateOptions,
): Columns {
  requireTenantWriter(actor, resource, 'editor');
  const owner = isOwned(resource) ? { owner_bu_id: ownerOfNew(actor, ownerId, businessUnit) } : {};
  const times = ['created_at', 'updated_at'].filter((column) => resource.kinds.has(column));
  return {
    ...owner,
    ...(resource.isVersioned ? { version: 1 } : {}),
    ...Object.fromEntries(times.map((column) => [column, now])),
  };
}

/** The columns of a new record's key; the last is made unless it was given. */
function newKey({ key }: Resource, given: readonly string[]): Columns {
  return Object.fromEntries(key.columns.map((column, place) => [column, given[place] ?? key.make?.()]));
}

function changeOf(actor: Actor, resource: Resource, { key, columns, ...options }: Replacement): Change {
  const parts = toParts(key);
  if (!resource.key.isKey(parts)) throw new AppError(resource.notFound);
  const { version, businessUnit, setOnce } = options;
  // In the order in which faults are told: what can never be before what was only read too early.
  const expected = {
    ...(businessUnit === undefined ? {} : { owner_bu_id: unitIdOf(actor, businessUnit) }),
    ...setOnce,
    ...(version === undefined ? {} : { version }),
  };
  return { key: parts, columns, expected };
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}
