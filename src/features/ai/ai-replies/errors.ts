import { defineError } from '../../../errors/app-error.ts';

/** The tokens of the month are used up. */
export const TOKEN_BUDGET_EXCEEDED = defineError(
  'TOKEN_BUDGET_EXCEEDED',
  429,
  'The monthly token budget is used up. Raise it, or wait until the next month.',
);
