import type { ReferenceTexts } from '../../feature.ts';

/** Reference texts: example bodies. */
export const reference: ReferenceTexts = {
  examples: {
    'ai_threads.reply': { message: 'When does the next train leave for Vienna?' },
    'ai_budget.replace': { monthly_token_budget: 5_000_000 },
  },
};
