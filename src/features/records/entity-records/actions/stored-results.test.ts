/** Runs store the records that their actions wrote, both with a single statement and with a transaction. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { action, createAutomation, endedRunsInWhole } from '../../../../../test/harness/automations.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../../test/harness/receiver.ts';
import { createRecordsTenant } from '../../../../../test/harness/records.ts';
import { startTestApp } from '../../../../../test/harness/test-app.ts';

const app = await startTestApp();
const receiver = await startReceiver();
const PAGE = {
  name: 'page',
  fields: [
    { name: 'title', type: 'string' },
    { name: 'body', type: 'text' },
  ],
};
const SHEET = { name: 'sheet', fields: [...PAGE.fields, { name: 'facts', type: 'json' }] };
const tenant = await createRecordsTenant(app, [PAGE, SHEET]);
const { api, owner } = tenant;

/** Returns the results in the run of an automation with these actions, and the only record with these titles. */
async function ran(key: string, entity: string, actions: readonly object[], trigger: object) {
  await createAutomation(api, key, { triggerType: 'webhook', actions });
  await api.post(`/api/automations/${key}/run`, { trigger }, 202);
  const [run] = await endedRunsInWhole(api, key, 1);
  const { body } = await owner.get(`/api/${entity}?title=${key}`);
  assert.equal(body.data.length, 1);
  return { stored: run?.actions ?? [], record: body.data[0] };
}

const WRITES = (entity: string, title: string, more: object = {}) => [
  action('made', 'createRecord', { entity, data: { title, body: '{{trigger.body}}', ...more } }),
  action('changed', 'updateRecord', {
    entity,
    id: '{{actions.made.id}}',
    data: { body: 'é"\\ {{trigger.body}}' },
  }),
];

test('the record that an action writes is its result', async () => {
  for (const [key, entity, more] of [
    ['plain', 'page', {}],
    ['mixed', 'sheet', { facts: { deep: [{ text: 'x' }] } }],
  ] as const) {
    const { stored, record } = await ran(key, entity, WRITES(entity, key, more), { body: 'short' });
    assert.deepEqual(
      stored.map(({ key: name, status }) => [name, status]),
      [
        ['made', 'succeeded'],
        ['changed', 'succeeded'],
      ],
    );
    assert.equal(stored[0]?.result?.body, 'short');
    assert.equal(stored[1]?.result?.body, 'é"\\ short');
    assert.deepEqual({ ...record, facts: undefined }, { ...stored[1]?.result, facts: undefined });
  }
});

test('a record too long for a result is still written once', async () => {
  for (const [key, length] of [
    ['long', 70_000],
    ['longer', 140_000],
  ] as const) {
    const { stored, record } = await ran(key, 'page', WRITES('page', key), { body: 'x'.repeat(length) });
    assert.deepEqual(
      stored.map(({ status }) => status),
      ['succeeded', 'succeeded'],
    );
    const isComplete = length < 128 * 1024;
    assert.equal(stored[1]?.result?.body, isComplete ? record.body : undefined);
    assert.equal(stored[1]?.result?.id, record.id);
  }
});

test('an action that triggers webhooks also writes their deliveries', async () => {
  await owner.post('/api/page', { title: 'before' });
  await owner.post('/api/webhooks', { url: receiver.url, events: ['page.updated'], secret: 'a secret' });
  await createAutomation(api, 'follower', { triggerType: 'afterUpdate', entityKey: 'page', actions: [] });
  const { stored } = await ran('heard', 'page', WRITES('page', 'heard'), { body: 'short' });
  const [run] = await endedRunsInWhole(api, 'follower', 1);
  assert.deepEqual(run?.trigger, { entity: stored[1]?.result, previous: stored[0]?.result });
  await eventually('the delivery', () => receiver.received.length === 1);
});
