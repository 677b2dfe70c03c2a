import { defineError } from '../../../errors/app-error.ts';

/** That nothing says which assistant a conversation is with. */
export const NO_ASSISTANT = defineError(
  'NO_ASSISTANT',
  409,
  'No assistant was named: the tenant has not exactly one, nor one whose name is the key.',
);
