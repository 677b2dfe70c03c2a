/** Why a write of records was refused: told only when a statement has left something out. */
import { AppError } from '../errors/app-error.ts';
import { IMMUTABLE_FIELD, OWNER_IMMUTABLE, VERSION_CONFLICT } from '../errors/platform-errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Role } from '../tenancy/caller.ts';
import type { Columns } from './body.ts';
import { columnOf } from './fields.ts';
import { findRow } from './find-row.ts';
import { keyOf } from './keys.ts';
import { requireRecordRole } from './ownership.ts';
import { type AnyRow, isOwned, type Resource } from './resource.ts';
import type { Change, Writer } from './statements.ts';

/**
 * Runs a write that leaves out what it may not write, and tells why it did.
 * @throws AppError notFound, FORBIDDEN, OWNER_IMMUTABLE, IMMUTABLE_FIELD or VERSION_CONFLICT for the first left out.
 */
export async function allOrNone<Row extends object>(
  writer: Writer,
  resource: Resource,
  changes: readonly Change[],
  write: (writer: Writer) => Promise<Row[]>,
  role: Role = 'editor',
): Promise<Row[]> {
  const run = async (inside: Writer) => {
    const rows = await write(inside);
    if (rows.length < changes.length) await refuseFirst(inside, resource, changes, rows, role);
    return rows;
  };
  // One record is one statement; several would leave some written when one is refused.
  if (changes.length <= 1) return run(writer);
  return writer.db.transaction((db) => run({ ...writer, db }));
}

async function refuseFirst(
  { actor, db }: Writer,
  resource: Resource,
  changes: readonly Change[],
  written: readonly object[],
  role: Role,
): Promise<never> {
  const done = new Set(written.map((row) => keyOf(resource, row).join('#')));
  for (const { key, expected } of changes) {
    if (done.has(key.join('#'))) continue;
    const current = await findRow<AnyRow>(db, resource, key, false);
    if (current !== null) refuse(actor, resource, current, expected, role);
  }
  // What is there now and may be written was not there, or was not the same, when it should have been.
  throw new AppError(resource.notFound);
}

/** @throws AppError when a record may not be written, or is not as expected. */
export function refuse(
  actor: Actor,
  resource: Resource,
  row: object,
  expected: Columns = {},
  role: Role = 'editor',
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
