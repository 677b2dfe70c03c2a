import { defineError } from '../../errors/app-error.ts';

/** A list or audience to which something is still to be sent. */
export const IN_USE = defineError('IN_USE', 409, 'An e-mail that waits or goes out is to this group.');
