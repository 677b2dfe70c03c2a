import { body, type FeatureExamples } from '../../../http/examples.ts';
import { BudgetBody, ReplyBody } from './schema.ts';

export const examples: FeatureExamples = {
  requests: {
    'ai_threads.reply': body(ReplyBody)({ message: 'When does the next train leave for Vienna?' }),
    'ai_budget.replace': body(BudgetBody)({ monthly_token_budget: 5_000_000 }),
    'ai_usage.read': { query: { from: '2026-01-01', to: '2026-12-31' } },
  },
};
