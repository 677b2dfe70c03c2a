import { defineError } from '../../../errors/app-error.ts';

/** The request selects no assistant, and there is no default. */
export const NO_ASSISTANT = defineError(
  'NO_ASSISTANT',
  409,
  'Set `payload.assistant_id`: no single assistant is named like `key`, and there is not exactly one assistant.',
);
