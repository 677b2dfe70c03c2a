import { defineError } from '../../../errors/app-error.ts';

/** Names of indexes are unique. */
export const DUPLICATE_INDEX = defineError('DUPLICATE_INDEX', 409, 'Another index has this name.');
