import { AppError } from '../../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../../errors/platform-errors.ts';
import { findOperation } from '../../../../long-operations/queries.ts';
import { getRecord } from '../../../../resources/records.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { imports } from './resource.ts';
import type { SubscriberImport } from './schema.ts';

/** Returns progress and result of an import. @throws AppError NOT_FOUND. */
export async function getImport(db: ScopedDb, importId: string): Promise<SubscriberImport> {
  const { id } = await getRecord(db, imports, importId);
  const operation = await findOperation(db, id);
  if (operation === null) throw new AppError(NOT_FOUND);
  const { status, counts, total, problems } = operation;
  const { created = 0, updated = 0, failed = 0 } = counts;
  const errors = problems.map(({ line = 1, column, message }) => ({
    line,
    ...(column === undefined ? {} : { column }),
    message,
  }));
  return { status, total: total ?? 0, created, updated, failed, errors };
}
