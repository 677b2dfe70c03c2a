import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { eventually } from '../../../../test/harness/poll.ts';

const path = '/api/automations';
const actions = [{ key: 'note', name: 'Note', actionTypeKey: 'log', params: { message: 'Done' } }];
/** Fails at once without retries: a call needs an address. */
const failing = [{ key: 'call', name: 'Call', actionTypeKey: 'httpRequest', params: { method: 'GET' } }];

const definition = { app: 'samples', name: 'Sample', triggerType: 'webhook', triggerParams: {}, actions };

const automation: Sample = {
  make: async ({ tenant }) => (await tenant.api.post(path, { ...definition, key: 'sample' })).body.key,
  absent: () => 'absent_automation',
};

const failingAutomation: Sample = {
  make: async ({ tenant }) =>
    (await tenant.api.post(path, { ...definition, key: 'failing', actions: failing })).body.key,
};

/** An inactive automation: its runs are skipped. */
const sleeping: Sample = {
  make: async ({ tenant }) =>
    (await tenant.api.post(path, { ...definition, key: 'sleeping', active: false })).body.key,
};

const failedRun: Sample = {
  needs: [failingAutomation],
  make: async ({ tenant: { api }, name }) => {
    const key = name(failingAutomation);
    const { run_id } = (await api.post(`${path}/${key}/run`, {}, 202)).body;
    return eventually('the failure of the run', async () => {
      const { status } = (await api.get(`${path}/${key}/runs/${run_id}`)).body;
      return status === 'failed' && String(run_id);
    });
  },
  absent: randomUUID,
};

const skippedRun: Sample = {
  needs: [sleeping],
  make: async ({ tenant: { api }, name }) =>
    (await api.post(`${path}/${name(sleeping)}/run`, {}, 202)).body.run_id,
  absent: randomUUID,
};

const params = (name: NameOf) => ({ key: name(automation) });
const ofFailed = (name: NameOf) => ({ key: name(failingAutomation), run_id: name(failedRun) });

export const samples: FeatureSamples = {
  records: [automation, failingAutomation, sleeping, failedRun, skippedRun],
  requests: {
    'automations.create': () => ({ body: { ...definition, key: 'another' } }),
    'automations.list': () => ({ body: { page: 1, limit: 5, filters: {} } }),
    'automations.get': (name) => ({ params: params(name) }),
    'automations.replace': (name) => ({ params: params(name), body: { ...definition, name: 'Replaced' } }),
    'automations.delete': (name) => ({ params: params(name) }),
    'automations.run': (name) => ({ params: params(name), body: { trigger: { entity: { id: 1 } } } }),
    'automations.test': (name) => ({ params: params(name), body: { trigger: { entity: { id: 1 } } } }),
    'automations.list_runs': (name) => ({
      params: params(name),
      query: { page: '1', limit: '5' },
    }),
    'automation_runs.list': () => ({ body: { page: 1, limit: 5, filters: { status: { eq: 'failed' } } } }),
    'automations.get_run': (name) => ({ params: ofFailed(name) }),
    'automations.replay_run': (name) => ({ params: ofFailed(name) }),
    'automations.cancel_run': (name) => ({ params: { key: name(sleeping), run_id: name(skippedRun) } }),
  },
};
