import { defineError } from '../../errors/app-error.ts';

/**
 * A signed link of a message was altered, cut off, or is over (docs/specification/email-events.md#tokens).
 */
export const TOKEN_INVALID = defineError('TOKEN_INVALID', 404, 'The link is not valid.');
