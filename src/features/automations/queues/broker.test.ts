/** Behaviour of the broker only: messages of other programs, dead letters, acknowledgements. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  AMQP_URL,
  connectToBroker,
  removeQueues,
  takeMessage,
  withoutBroker,
} from '../../../../test/harness/amqp.ts';
import {
  changeAutomation,
  createAutomation,
  endedRuns,
  FAILS,
  listRuns,
} from '../../../../test/harness/automations.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { startOwnApp } from '../../../../test/harness/test-app.ts';

describe('a broker', { skip: withoutBroker }, async () => {
  if (withoutBroker !== false) return;
  const app = await startOwnApp({ AMQP_URL: AMQP_URL ?? '' });
  const broker = connectToBroker();
  const publisher = broker.createPublisher({ confirm: true });
  const codes: string[] = [];
  after(async () => {
    await publisher.close();
    await removeQueues(codes);
  });

  /** Creates a tenant with an automation that handles `orders`. Also returns the name of the queue. */
  async function createSite(more: object = {}) {
    const tenant = await app.createTenant();
    codes.push(tenant.code);
    const queue = `tessera.${tenant.code}.orders`;
    const create = (key: string) =>
      createAutomation(tenant.api, key, {
        triggerType: 'mqHandler',
        triggerParams: { queueName: 'orders' },
        ...more,
      });
    await create('handler');
    await hasConsumers(queue, 1);
    return { ...tenant, queue, create };
  }

  function hasConsumers(queue: string, count: number) {
    return eventually(`${count} consumers of ${queue}`, async () => {
      const found = await broker.queueDeclare({ queue, passive: true }).catch(() => null);
      return found?.consumerCount === count;
    });
  }

  const bodiesOf = async ({ api }: Awaited<ReturnType<typeof createSite>>, count: number) =>
    (await endedRuns(api, 'handler', count)).map(
      ({ actions }) => Object(actions[0]?.result).message.message.body,
    );

  test('messages of other programs may be JSON or text', async () => {
    const site = await createSite();
    const send = (contentType: string, body: string) =>
      publisher.send({ routingKey: site.queue, ...(contentType && { contentType }) }, Buffer.from(body));
    await send('application/json', '{"a":[1]}');
    await send('application/json', '"quoted"');
    await send('text/plain', '{"a":2}');
    await send('', '{"a":3}');
    await send('', 'ä text');
    const bodies = await bodiesOf(site, 5);
    const expected = [{ a: [1] }, 'quoted', '{"a":2}', { a: 3 }, 'ä text'];
    assert.deepEqual(
      new Set(bodies.map((body) => JSON.stringify(body))),
      new Set(expected.map((body) => JSON.stringify(body))),
    );
  });

  test('a message repeated with the same message-id triggers nothing', async () => {
    const site = await createSite();
    const send = (messageId: string, n: number) =>
      publisher.send({ routingKey: site.queue, messageId }, { n });
    await send('one', 1);
    await bodiesOf(site, 1);
    await send('one', 2);
    await send('two', 3);
    assert.deepEqual((await bodiesOf(site, 2)).map(({ n }) => n).sort(), [1, 3]);
    assert.equal((await listRuns(site.api, 'handler')).length, 2);
  });

  test('a message whose run has failed permanently becomes a dead letter', async () => {
    const site = await createSite({ actions: [FAILS] });
    const { body: sent } = await site.api.post('/api/queues/orders/messages', { body: { n: 1 } }, 202);
    const dead = await eventually('the dead letter', () => takeMessage(broker, `${site.queue}.dead`));
    assert.equal(dead.messageId, sent.message_id);
    assert.deepEqual(dead.body, { n: 1 });
    assert.equal(dead.headers?.['x-tessera-reason'], 'A run has failed.');
    assert.equal((await endedRuns(site.api, 'handler', 1))[0]?.status, 'failed');
  });

  test('a message of another queue with the same message-id is independent', async () => {
    const site = await createSite();
    await createAutomation(site.api, 'failing', {
      triggerType: 'mqHandler',
      triggerParams: { queueName: 'others' },
      actions: [FAILS],
    });
    const others = `tessera.${site.code}.others`;
    await hasConsumers(others, 1);
    for (const routingKey of [others, site.queue])
      await publisher.send({ routingKey, messageId: '1' }, { n: 1 });
    await eventually('the dead letter', () => takeMessage(broker, `${others}.dead`));
    assert.equal((await endedRuns(site.api, 'handler', 1))[0]?.status, 'succeeded');
    await eventually('the acknowledgement', async () => {
      const { messageCount } = await broker.queueDeclare({ queue: site.queue, passive: true });
      return messageCount === 0;
    });
    assert.equal(await takeMessage(broker, `${site.queue}.dead`), null);
  });

  test('a requeued dead letter is handled again', async () => {
    const site = await createSite({ actions: [FAILS] });
    await publisher.send({ routingKey: site.queue, messageId: 'again' }, { n: 1 });
    const dead = await eventually('the dead letter', () => takeMessage(broker, `${site.queue}.dead`));
    await changeAutomation(site.api, 'handler', { actions: [] });
    const { headers = {} } = dead;
    await publisher.send({ routingKey: site.queue, messageId: 'again', headers }, dead.body);
    const runs = await endedRuns(site.api, 'handler', 2);
    assert.deepEqual(new Set(runs.map(({ status }) => status)), new Set(['failed', 'succeeded']));
  });

  test('an unreadable message becomes a dead letter, and the next one is handled', async () => {
    const site = await createSite();
    const send = (contentType: string, body: Buffer) =>
      publisher.send({ routingKey: site.queue, contentType }, body);
    await send('text/plain', Buffer.from('a\u0000b'));
    await send('application/json', Buffer.from('{'));
    await send('application/json', Buffer.from('['.repeat(10_000) + ']'.repeat(10_000)));
    await send('application/octet-stream', Buffer.from([0xff, 0xfe]));
    await send('application/json', Buffer.from('"sound"'));
    assert.deepEqual(await bodiesOf(site, 1), ['sound']);
    const reasons: string[] = [];
    while (reasons.length < 4) {
      const dead = await eventually('a dead letter', () => takeMessage(broker, `${site.queue}.dead`));
      reasons.push(String(dead.headers?.['x-tessera-reason']));
    }
    assert.ok(
      reasons.every((reason) => reason.length > 10),
      JSON.stringify(reasons),
    );
    assert.equal((await listRuns(site.api, 'handler')).length, 1);
  });

  test('other programs cannot set the chain of a message', async () => {
    const site = await createSite();
    const { tokens } = app.app.platform;
    const chain = JSON.stringify(Array.from({ length: 10 }, (_key, index) => `a${index}`));
    const ofAnother = tokens.sign('queue-chain', { message: 'another', chain }, new Date('9999-01-01'));
    for (const forged of ['forged', `${ofAnother}x`, ofAnother, 7])
      await publisher.send({ routingKey: site.queue, headers: { 'x-tessera-chain': forged } }, 1);
    const runs = await endedRuns(site.api, 'handler', 4);
    assert.ok(runs.every(({ status }) => status === 'succeeded'));
  });

  test('an existing queue with other properties is used unchanged', async () => {
    const tenant = await app.createTenant();
    codes.push(tenant.code);
    const queue = `tessera.${tenant.code}.orders`;
    await broker.queueDeclare({ queue, durable: true, arguments: { 'x-max-length': 1000 } });
    await tenant.api.post('/api/queues/orders/messages', { body: 1 }, 202);
    await createAutomation(tenant.api, 'handler', {
      triggerType: 'mqHandler',
      triggerParams: { queueName: 'orders' },
    });
    await endedRuns(tenant.api, 'handler', 1);
  });

  test('a deleted queue is created again', async () => {
    const site = await createSite();
    await site.api.post('/api/queues/orders/messages', { body: 1 }, 202);
    await bodiesOf(site, 1);
    await broker.queueDelete({ queue: site.queue });
    await site.api.post('/api/queues/orders/messages', { body: 2 }, 202);
    await bodiesOf(site, 2);
  });

  test('a message is acknowledged when its run has ended', async () => {
    const receiver = await startReceiver();
    const answers: (() => void)[] = [];
    receiver.answer = (_request, response) => {
      answers.push(() => response.writeHead(200).end());
    };
    const call = {
      key: 'call',
      name: 'Call',
      actionTypeKey: 'httpRequest',
      params: { method: 'GET', url: receiver.url },
    };
    const site = await createSite({ actions: [call] });
    await site.api.post('/api/queues/orders/messages', { body: 1 }, 202);
    await eventually('the call', () => answers.length === 1);
    // When deactivated, its consumer returns unacknowledged messages.
    await changeAutomation(site.api, 'handler', { active: false });
    await hasConsumers(site.queue, 0);
    await eventually('the message to be requeued', async () => {
      const { messageCount } = await broker.queueDeclare({ queue: site.queue, passive: true });
      return messageCount === 1;
    });
    for (const answer of answers) answer();
    await endedRuns(site.api, 'handler', 1);
    await changeAutomation(site.api, 'handler', { active: true });
    await eventually('the message to be acknowledged', async () => {
      const { messageCount, consumerCount } = await broker.queueDeclare({ queue: site.queue, passive: true });
      return consumerCount === 1 && messageCount === 0;
    });
    assert.equal((await listRuns(site.api, 'handler')).length, 1);
  });
});
