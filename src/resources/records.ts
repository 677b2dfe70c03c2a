/** Reading and writing versioned records. Every write and its history entry are one statement. */
import { AppError } from '../errors/app-error.ts';
import type { MemberContext } from '../http/context.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Role } from '../tenancy/caller.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { Columns } from './body.ts';
import type { RowsDb } from './compiled.ts';
import { type KeyParts, toParts } from './keys.ts';
import { ownerOfNew, requireTenantWriter, unitIdOf } from './ownership.ts';
import { putRows } from './put-rows.ts';
import { refuse, writeAllOrNone } from './refusals.ts';
import { isOwned, type Resource, type ResourceTypes } from './resource.ts';
import { type RestoringContext, restoredOf } from './restored.ts';
import { type Change, findRow, type Writer, writeRows } from './statements.ts';

/** Who writes, when, and through what: a member's request, or another actor. `db` reaches what the actor may write. */
export type WriteContext = (Writer | Pick<MemberContext, 'caller' | 'db' | 'now'>) & RestoringContext;

/** Who owns a new record. */
export interface OwnerOptions {
  /** The owner that the body names, by id, slug or name. */
  readonly businessUnit?: string;
  /** The owner that a parent imposes; a member must be an editor there. Actors that are no members always name one. */
  readonly ownerId?: string;
  /** The first version, when it is not 1: of a record whose key another one had that is gone. */
  readonly firstVersion?: number;
  /** When it was made, where that is the caller's to say. */
  readonly createdAt?: string;
}

/** What a create says beside the columns. */
export interface CreateOptions extends OwnerOptions {
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

/** What a replace that may create says besides. */
export interface PutOptions extends ReplaceOptions {
  /** Columns that a new record gets beside the replaced ones: those that are set once, and what a replace would keep. */
  readonly initial?: Columns;
}

/** A new record among several. */
export type NewRecord = Pick<CreateOptions, 'key'> & { readonly columns: Columns };
/** A replace among several. */
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
 * The same unless another record has what must be unique: null then. That one is there for the next statement to see, as
 * this one waits for the end of whoever writes it. @throws AppError as `createRecord`.
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

/** Creates records of one owner, all or none, in one statement. @throws AppError as `createRecord`. */
export async function createRecords<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: Resource<T>,
  records: readonly NewRecord[],
  options: OwnerOptions = {},
): Promise<T['row'][]> {
  const writer = writerOf(ctx);
  const restored = restoredOf(ctx, resource);
  const fromPlatform = {
    ...restored?.columns,
    ...initialColumns(writer, resource, { ...options, ...restored }),
  };
  const changes = records.map(({ columns, key = [] }) => ({
    columns: { ...columns, ...fromPlatform },
    key: keyColumns(resource, restored?.key ?? key),
  }));
  return writeRows<T['row']>('insert', writer, resource, changes);
}

/** The record, or null when it does not exist or belongs to a unit that the caller may not read. */
export async function findRecord<T extends ResourceTypes>(
  db: RowsDb,
  resource: Resource<T>,
  key: KeyParts,
): Promise<T['row'] | null> {
  return findRow<T['row']>(db, resource, toParts(key), false);
}

/** The record. @throws AppError of the resource's `notFound` when there is none to see. */
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

/** Replaces records, all or none, in one statement. All of them name the same columns. @throws AppError as `replaceRecord`. */
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
 * The record, locked until the transaction ends, for a write that needs `role` and expects what `options` say.
 * @throws AppError as `replaceRecord`.
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
  refuse(actor, resource, current, expectedOf(actor, options), role);
  return current;
}

/**
 * Replaces a record by what `change` makes of it as it is now. It is locked meanwhile.
 * @throws AppError as `replaceRecord`, and what `change` throws.
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
    const inside = { ...writer, db };
    const current = await lockRecord(inside, resource, key, 'editor', options);
    const columns = await change(current, db);
    const next = { key: keyColumns(resource, key), columns };
    return onlyRow(await writeRows<T['row']>('update', inside, resource, [next]));
  });
}

/**
 * Replaces a record whose key the caller chose, or creates it. @throws AppError as `replaceRecord` and `createRecord`;
 * notFound for a key that cannot be, or that names a record out of the caller's reach.
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
 * Replaces or creates records, all or none. A record that is made anew under a key whose record is gone goes on from that
 * one's last version. @throws AppError as `putRecord`.
 */
export async function putRecords<T extends ResourceTypes>(
  ctx: WriteContext,
  resource: Resource<T>,
  replacements: readonly Replacement<PutOptions>[],
  options: OwnerOptions = {},
): Promise<T['row'][]> {
  const writer = writerOf(ctx);
  const restored = restoredOf(ctx, resource);
  const fromPlatform = {
    ...restored?.columns,
    ...initialColumns(writer, resource, { ...options, ...restored }),
  };
  const changes = replacements.map(({ initial, ...each }) => ({
    ...changeOf(writer.actor, resource, each),
    initial: { ...initial, ...fromPlatform },
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

/** Deletes records, all or none, in one statement. @throws AppError as `deleteRecord`. */
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

/** The writer that a request is. */
export function writerOf(ctx: WriteContext): Writer {
  return 'actor' in ctx ? ctx : { actor: { kind: 'member', caller: ctx.caller }, db: ctx.db, now: ctx.now };
}

/** What every new record gets from the platform. @throws AppError by the rules of ownership. */
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

/** The columns of a key; the last is made unless it is given. */
function keyColumns({ key }: Resource, given: KeyParts): Columns {
  const parts = toParts(given);
  return Object.fromEntries(key.columns.map((column, place) => [column, parts[place] ?? key.make?.()]));
}

function changeOf(actor: Actor, resource: Resource, { key, columns, ...options }: Replacement): Change {
  if (!resource.key.isKey(toParts(key))) throw new AppError(resource.notFound);
  return { key: keyColumns(resource, key), columns, expected: expectedOf(actor, options) };
}

/** In the order in which faults are told: what can never be before what was only read too early. */
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
