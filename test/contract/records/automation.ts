import { eventually } from '../../harness/poll.ts';
import type { Maker, Makers } from '../record-maker.ts';

const path = '/api/automations';

function triggered(key: string, triggerType: string, triggerParams: object): Maker {
  return async ({ tenant: { api } }) => {
    const body = { key, name: key, app: 'shop', triggerType, triggerParams };
    return (await api.post(path, body)).body.key;
  };
}

/** Records of automations, entities and AI features. */
export const automationRecords: Makers = {
  hook: async (world) => {
    await triggered('when_paid', 'webhook', { path: '/orders/paid' })(world);
    return world.tenant.code;
  },
  schedule: triggered('every_new_year', 'cronJob', { cronExpression: '0 0 1 1 *' }),
  queue_handler: triggered('when_stock_changes', 'mqHandler', { queueName: 'stock' }),
  waiting_message: async ({ tenant }) =>
    (await tenant.api.post('/api/queues/nobody/messages', { body: { sku: 1 } }, 202)).body.message_id,
  failing_automation: async ({ tenant }) => {
    // It fails at once without retries, because its call has no URL.
    const actions = [{ key: 'call', name: 'Call', actionTypeKey: 'httpRequest', params: { method: 'GET' } }];
    const body = { key: 'failing', name: 'Fails', app: 'shop', triggerType: 'webhook', triggerParams: {} };
    return (await tenant.api.post(path, { ...body, actions })).body.key;
  },
  failed_run: async ({ tenant: { api }, record }) => {
    const key = await record('failing_automation');
    const { run_id } = (await api.post(`${path}/${key}/run`, {}, 202)).body;
    return eventually('the failure of the run', async () => {
      const { status } = (await api.get(`${path}/${key}/runs/${run_id}`)).body;
      return status === 'failed' && String(run_id);
    });
  },
  skipped_run: async ({ tenant: { api }, record }) =>
    (await api.post(`${path}/${await record('inactive_automation')}/run`, {}, 202)).body.run_id,
  conversation_token: async ({ tenant, body }) =>
    (await tenant.api.post('/api/ai/engage-conversation', await body('ai_conversations.engage'))).body.token,
  index_item: async ({ tenant, record, body }) => {
    const index = await record('vector_index');
    await tenant.api.post(`/api/ai/indexes/${index}/upsert`, await body('ai_indexes.upsert'));
    return index;
  },
  answered_thread: async ({ tenant: { api }, body }) => {
    const thread = { ...(await body('ai_threads.create')), user_id: 'answered', messages: [] };
    const { id } = (await api.post('/api/ai/threads', thread)).body;
    await api.post(`/api/ai/threads/${id}/reply`, await body('ai_threads.reply'));
    return id;
  },
  ai_budget: async ({ tenant, body }) => {
    await tenant.api.put('/api/ai/budget', await body('ai_budget.replace'));
    return tenant.tenantId;
  },
};
