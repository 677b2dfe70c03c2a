/** The operation that applies staged files, part by part. */
import Type from 'typebox';
import { AppError } from '../../../../errors/app-error.ts';
import { defineOperation } from '../../../../long-operations/define-operation.ts';
import type { StopCause } from '../../../../long-operations/operation-kind.ts';
import type { Platform } from '../../../../platform.ts';
import { DUPLICATE_EMAIL } from '../errors.ts';
import { undoChanges } from '../undo-changes.ts';
import { applyRows } from './apply.ts';
import { consumePart, deleteParts } from './queries.ts';
import type { Part } from './rows.ts';
import { ImportMode } from './schema.ts';

/** How earlier versions have queued imports. */
const QUEUED_AS = { job: 'subscribers.apply-import', id: 'importId' };

/** Part of a file without rows. */
const NO_ROWS: Part = { columns: [], rows: [] };

/** The message at the first row that is not applied; a cancelled import has none. */
const STOP_MESSAGES: Readonly<Partial<Record<StopCause, string>>> = {
  no_role: 'the import stopped before this row: the user who started it is no longer an editor',
  fault: 'the import stopped before this row because of an internal error',
};

/** Applies an import. A part is a part of the file. */
export const subscriberImport = defineOperation({
  kind: 'subscriber_import',
  params: Type.Object({
    mode: ImportMode,
    list_id: Type.Union([Type.String(), Type.Null()]),
    parts: Type.Integer(),
  }),
  state: Type.Object({ part: Type.Integer() }),
  initialState: { part: 0 },
  role: 'editor',
  async part({ id, unitId, params: { mode, list_id, parts }, state }, ctx) {
    if (unitId === null) throw new Error('An import belongs to a unit.');
    const part = (await consumePart(ctx.db, id, state.part)) ?? NO_ROWS;
    const options = { mode, listId: list_id, ownerId: unitId };
    const { created, updated, errors, changes } = await applyRows(ctx, options, part);
    const next = state.part + 1;
    return {
      state: { part: next },
      isLast: next >= parts,
      done: part.rows.length,
      counts: { created, updated, failed: errors.length },
      problems: errors,
      changes,
    };
  },
  isRace: (error) => error instanceof AppError && error.definition === DUPLICATE_EMAIL,
  async stopped({ id, state }, tx, cause) {
    const line = (await consumePart(tx, id, state.part))?.rows[0]?.line ?? 1;
    const message = STOP_MESSAGES[cause];
    return message === undefined ? [] : [{ line, message }];
  },
  cleanUp: (id, db, { config }) => deleteParts(db, id, config.jobBatchSize),
  revert: {
    entityType: 'marketing_subscriber',
    role: 'admin',
    undo: (changes, ctx) => undoChanges(changes, ctx, 'admin'),
  },
  queuedAs: QUEUED_AS,
});

/** The import of a job; `turn` is the number of the job within it. */
interface ImportTurn {
  readonly tenantId: string;
  readonly importId: string;
  readonly turn: number;
}

/** Applies at least one part and hands over after `runMs`. @throws the error of a part, unless it ends the import. */
export function runImport(
  platform: Platform,
  { importId, ...turn }: ImportTurn,
  runMs?: number,
): Promise<void> {
  return subscriberImport.run({ ...turn, operationId: importId }, platform, runMs);
}
