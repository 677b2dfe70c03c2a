import { defineError } from '../../../errors/app-error.ts';

/** Templates include snippets by name, so a name is unique in the tenant. */
export const DUPLICATE_SNIPPET = defineError('DUPLICATE_SNIPPET', 409, 'Another snippet has this name.');
