import { FOREIGN_KEY_VIOLATION, isSqlState, UNIQUE_VIOLATION } from '../../../db/sqlstate.ts';
import { AppError } from '../../../errors/app-error.ts';
import { VALIDATION_ERROR, VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import { RESTORE_CONFLICT } from './errors.ts';

/**
 * Runs a step of the route that restores a record and converts its errors to those of a restoration.
 * @throws AppError RESTORE_CONFLICT for a duplicate value, VALIDATION_ERROR for a missing or forbidden reference.
 */
export async function withRestoreErrors<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (isSqlState(error, UNIQUE_VIOLATION)) throw new AppError(RESTORE_CONFLICT, { cause: error });
    if (isSqlState(error, FOREIGN_KEY_VIOLATION)) throw missing(undefined, error);
    if (!(error instanceof AppError)) throw error;
    const { definition, message, issues } = error;
    // Another request has changed the record since it was read.
    if (definition === VERSION_CONFLICT) throw error;
    if (definition.status === 409)
      throw new AppError(RESTORE_CONFLICT, { message, ...(issues && { issues }), cause: error });
    if (definition.status === 404) throw missing(message, error);
    if (definition.status === 400)
      throw new AppError(VALIDATION_ERROR, { message, ...(issues && { issues }), cause: error });
    throw error;
  }
}

function missing(detail: string | undefined, cause: unknown): AppError {
  const reason = detail === undefined ? '' : ` (${detail})`;
  return new AppError(VALIDATION_ERROR, {
    message: `The record references something that no longer exists${reason}. Restore that first, or set another value in changes.`,
    cause,
  });
}
