/**
 * Test cases of all action types, for tests with faults: parameters, subjects, and a count of how often the action has
 * happened. Tests over all types fail if a type has no case.
 */
import { action, automation, countRuns } from './automations.ts';
import type { Client } from './client.ts';
import { createSubscriber, getSubscriber } from './subscribers.ts';

/** The tenant and services that the actions of a case use. */
export interface CaseSite {
  readonly api: Client;
  /** Client of a signed-in user. */
  readonly owner: Client;
  /** A verified sending domain. */
  readonly domain: string;
  readonly receiverUrl: string;
  readonly facts: CaseFacts;
}

/** Data shared by all cases. */
export interface CaseFacts {
  readonly listId: string;
  /** A journey whose first step is a wait. */
  readonly journeyId: string;
  readonly assistantId: string;
}

/** The subject of an action. The trigger contains it under the key of the action type. */
export type Subject = Readonly<Record<string, string>>;

/** Test case of an action type. */
export interface ActionCase {
  /** Parameters, which read the subject from the trigger. */
  params(site: CaseSite): object;
  /** Creates the subject of one action; `name` is unique. */
  subject(site: CaseSite, name: string): Promise<Subject>;
  /** Returns how often the action has happened to all of these subjects; null if it leaves nothing to count. */
  countEffects: ((site: CaseSite, subjects: readonly Subject[]) => Promise<number>) | null;
}

const nothing = async (): Promise<Subject> => ({});
const named = async (_site: CaseSite, name: string): Promise<Subject> => ({ name });
const record = (entity: string) => async (site: CaseSite, name: string) => ({
  id: String((await site.owner.post(`/api/${entity}`, { name })).body.id),
});
/** Counts changes of an entity by the runs of an automation that they trigger. */
const watched = (entity: string) => (site: CaseSite) => countRuns(site.api, `watch_${entity}`);
const subscriber =
  (lists: (site: CaseSite) => string[]) =>
  async (site: CaseSite): Promise<Subject> => ({
    id: (await createSubscriber(site, { lists: lists(site) })).id,
  });
/** Counts the versions of subscribers after the first. */
async function furtherVersions(site: CaseSite, subjects: readonly Subject[]): Promise<number> {
  let count = 0;
  for (const { id = '' } of subjects) count += (await getSubscriber(site, id)).version - 1;
  return count;
}

/** Cases by action type. */
export const ACTION_CASES: Readonly<Record<string, ActionCase>> = {
  log: { params: () => ({ message: 'Done' }), subject: nothing, countEffects: null },
  httpRequest: {
    params: ({ receiverUrl }) => ({
      method: 'POST',
      url: `${receiverUrl}/{{trigger.httpRequest.name}}`,
      body: {},
    }),
    subject: named,
    countEffects: null,
  },
  createRecord: {
    params: () => ({ entity: 'made', data: { name: '{{trigger.createRecord.name}}' } }),
    subject: named,
    countEffects: watched('made'),
  },
  updateRecord: {
    params: () => ({ entity: 'changed', id: '{{trigger.updateRecord.id}}', data: { name: 'Changed' } }),
    subject: record('changed'),
    countEffects: watched('changed'),
  },
  deleteRecord: {
    params: () => ({ entity: 'gone', id: '{{trigger.deleteRecord.id}}' }),
    subject: record('gone'),
    countEffects: watched('gone'),
  },
  getRecord: {
    params: () => ({ entity: 'changed', id: '{{trigger.getRecord.id}}' }),
    subject: record('changed'),
    countEffects: null,
  },
  findRecords: {
    params: () => ({ entity: 'changed' }),
    subject: nothing,
    countEffects: null,
  },
  moveWorkflow: {
    params: () => ({ entity: 'moved', id: '{{trigger.moveWorkflow.id}}', to: 'paid' }),
    subject: record('moved'),
    countEffects: watched('moved'),
  },
  sendEmail: {
    params: ({ domain }) => ({
      to: '{{trigger.sendEmail.name}}@mailed.test',
      ...{ from: `shop@${domain}`, subject: 'Hello', html: '<p>Hello</p>' },
    }),
    subject: named,
    countEffects: async ({ api }) => (await api.get('/api/transmissions?limit=1')).body.total,
  },
  upsertSubscriber: {
    params: ({ facts }) => ({
      email: '{{trigger.upsertSubscriber.name}}@people.test',
      ...{ first_name: 'Ada', lists: [facts.listId] },
    }),
    subject: named,
    // A record that is written twice has two versions.
    countEffects: async ({ api }) => {
      const filters = { email: { operation: 'like', value: '@people.test' } };
      const { results } = (await api.post('/api/subscribers/list', { page: 1, limit: 100, filters })).body;
      return results.reduce((sum: number, { version }: { version: number }) => sum + version, 0);
    },
  },
  updateSubscription: {
    params: () => ({
      subscriber_id: '{{trigger.updateSubscription.id}}',
      ...{ subscription_type_id: 'news', subscribe: false },
    }),
    subject: subscriber(() => []),
    countEffects: furtherVersions,
  },
  addToList: {
    params: ({ facts }) => ({ subscriber_id: '{{trigger.addToList.id}}', list_id: facts.listId }),
    subject: subscriber(() => []),
    countEffects: furtherVersions,
  },
  removeFromList: {
    params: ({ facts }) => ({ subscriber_id: '{{trigger.removeFromList.id}}', list_id: facts.listId }),
    subject: subscriber(({ facts }) => [facts.listId]),
    countEffects: furtherVersions,
  },
  publishMessage: {
    params: () => ({ queueName: 'told', body: { name: '{{trigger.publishMessage.name}}' } }),
    subject: named,
    // An automation creates a record for each message.
    countEffects: watched('told'),
  },
  runAssistant: {
    params: ({ facts }) => ({ assistant_id: facts.assistantId, message: 'What?' }),
    subject: nothing,
    countEffects: null,
  },
  triggerJourney: {
    params: ({ facts }) => ({
      journey_id: facts.journeyId,
      subscriber_id: '{{trigger.triggerJourney.id}}',
    }),
    subject: subscriber(() => []),
    countEffects: async ({ api, facts }) => {
      const page = { page: 1, limit: 1, filters: {} };
      return (await api.post(`/api/journeys/${facts.journeyId}/states/list`, page)).body.total;
    },
  },
};

/** Creates the data that all cases share. */
export async function prepareCases(api: Client): Promise<CaseFacts> {
  const types = [{ id: 'news', name: 'News', description: '', active: true }];
  await api.put('/api/email_settings', {
    ...{ sender_identities: [], whitelist_recipient_rules: [], subscriber_additional_fields: {} },
    subscription_types: types,
  });
  const name = { name: 'name', type: 'string' };
  const state = { name: 'state', type: 'enum', enum: ['new', 'paid'], default: 'new' };
  const transitions = [{ from: 'new', to: 'paid' }];
  const workflow = { field: 'state', initial: 'new', states: ['new', 'paid'], transitions };
  for (const entity of ['made', 'changed', 'gone', 'told'])
    await api.post('/api/entities', { name: entity, fields: [name] });
  await api.post('/api/entities', { name: 'moved', fields: [name, state], workflow });
  for (const [entityKey, triggerType] of [
    ['made', 'afterCreate'],
    ['changed', 'afterUpdate'],
    ['gone', 'afterDelete'],
    ['moved', 'afterWorkflowMove'],
    ['told', 'afterCreate'],
  ] as const)
    await api.post('/api/automations', automation(`watch_${entityKey}`, [], { triggerType, entityKey }));
  const logged = { entity: 'told', data: { name: '{{trigger.message.body.name}}' } };
  const handles = { triggerType: 'mqHandler', triggerParams: { queueName: 'told' } };
  await api.post('/api/automations', automation('takes', [action('make', 'createRecord', logged)], handles));
  const rests = { steps: [{ key: 'rest', type: 'wait', seconds: 86_400 }], trigger: { type: 'manual' } };
  const journey = await api.post('/api/journeys', { name: 'Rest', active: true, ...rests });
  const list = await api.post('/api/lists', { name: 'Regulars' });
  const llmConfiguration = { system: 'Be brief.', temperature: 0, model: 'm', max_tokens: 10 };
  const assistant = await api.post('/api/ai/assistants', { name: 'A', description: '', llmConfiguration });
  return { listId: list.body.id, journeyId: journey.body.id, assistantId: assistant.body.id };
}
