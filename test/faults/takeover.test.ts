import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test from 'node:test';
import { type FaultSite, startFaultSite } from '../harness/fault-site.ts';
import { transmissionBody, waitUntilEnded } from '../harness/mail.ts';
import { startMailSite } from '../harness/mail-site.ts';
import { eventually } from '../harness/poll.ts';
import { startProcess, type TestProcess } from '../harness/process.ts';
import { goodAnswers } from '../harness/sample-forms.ts';
import { databaseKind } from '../harness/test-database.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

/** Generous: another process takes over within 15 s, on a machine that is not busy. */
const TAKEOVER_BOUND_MS = 60_000;
const isEmbedded = databaseKind() === 'embedded';

/** On a server an API process submits the work. An embedded database has one process, which starts again. */
const SITE_ROLE: Readonly<Record<string, string>> = isEmbedded ? {} : { ROLE: 'api' };

/** Starts a worker on a server; the embedded database has one process, which is also the worker. */
function firstWorker({ env, process }: Pick<FaultSite, 'env' | 'process'>): Promise<TestProcess> {
  return isEmbedded ? Promise.resolve(process) : startProcess({ ...env, ROLE: 'worker' });
}

/** Kills the first worker while another one runs, or starts the only process again. */
async function takeOver(first: TestProcess, env: Readonly<Record<string, string>>): Promise<void> {
  if (!isEmbedded) await startProcess({ ...env, ROLE: 'worker' });
  await first.kill('SIGKILL');
  if (isEmbedded) await startProcess(env);
}

async function submit(site: FaultSite): Promise<void> {
  const body = { form_code: site.formCode, email_address: 'ada@example.com', form_data: goodAnswers };
  await site.at(site.process).post('/api/form_submissions', body);
}

test('a webhook delivery of a killed process is made by another one', async () => {
  // The attempt must not end by itself before its process is killed, however slow the machine is.
  const site = await startFaultSite({ ...SITE_ROLE, WEBHOOK_TIMEOUT_SECONDS: '120' });
  const first = await firstWorker(site);
  const { received } = site.receiver;
  site.receiver.answer = () => {};
  await submit(site);
  await eventually('the first attempt', () => received.length === 1);
  site.receiver.answer = (_request, response) => response.end('ok');
  await takeOver(first, site.env);
  await eventually('the second attempt', () => received.length === 2, TAKEOVER_BOUND_MS);
  const ids = received.map(({ headers }) => headers['tessera-delivery-id']);
  assert.equal(ids[0], ids[1]);
  assert.equal(received[1]?.headers['tessera-attempt'], '1', 'the interrupted attempt is not counted');
});

test('a message of a killed process is sent by another one', async () => {
  const site = await startMailSite(5, SITE_ROLE);
  const { env, relay, tenant } = site;
  const first = await firstWorker(site);
  const held = Promise.withResolvers<null>();
  relay.onMessage = () => held.promise;
  const recipients = [{ address: 'ada@example.com' }];
  const { body } = await tenant.api.post('/api/transmissions', transmissionBody(tenant, { recipients }));
  await eventually('the message to be at the relay', () => relay.openConnections > 0);
  relay.onMessage = () => null;
  await takeOver(first, env);
  await eventually(
    'the message',
    () => relay.messages.some(({ rcptTo }) => rcptTo.includes('ada@example.com')),
    TAKEOVER_BOUND_MS,
  );
  // The client of the tenant is at the process that was killed, or at the API process.
  if (!isEmbedded)
    assert.equal((await waitUntilEnded(tenant, body.transactionId, TAKEOVER_BOUND_MS)).counts.sent, 1);
  held.resolve(null);
});

test('a receiver that answers after more than a lease is called once', async () => {
  const site = await startFaultSite({ WEBHOOK_TIMEOUT_SECONDS: '120' });
  // On a server a second worker would take the delivery, if it could.
  if (!isEmbedded) await startProcess({ ...site.env, ROLE: 'worker' });
  const { received } = site.receiver;
  const responses: ServerResponse[] = [];
  site.receiver.answer = (_request, response) => void responses.push(response);
  await submit(site);
  const path = `/api/webhooks/${site.webhookId}/deliveries`;
  const entry = async () => (await site.at(site.process).get(path)).body.results[0];
  const leaseEnd = async () => new Date((await entry()).next_attempt_at).getTime();
  await eventually('the attempt', () => responses.length === 1);
  const first = await leaseEnd();
  // The renewed lease ends later than a lease that began at the end of the first one.
  await eventually('renewals', async () => (await leaseEnd()) > first + 12_000, TAKEOVER_BOUND_MS);
  for (const response of responses) response.end('ok');
  const { attempts } = await eventually('the end', async () => {
    const each = await entry();
    return each.status === 'success' && each;
  });
  assert.deepEqual([received.length, attempts], [1, 1]);
});

test('a worker that was suspended for longer than a lease does not overwrite what another one has done', {
  skip: isEmbedded && 'several processes need TEST_DATABASE_URL',
}, async () => {
  const site = await startFaultSite({ ...SITE_ROLE, WEBHOOK_TIMEOUT_SECONDS: '120' });
  const first = await firstWorker(site);
  const responses: ServerResponse[] = [];
  site.receiver.answer = (_request, response) => void responses.push(response);
  await submit(site);
  await eventually('the first attempt', () => responses.length === 1);
  first.signal('SIGSTOP');
  await startProcess({ ...site.env, ROLE: 'worker' });
  await eventually('the second attempt', () => responses.length === 2, TAKEOVER_BOUND_MS);
  first.signal('SIGCONT');
  await eventually('the report', () => first.output().includes('work_queue.lost'), TAKEOVER_BOUND_MS);
  responses[0]?.writeHead(410).end();
  responses[1]?.end('ok');
  const path = `/api/webhooks/${site.webhookId}/deliveries`;
  const { attempts } = await eventually('the end', async () => {
    const [each] = (await site.at(site.process).get(path)).body.results;
    return each.status === 'success' && each;
  });
  assert.equal(attempts, 1);
});
