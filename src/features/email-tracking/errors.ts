import { defineError } from '../../errors/app-error.ts';

/** A signed link of a message was altered, cut off, or is over (decisions section 6). */
export const TOKEN_INVALID = defineError('TOKEN_INVALID', 404, 'The link is not valid.');
