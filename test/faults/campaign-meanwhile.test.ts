import assert from 'node:assert/strict';
import test from 'node:test';
import { createCampaign, createEmail, createListOf, emailsOf, waitForStatus } from '../harness/campaigns.ts';
import {
  createMailTenant,
  type MailTenant,
  mailsTo,
  transmissionBody,
  waitUntilEnded,
} from '../harness/mail.ts';
import { eventually } from '../harness/poll.ts';
import { startRelay } from '../harness/relay.ts';
import { createSubscriber, getSubscriber } from '../harness/subscribers.ts';
import { startOwnApp } from '../harness/test-app.ts';

export const runsOn = ['server'];

const TYPE = { id: 'news', name: 'News', description: '', active: true };

const relay = await startRelay();
/** How far the process's clock is ahead, in ms. */
let ahead = 0;
const clock = () => new Date(Date.now() + ahead);
const app = await startOwnApp({ SMTP_URL: relay.url, SMTP_CONNECTIONS: '1' }, { clock });

/** Makes the relay delay the first message until the returned function is called. */
function holdFirst() {
  const released = Promise.withResolvers<null>();
  const inHand: string[] = [];
  relay.onMessage = ({ rcptTo }) => {
    inHand.push(...rcptTo);
    return released.promise;
  };
  return { inHand, release: () => released.resolve(null) };
}

/** Waits until there are messages to this many recipients. */
function waitForMessages({ api }: Pick<MailTenant, 'api'>, code: string, subscribers: number) {
  return eventually('all to be frozen', async () => {
    const { body } = await api.post(`/api/campaigns/${code}/engagements`, { page: 1, limit: 1 });
    return body.total === subscribers;
  });
}

test('a subscriber who unsubscribes, is suppressed, inactivated or erased during an earlier message gets nothing', async () => {
  const tenant = await createMailTenant(app);
  await tenant.api.put('/api/email_settings', {
    sender_identities: [],
    whitelist_recipient_rules: [],
    subscription_types: [TYPE],
    subscriber_additional_fields: {},
  });
  const { listId, subscribers } = await createListOf(tenant, 6);
  const code = await createCampaign(tenant);
  const { inHand, release } = holdFirst();
  const email = await createEmail(tenant, code, { list_ids: [listId], subscription_type_id: 'news' });
  await tenant.api.get(`${email.path}/process`);
  await eventually('a message to be in hand', () => inHand.length === 1);
  await waitForMessages(tenant, code, subscribers.length);
  const [left, inactive, suppressed, erased, stays] = subscribers.filter(
    ({ email: each }) => each !== inHand[0],
  );
  const change = async (id: string | undefined, more: object) =>
    tenant.api.put(`/api/subscribers/${id}`, { ...(await getSubscriber(tenant, id ?? '')), ...more });
  await change(left?.id, { subscription_updates: [{ subscription_type_id: 'news', subscribe: false }] });
  await change(inactive?.id, { active: false, inactive_reason: 'away' });
  await tenant.api.post('/api/email_settings/suppressions', { recipient: suppressed?.email, type: 'bounce' });
  await tenant.api.delete(`/api/subscribers/${erased?.id}`);
  ahead += 1000;
  release();
  const { metrics } = await waitForStatus(tenant, email.path, 'Sent');
  const received = await Promise.all(
    subscribers.map(async (each) => (await mailsTo(relay, each.email)).length),
  );
  const expected = subscribers.map((each) => Number(each.email === inHand[0] || each === stays));
  assert.deepEqual(received, expected);
  assert.equal(metrics.delivered, 2);
  const reasonOf = async (address: string | undefined) =>
    (await tenant.api.get(`${emailsOf(code)}/${email.id}/recipients/${address}`)).body.messages[0].error;
  assert.deepEqual(await Promise.all([left, inactive, suppressed].map((each) => reasonOf(each?.email))), [
    'unsubscribed',
    'inactive',
    'bounce',
  ]);
});

test('a waiting message is not sent to a recipient who is suppressed or erased in the meantime', async () => {
  const tenant = await createMailTenant(app);
  const [erased, suppressed] = [await createSubscriber(tenant), await createSubscriber(tenant)];
  const { inHand, release } = holdFirst();
  const addresses = ['first@example.com', erased.body.email, suppressed.body.email];
  const recipients = addresses.map((address) => ({ address }));
  const { body } = await tenant.api.post('/api/transmissions', transmissionBody(tenant, { recipients }));
  await eventually('a message to be in hand', () => inHand.length === 1);
  const others = [erased, suppressed].filter(({ body: { email } }) => email !== inHand[0]);
  assert.equal(others.length, 2, 'messages go out in their order');
  await tenant.api.delete(`/api/subscribers/${erased.id}`);
  const entry = { recipient: suppressed.body.email, type: 'complaint' };
  await tenant.api.post('/api/email_settings/suppressions', entry);
  ahead += 1000;
  release();
  const { counts } = await waitUntilEnded(tenant, body.transactionId);
  assert.deepEqual([counts.sent, counts.suppressed, counts.failed], [1, 1, 1]);
  for (const address of addresses)
    assert.equal((await mailsTo(relay, address)).length, Number(address === inHand[0]));
});

test('after an email is cancelled only messages in flight are sent', async () => {
  const tenant = await createMailTenant(app);
  const { listId, subscribers } = await createListOf(tenant, 20);
  const code = await createCampaign(tenant);
  const { inHand, release } = holdFirst();
  const email = await createEmail(tenant, code, { list_ids: [listId] });
  await tenant.api.get(`${email.path}/process`);
  await eventually('a message to be in hand', () => inHand.length === 1);
  await waitForMessages(tenant, code, subscribers.length);
  await tenant.api.post(`${email.path}/cancel`, {});
  ahead += 1000;
  release();
  const statuses = await eventually('all to end', async () => {
    const { body } = await tenant.api.post(`/api/campaigns/${code}/engagements`, { page: 1, limit: 100 });
    const deliveryStatuses: string[] = body.results.map(
      (each: { delivery_status: string }) => each.delivery_status,
    );
    return !deliveryStatuses.includes('pending') && deliveryStatuses;
  });
  assert.deepEqual(
    statuses.filter((status) => status !== 'failed'),
    ['delivered'],
  );
  const { metrics, cancel_reason } = (await tenant.api.get(email.path)).body;
  assert.deepEqual([metrics.delivered, cancel_reason], [1, 'It was cancelled manually.']);
  assert.equal(relay.messages.filter(({ mailFrom }) => mailFrom.endsWith(tenant.domain)).length, 1);
});

test('a list that is edited while it is being sent to keeps its members for that sending', async () => {
  const tenant = await createMailTenant(app);
  const { listId, subscribers } = await createListOf(tenant, 5);
  const outside = await createSubscriber(tenant);
  const code = await createCampaign(tenant);
  const { inHand, release } = holdFirst();
  const email = await createEmail(tenant, code, { list_ids: [listId] });
  await tenant.api.get(`${email.path}/process`);
  await waitForMessages(tenant, code, subscribers.length);
  await eventually('a message to be in hand', () => inHand.length === 1);
  const joins = { ...outside.body, lists: [listId] };
  await tenant.api.put(`/api/subscribers/${outside.id}`, joins);
  const joined = await createSubscriber(tenant, { lists: [listId] });
  const removed = subscribers.find((each) => each.email !== inHand[0]) ?? assert.fail();
  await tenant.api.put(`/api/subscribers/${removed.id}`, {
    ...(await getSubscriber(tenant, removed.id)),
    lists: [],
  });
  ahead += 1000;
  release();
  const { metrics } = await waitForStatus(tenant, email.path, 'Sent');
  assert.equal(metrics.delivered, subscribers.length);
  assert.equal((await mailsTo(relay, removed.email)).length, 1);
  for (const { body } of [outside, joined]) assert.equal((await mailsTo(relay, body.email)).length, 0);
  const { not_addressed } = (await tenant.api.get(`${email.path}/recipients/${joined.body.email}`)).body;
  assert.equal(not_addressed, 'came_later');
});
