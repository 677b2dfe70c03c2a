import { defineError } from '../../errors/app-error.ts';

/** The operation has no stored changes, has not ended, is too old, or was reverted. */
export const NOT_REVERTIBLE = defineError('NOT_REVERTIBLE', 409, 'The operation cannot be reverted.');
