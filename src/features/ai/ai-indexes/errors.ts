import { defineError } from '../../../errors/app-error.ts';

/** Indexes are known by their names. */
export const DUPLICATE_INDEX = defineError('DUPLICATE_INDEX', 409, 'An index of this name exists.');
