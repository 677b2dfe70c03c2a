import assert from 'node:assert/strict';
import test from 'node:test';
import { undelivered } from '../harness/fault-site.ts';
import { eventually } from '../harness/poll.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createForm } from '../harness/sample-forms.ts';
import { createWebhook, submitMany } from '../harness/submission-load.ts';
import { startTestApp } from '../harness/test-app.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const SUBMISSIONS = 20;
/** The waits and timeouts of five attempts, with reserves for a busy machine. */
const RETRIES_BOUND_MS = 60_000;

const app = await startTestApp({ WEBHOOK_BACKOFF_SECONDS: '0.5,0.5,0.5,3', WEBHOOK_TIMEOUT_SECONDS: '3' });

test('deliveries survive a receiver that refuses, hangs, disconnects and fails before it works', async () => {
  const { api } = await app.createTenant();
  const first = await startReceiver();
  await first.close();
  const formCode = await createForm(api);
  const webhookId = await createWebhook(api, formCode, first.url);
  const { accepted } = await submitMany(api, formCode, { count: SUBMISSIONS, concurrency: 5 });
  const listDeliveries = async () =>
    (await api.get(`/api/webhooks/${webhookId}/deliveries?limit=100`)).body.results;
  await eventually('every first attempt to be refused', async () => {
    const log = await listDeliveries();
    return log.every(({ attempts }: { attempts: number }) => attempts >= 1);
  });

  const receiver = await startReceiver(first.port);
  receiver.answer = ({ headers }, response) => {
    const attempt = Number(headers['tessera-attempt']);
    // The fifth attempt always succeeds; before it the body stalls, the connection breaks, or the response is an error.
    if (attempt === 2) response.write('never ends');
    else if (attempt === 3) response.destroy();
    else response.writeHead(attempt === 4 ? 503 : 200).end();
  };
  const isDone = async () => {
    const log = await listDeliveries();
    return log.every(({ status }: { status: string }) => status === 'success');
  };
  await eventually('every delivery to succeed', isDone, RETRIES_BOUND_MS);
  assert.deepEqual(undelivered(accepted, receiver), []);
  for (const { submission_id, attempts, last_status_code } of await listDeliveries()) {
    assert.ok(accepted.has(submission_id));
    assert.deepEqual([attempts, last_status_code], [5, 200]);
  }
  const ids = Map.groupBy(receiver.received, ({ headers }) => headers['tessera-delivery-id']);
  assert.equal(ids.size, SUBMISSIONS, 'every attempt of a delivery carries the same id');
  const webhook = await api.get(`/api/webhooks/${webhookId}`);
  assert.equal(webhook.body.last_attempt_status, 'success');
});
