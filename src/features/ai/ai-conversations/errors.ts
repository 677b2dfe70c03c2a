import { defineError } from '../../../errors/app-error.ts';

/** The request does not determine the assistant. */
export const NO_ASSISTANT = defineError(
  'NO_ASSISTANT',
  409,
  'No assistant was named: the tenant has not exactly one, nor one whose name is the key.',
);
