/** Writes of all records or none. If a statement skips a record, further reads determine the reason for the error. */
import { isSqlState, UNIQUE_VIOLATION } from '../db/sqlstate.ts';
import { AppError } from '../errors/app-error.ts';
import { IMMUTABLE_FIELD, OWNER_IMMUTABLE, VERSION_CONFLICT } from '../errors/platform-errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Role } from '../tenancy/caller.ts';
import type { Columns } from './body.ts';
import { columnOf } from './fields.ts';
import { keyOf } from './keys.ts';
import { requireRecordRole } from './ownership.ts';
import { type AnyRow, isOwned, type Resource } from './resource.ts';
import { type Change, findRow, type Writer, writeRows } from './statements.ts';
import type { WriteKind } from './write-kind.ts';

/**
 * Runs a write, whose statement skips records that it may not write, and throws the reason if it skipped any.
 * @throws AppError notFound, FORBIDDEN, OWNER_IMMUTABLE, IMMUTABLE_FIELD or VERSION_CONFLICT for the first skipped
 *   record.
 */
export async function writeAllOrNone<Row extends object>(
  write: Exclude<WriteKind, 'insert' | 'add'>,
  writer: Writer,
  resource: Resource,
  changes: readonly Change[],
): Promise<Row[]> {
  const run = async (inner: Writer) => {
    const rows = await writeRows<Row>(write, inner, resource, changes);
    // If two first PUTs of the same key run concurrently, the later one sees the record only after the first commits.
    if (write === 'save' && rows.length < changes.length)
      rows.push(...(await writeRows<Row>(write, inner, resource, withoutWritten(resource, changes, rows))));
    if (rows.length === changes.length) return rows;
    for (const change of withoutWritten(resource, changes, rows)) {
      const current = await findRow<AnyRow>(inner.db, resource, keyOf(resource, change.key), false);
      if (current !== null)
        requireWritable(
          inner.actor,
          resource,
          current,
          change.expected,
          write === 'delete' ? 'admin' : 'editor',
        );
      else if (write === 'save') rows.push(...(await insertSkipped<Row>(inner, resource, change)));
    }
    if (rows.length === changes.length) return rows;
    // The record can be written now, so it was missing or different before.
    throw new AppError(resource.notFound);
  };
  // One record is one statement; several need a transaction, so that a refusal undoes all.
  return changes.length <= 1 ? run(writer) : writer.db.transaction((db) => run({ ...writer, db }));
}

/**
 * Inserts a record that `save` skipped although the scope contains no record with its key.
 * @throws AppError notFound if a record outside the scope has the key, or the error of `duplicates` for another unique
 *   value.
 */
async function insertSkipped<Row extends object>(
  writer: Writer,
  resource: Resource,
  change: Change,
): Promise<Row[]> {
  try {
    return await writeRows<Row>('insert', writer, resource, [change]);
  } catch (error) {
    throw isSqlState(error, UNIQUE_VIOLATION) ? new AppError(resource.notFound) : error;
  }
}

function withoutWritten(resource: Resource, changes: readonly Change[], rows: readonly object[]): Change[] {
  const nameOf = (record: object) => keyOf(resource, record).join('#');
  const written = new Set(rows.map(nameOf));
  return changes.filter(({ key }) => !written.has(nameOf(key)));
}

/** @throws AppError if the actor may not write the record, or a column does not have its expected value. */
export function requireWritable(
  actor: Actor,
  resource: Resource,
  row: object,
  expected: Columns = {},
  role: Role,
): void {
  const current = new Map<string, unknown>(Object.entries(row));
  if (actor.kind === 'member' && isOwned(resource)) {
    requireRecordRole(
      actor.caller,
      { owner_bu_id: String(current.get('owner_bu_id')), shared: current.get('shared') === true },
      role,
    );
  }
  for (const [column, value] of Object.entries(expected)) {
    if (String(current.get(column) ?? null) === String(value ?? null)) continue;
    if (column === 'owner_bu_id') throw new AppError(OWNER_IMMUTABLE);
    if (column === 'version') throw new AppError(VERSION_CONFLICT);
    throw immutableField(resource, column);
  }
}

function immutableField({ fields }: Resource, column: string): AppError {
  const named = Object.entries(fields).find(
    ([name, field]) => field.kind !== 'constant' && columnOf(name, field) === column,
  );
  const field = named?.[1].at ?? named?.[0] ?? column;
  return new AppError(IMMUTABLE_FIELD, { issues: [{ field, message: 'cannot be changed' }] });
}
