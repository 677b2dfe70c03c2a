import { defineError } from '../../../errors/app-error.ts';

/** Templates name snippets, so a name stands for one of the tenant's only. */
export const DUPLICATE_SNIPPET = defineError('DUPLICATE_SNIPPET', 409, 'Another snippet has this name.');
