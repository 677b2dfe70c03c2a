import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: bodies to begin with. */
export const reference: ReferenceTexts = {
  examples: {
    'ai_threads.reply': { message: 'When does the next train leave for Vienna?' },
    'ai_budget.replace': { monthly_token_budget: 5_000_000 },
  },
};
