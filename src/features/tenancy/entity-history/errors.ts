import { defineError } from '../../../errors/app-error.ts';

/** The record is there: it was never deleted, or it was restored or created again since. */
export const NOT_DELETED = defineError('NOT_DELETED', 409, 'The record is not deleted.');
/** Another record has what the deleted record needs for itself, such as its name. */
export const RESTORE_CONFLICT = defineError(
  'RESTORE_CONFLICT',
  409,
  'Another record has what this one needs. Give other values in changes.',
);
