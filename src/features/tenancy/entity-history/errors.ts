import { defineError } from '../../../errors/app-error.ts';

/** The record exists: it was never deleted, or was restored or created again. */
export const NOT_DELETED = defineError('NOT_DELETED', 409, 'The record is not deleted.');
/** Another record has a unique value of the deleted record, such as its name. */
export const RESTORE_CONFLICT = defineError(
  'RESTORE_CONFLICT',
  409,
  'Another record has a unique value of this one. Set other values in `changes`.',
);
