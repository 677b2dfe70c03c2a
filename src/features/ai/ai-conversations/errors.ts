import { defineError } from '../../../errors/app-error.ts';

/** The request does not determine the assistant. */
export const NO_ASSISTANT = defineError(
  'NO_ASSISTANT',
  409,
  'Set `payload.assistant_id`: neither is there exactly one assistant, nor is one named like `key`.',
);
