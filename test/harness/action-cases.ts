/**
 * What there is to be seen of each action type, whatever comes between: its parameters, what it acts on, and how often it has
 * happened. A type without a case fails the tests that go through all of them.
 */
import { action, automation, countRuns } from './automations.ts';
import type { Client } from './client.ts';
import { createSubscriber, getSubscriber } from './subscribers.ts';

/** Where actions of a case act. */
export interface CaseSite {
  readonly api: Client;
  /** Of somebody who has signed in. */
  readonly person: Client;
  /** A domain from which mail may be sent. */
  readonly domain: string;
  readonly receiverUrl: string;
  readonly facts: CaseFacts;
}

/** What the cases have in common. */
export interface CaseFacts {
  readonly listId: string;
  /** Whoever enters it waits. */
  readonly journeyId: string;
  readonly assistantId: string;
}

/** What an action acts on; its trigger holds it under the key of the type. */
export type Subject = Readonly<Record<string, string>>;

/** An action type in use. */
export interface ActionCase {
  /** Read the subject from the trigger. */
  params(site: CaseSite): object;
  /** Makes what one action of this type acts on; `name` is nobody else's. */
  subject(site: CaseSite, name: string): Promise<Subject>;
  /** How often it has happened to all of these together; null: it leaves nothing behind that is counted. */
  happened: ((site: CaseSite, subjects: readonly Subject[]) => Promise<number>) | null;
}

const nothing = async (): Promise<Subject> => ({});
const named = async (_site: CaseSite, name: string): Promise<Subject> => ({ name });
const record = (entity: string) => async (site: CaseSite, name: string) => ({
  id: String((await site.person.post(`/api/${entity}`, { name })).body.id),
});
/** Each change has set off a run of the automation that watches the entity. */
const watched = (entity: string) => (site: CaseSite) => countRuns(site.api, `watch_${entity}`);
const subscriber =
  (lists: (site: CaseSite) => string[]) =>
  async (site: CaseSite): Promise<Subject> => ({
    id: (await createSubscriber(site, { lists: lists(site) })).id,
  });
/** The versions after the first that subscribers have. */
async function furtherVersions(site: CaseSite, subjects: readonly Subject[]): Promise<number> {
  let count = 0;
  for (const { id = '' } of subjects) count += (await getSubscriber(site, id)).version - 1;
  return count;
}

/** The cases by action type. */
export const ACTION_CASES: Readonly<Record<string, ActionCase>> = {
  log: { params: () => ({ message: 'Done' }), subject: nothing, happened: null },
  httpRequest: {
    params: ({ receiverUrl }) => ({
      method: 'POST',
      url: `${receiverUrl}/{{trigger.httpRequest.name}}`,
      body: {},
    }),
    subject: named,
    happened: null,
  },
  createRecord: {
    params: () => ({ entity: 'made', data: { name: '{{trigger.createRecord.name}}' } }),
    subject: named,
    happened: watched('made'),
  },
  updateRecord: {
    params: () => ({ entity: 'changed', id: '{{trigger.updateRecord.id}}', data: { name: 'Changed' } }),
    subject: record('changed'),
    happened: watched('changed'),
  },
  deleteRecord: {
    params: () => ({ entity: 'gone', id: '{{trigger.deleteRecord.id}}' }),
    subject: record('gone'),
    happened: watched('gone'),
  },
  getRecord: {
    params: () => ({ entity: 'changed', id: '{{trigger.getRecord.id}}' }),
    subject: record('changed'),
    happened: null,
  },
  findRecords: {
    params: () => ({ entity: 'changed' }),
    subject: nothing,
    happened: null,
  },
  moveWorkflow: {
    params: () => ({ entity: 'moved', id: '{{trigger.moveWorkflow.id}}', to: 'paid' }),
    subject: record('moved'),
    happened: watched('moved'),
  },
  sendEmail: {
    params: ({ domain }) => ({
      to: '{{trigger.sendEmail.name}}@mailed.test',
      ...{ from: `shop@${domain}`, subject: 'Hello', html: '<p>Hello</p>' },
    }),
    subject: named,
    happened: async ({ api }) => (await api.get('/api/transmissions?limit=1')).body.total,
  },
  upsertSubscriber: {
    params: ({ facts }) => ({
      email: '{{trigger.upsertSubscriber.name}}@people.test',
      ...{ first_name: 'Ada', lists: [facts.listId] },
    }),
    subject: named,
    // One that is written twice has two versions.
    happened: async ({ api }) => {
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
    happened: furtherVersions,
  },
  addToList: {
    params: ({ facts }) => ({ subscriber_id: '{{trigger.addToList.id}}', list_id: facts.listId }),
    subject: subscriber(() => []),
    happened: furtherVersions,
  },
  removeFromList: {
    params: ({ facts }) => ({ subscriber_id: '{{trigger.removeFromList.id}}', list_id: facts.listId }),
    subject: subscriber(({ facts }) => [facts.listId]),
    happened: furtherVersions,
  },
  publishMessage: {
    params: () => ({ queueName: 'told', body: { name: '{{trigger.publishMessage.name}}' } }),
    subject: named,
    // Whoever takes messages makes a record of each.
    happened: watched('told'),
  },
  runAssistant: {
    params: ({ facts }) => ({ assistant_id: facts.assistantId, message: 'What?' }),
    subject: nothing,
    happened: null,
  },
  triggerJourney: {
    params: ({ facts }) => ({
      journey_id: facts.journeyId,
      subscriber_id: '{{trigger.triggerJourney.id}}',
    }),
    subject: subscriber(() => []),
    happened: async ({ api, facts }) => {
      const page = { page: 1, limit: 1, filters: {} };
      return (await api.post(`/api/journeys/${facts.journeyId}/states/list`, page)).body.total;
    },
  },
};

/** Prepares a tenant for the cases. */
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
  const told = { entity: 'told', data: { name: '{{trigger.message.body.name}}' } };
  const handles = { triggerType: 'mqHandler', triggerParams: { queueName: 'told' } };
  await api.post('/api/automations', automation('takes', [action('make', 'createRecord', told)], handles));
  const rests = { steps: [{ key: 'rest', type: 'wait', seconds: 86_400 }], trigger: { type: 'manual' } };
  const journey = await api.post('/api/journeys', { name: 'Rest', active: true, ...rests });
  const list = await api.post('/api/lists', { name: 'Regulars' });
  const llmConfiguration = { system: 'Be brief.', temperature: 0, model: 'm', max_tokens: 10 };
  const assistant = await api.post('/api/ai/assistants', { name: 'A', description: '', llmConfiguration });
  return { listId: list.body.id, journeyId: journey.body.id, assistantId: assistant.body.id };
}
