/** Queues behave the same in the database and through a broker. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { AMQP_URL, removeQueues, withoutBroker } from '../../../../test/harness/amqp.ts';
import {
  changeAutomation,
  createAutomation,
  endedRuns,
  FAILS,
  listRuns,
} from '../../../../test/harness/automations.ts';
import type { Client } from '../../../../test/harness/client.ts';
import { createMember } from '../../../../test/harness/members.ts';
import { startOwnApp, startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const handles = (queueName: string, more: object = {}) => ({
  triggerType: 'mqHandler',
  triggerParams: { queueName },
  ...more,
});

const publishes = (queueName: string, body: unknown = '{{trigger.message.body}}') => ({
  key: 'published',
  name: 'Publish',
  actionTypeKey: 'publishMessage',
  params: { queueName, body },
});

/** Returns the triggers of the handler's runs, in the order of the messages. */
async function messagesOf(api: Client, key: string, count: number) {
  const runs = await endedRuns(api, key, count);
  const messages = runs.map(({ actions }) => Object(actions[0]?.result).message.message);
  return messages.sort((a, b) => (a.id < b.id ? -1 : 1));
}

const publish = async (api: Client, queue: string, body: unknown) =>
  (await api.post(`/api/queues/${queue}/messages`, { body }, 202)).body.message_id;

for (const { where, env, skip } of [
  { where: 'in the database', env: null, skip: false },
  { where: 'through a broker', env: { AMQP_URL: AMQP_URL ?? '' }, skip: withoutBroker },
]) {
  describe(`queues ${where}`, { skip }, async () => {
    const app = skip === false ? await (env === null ? startTestApp() : startOwnApp(env)) : null;
    const codes: string[] = [];
    if (env !== null && app !== null) after(() => removeQueues(codes));
    const createTenant = async () => {
      if (app === null) throw new Error('There is no app.');
      const tenant = await app.createTenant();
      codes.push(tenant.code);
      return tenant;
    };

    test('every active handler gets every message once', async () => {
      const { api } = await createTenant();
      await createAutomation(api, 'first', handles('orders'));
      await createAutomation(api, 'second', handles('orders'));
      await createAutomation(api, 'other', handles('invoices'));
      await createAutomation(api, 'off', handles('orders', { active: false }));
      const bodies = [{ order: 1, lines: [null, 'ä'] }, 'text', 17, null, [true]];
      const ids: string[] = [];
      for (const body of bodies) ids.push(await publish(api, 'orders', body));
      const expected = bodies.map((body, index) => ({ id: ids[index], body, queue: 'orders' }));
      assert.deepEqual(await messagesOf(api, 'first', 5), expected);
      assert.deepEqual(await messagesOf(api, 'second', 5), expected);
      assert.deepEqual([await listRuns(api, 'other'), await listRuns(api, 'off')], [[], []]);
    });

    test('messages wait for a handler of their queue', async () => {
      const { api } = await createTenant();
      const first = await publish(api, 'orders', 1);
      await createAutomation(api, 'handler', handles('invoices', { active: false }));
      const second = await publish(api, 'orders', 2);
      await changeAutomation(api, 'handler', { triggerParams: { queueName: 'orders' } });
      assert.deepEqual(await listRuns(api, 'handler'), []);
      await changeAutomation(api, 'handler', { active: true });
      const idsOf = async (count: number) => (await messagesOf(api, 'handler', count)).map(({ id }) => id);
      assert.deepEqual(await idsOf(2), [first, second]);
      await changeAutomation(api, 'handler', { active: false });
      // The message may still be on its way to the former handler.
      const third = await publish(api, 'orders', 3);
      await api.delete('/api/automations/handler');
      await createAutomation(api, 'later', handles('orders'));
      assert.deepEqual(
        (await messagesOf(api, 'later', 1)).map(({ id }) => id),
        [third],
      );
    });

    test('an action publishes data of its run, and the message reaches its handlers', async () => {
      const { api } = await createTenant();
      await createAutomation(
        api,
        'source',
        handles('in', { actions: [publishes('out', { was: '{{trigger.message.body.n}}' })] }),
      );
      await createAutomation(api, 'sink', handles('out'));
      await publish(api, 'in', { n: 5 });
      const [message] = await messagesOf(api, 'sink', 1);
      assert.deepEqual(message.body, { was: 5 });
      const [run] = await endedRuns(api, 'source', 1);
      assert.deepEqual(run?.actions[0]?.result, { message_id: message.id });
    });

    test('automations that trigger each other by messages stop after ten runs', async () => {
      const { api } = await createTenant();
      await createAutomation(api, 'ping', handles('pings', { actions: [publishes('pongs')] }));
      await createAutomation(api, 'pong', handles('pongs', { actions: [publishes('pings')] }));
      await publish(api, 'pings', 'go');
      const pings = await endedRuns(api, 'ping', 6);
      const pongs = await endedRuns(api, 'pong', 5);
      assert.equal(pings.filter(({ status }) => status === 'succeeded').length, 5);
      assert.ok(pongs.every(({ status }) => status === 'succeeded'));
      const [failed] = pings.filter(({ status }) => status === 'failed');
      assert.match(failed?.error ?? '', /more than 10 times.*ping > pong/);
    });

    test('a failed run delays no other message', async () => {
      const { api } = await createTenant();
      await createAutomation(api, 'broken', handles('orders', { actions: [FAILS] }));
      await createAutomation(api, 'sound', handles('orders'));
      await publish(api, 'orders', 1);
      await publish(api, 'orders', 2);
      assert.deepEqual(
        (await messagesOf(api, 'sound', 2)).map(({ body }) => body),
        [1, 2],
      );
      const failed = await endedRuns(api, 'broken', 2);
      assert.deepEqual(
        failed.map(({ status }) => status),
        ['failed', 'failed'],
      );
    });

    test('an editor publishes to queues of its own tenant, a viewer cannot', async () => {
      const tenant = await createTenant();
      const other = await createTenant();
      await createAutomation(other.api, 'handler', handles('orders'));
      const unit = { bu_id: tenant.defaultUnitId };
      const editor = await createMember(tenant, [{ ...unit, role: 'editor' }]);
      const viewer = await createMember(tenant, [{ ...unit, role: 'viewer' }]);
      await publish(editor.api, 'orders', 1);
      const { body } = await viewer.api.post('/api/queues/orders/messages', { body: 1 }, 403);
      assert.equal(body.code, 'FORBIDDEN');
      await createAutomation(tenant.api, 'handler', handles('orders'));
      await endedRuns(tenant.api, 'handler', 1);
      assert.deepEqual(await listRuns(other.api, 'handler'), []);
    });

    test('an invalid message or queue is rejected', async () => {
      const { api } = await createTenant();
      const { body } = await api.post('/api/queues/orders/messages', {}, 400);
      assert.deepEqual(body.issues, [{ field: 'body', message: 'is required' }]);
      for (const name of ['a-b', 'a.b', 'a%20b', 'x'.repeat(101)])
        await api.post(`/api/queues/${name}/messages`, { body: 1 }, 400);
    });

    test('a message published again with its Idempotency-Key is published once', async () => {
      const { api } = await createTenant();
      await createAutomation(api, 'handler', handles('orders'));
      const headers = { 'idempotency-key': 'once' };
      const once = () => api.post('/api/queues/orders/messages', { body: 1 }, 202, { headers });
      assert.equal((await once()).text, (await once()).text);
      await publish(api, 'orders', 2);
      assert.equal((await messagesOf(api, 'handler', 2)).length, 2);
    });
  });
}
