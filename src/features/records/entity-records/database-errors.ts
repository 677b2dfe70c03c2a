/** Converts errors of the database to errors of the request. */
import {
  CHECK_VIOLATION,
  FOREIGN_KEY_VIOLATION,
  NOT_NULL_VIOLATION,
  UNIQUE_VIOLATION,
} from '../../../db/sqlstate.ts';
import { AppError } from '../../../errors/app-error.ts';
import { codeOf } from '../../../errors/error-code.ts';
import { invalidRequest } from '../../../errors/platform-errors.ts';
import type { EntityModel, StoredField } from '../entities/index.ts';
import { DUPLICATE_VALUE, RECORD_IN_USE } from './errors.ts';

/**
 * Runs a statement that writes records.
 * @throws AppError DUPLICATE_VALUE or INVALID_REQUEST naming the field whose rule is violated, after `pathPrefix`.
 * A rule that the model does not contain belongs to a newer definition: that error is passed on.
 */
export async function translateWriteErrors<T>(
  model: EntityModel,
  write: () => Promise<T>,
  pathPrefix = '',
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw toAppError(model, error, pathPrefix) ?? error;
  }
}

/** Runs a statement that deletes records. @throws AppError RECORD_IN_USE if other records refer to one. */
export async function translateDeletionErrors<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw codeOf(error) === FOREIGN_KEY_VIOLATION ? new AppError(RECORD_IN_USE, { cause: error }) : error;
  }
}

/** Returns the message for a relation to a record that does not exist, or that the caller cannot see. */
export function missingRecord({ refersTo }: StoredField): string {
  return `must reference an existing record of ${refersTo}`;
}

/** Message for a value that must be unique. */
export const TAKEN = 'is already used by another record';

function toAppError(model: EntityModel, error: unknown, pathPrefix: string): AppError | null {
  const code = codeOf(error);
  if (code === NOT_NULL_VIOLATION) {
    const field = [...model.fields.values()].find(({ column }) => column === errorProperty(error, 'column'));
    return field ? invalidRequest([{ field: `${pathPrefix}${field.name}`, message: 'is required' }]) : null;
  }
  const stored = model.fieldOfConstraint(errorProperty(error, 'constraint'));
  if (!stored) return null;
  const field = `${pathPrefix}${stored.name}`;
  switch (code) {
    case UNIQUE_VIOLATION:
      return new AppError(DUPLICATE_VALUE, {
        issues: [{ field, message: TAKEN }],
        cause: error,
      });
    case FOREIGN_KEY_VIOLATION:
      return invalidRequest([{ field, message: missingRecord(stored) }]);
    case CHECK_VIOLATION:
      return invalidRequest([{ field, message: 'is not allowed by the definition' }]);
    default:
      return null;
  }
}

function errorProperty(error: unknown, name: 'column' | 'constraint'): string {
  return error instanceof Error && name in error ? String(Reflect.get(error, name)) : '';
}
