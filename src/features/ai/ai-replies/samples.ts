import type { FeatureSamples, Sample } from '../../../../test/contract/samples.ts';
import { assistant } from '../ai-assistants/samples.ts';
import { thread } from '../ai-threads/samples.ts';

/** An answer that was counted, in its own thread. */
const answered: Sample = {
  needs: [assistant],
  make: async ({ tenant, name }) => {
    const body = {
      version: 0,
      created_at: '2026-01-01T00:00:00.000Z',
      assistant_id: name(assistant),
      user_id: 'answered',
      messages: [],
    };
    const { id } = (await tenant.api.post('/api/ai/threads', body)).body;
    await tenant.api.post(`/api/ai/threads/${id}/reply`, { message: 'Good morning' });
    return id;
  },
};

/** The budget of the tenant. */
const budget: Sample = {
  make: async ({ tenant }) => {
    await tenant.api.put('/api/ai/budget', { monthly_token_budget: 1_000_000_000 });
    return tenant.tenantId;
  },
};

export const samples: FeatureSamples = {
  records: [answered, budget],
  requests: {
    'ai_threads.reply': (name) => ({ params: { id: name(thread) }, body: { message: 'Good morning' } }),
    'ai_budget.replace': () => ({ body: { monthly_token_budget: 1_000_000_000 } }),
    'ai_usage.read': () => ({ query: { from: '2026-01-01', to: '2026-12-31' } }),
  },
};
