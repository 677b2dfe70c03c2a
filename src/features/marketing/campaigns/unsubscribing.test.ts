import assert from 'node:assert/strict';
import test from 'node:test';
import { createCampaign, createEmail, createListOf } from '../../../../test/harness/campaigns.ts';
import { createMailTenant, type MailTenant, mailsTo } from '../../../../test/harness/mail.ts';
import { createUnit } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startRelay } from '../../../../test/harness/relay.ts';
import { createSubscriber, getSubscriber } from '../../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const TYPES = ['news', 'offers'].map((id) => ({ id, name: id, description: '', active: true }));
const NOBODY = { inactive: 0, unsubscribed: 0, suppressed: 0, sandbox: 0, duplicate: 0 };
const LINKS = '<p>Hi <a href="{{preferences_url}}">Choose</a> <a href="{{unsubscribe_url}}">Leave</a></p>';

/** Sends an email to one subscriber, and returns its links. */
async function sendTo(tenant: MailTenant, typeId: string | null) {
  await tenant.api.put('/api/email_settings', {
    sender_identities: [],
    whitelist_recipient_rules: [],
    subscription_types: TYPES,
    subscriber_additional_fields: {},
  });
  const { listId, subscribers } = await createListOf(tenant, 1);
  const code = await createCampaign(tenant);
  const more = { list_ids: [listId], subscription_type_id: typeId, content: { html: LINKS } };
  const email = await createEmail(tenant, code, more);
  await tenant.api.get(`${email.path}/process`);
  const [person] = subscribers;
  assert.ok(person);
  return { person, ...(await linksTo(person.email)), email, code, more };
}

/** The links in the `nth` mail to an address. */
async function linksTo(address: string, nth = 1) {
  const mails = await eventually(`mail ${nth} to ${address}`, async () => {
    const come = await mailsTo(relay, address);
    return come.length >= nth && come;
  });
  const html = String(mails[nth - 1]?.html);
  const [, preferences = '', leave = ''] =
    /href="([^"]+\/preferences\/[^"]+)".*href="([^"]+\/u\/[^"]+)"/.exec(html) ?? [];
  return { preferences, leave };
}

async function typesOf(tenant: MailTenant, id: string): Promise<Record<string, boolean>> {
  const { subscription_preferences: chosen } = await getSubscriber(tenant, id);
  return Object.fromEntries(
    chosen.map((each: { subscription_type_id: string; subscribed: boolean }) => [
      each.subscription_type_id,
      each.subscribed,
    ]),
  );
}

test('one click unsubscribes only from the type of the email, and undoing it subscribes to the type again', async () => {
  const tenant = await createMailTenant(app);
  const { person, leave, email, code, more } = await sendTo(tenant, 'news');
  assert.equal((await fetch(leave, { method: 'POST' })).status, 200);
  assert.deepEqual(await typesOf(tenant, person.id), { news: false });
  assert.equal((await tenant.api.get(email.path)).body.metrics.unsubscribed, 1);
  const next = await createEmail(tenant, code, more);
  assert.equal((await tenant.api.get(`${next.path}/preflight`)).body.excluded.unsubscribed, 1);
  const other = await createEmail(tenant, code, { ...more, subscription_type_id: 'offers' });
  assert.equal((await tenant.api.get(`${other.path}/preflight`)).body.recipients, 1);
  assert.equal((await fetch(`${leave}/resubscribe`, { method: 'POST' })).status, 200);
  assert.deepEqual(await typesOf(tenant, person.id), { news: true });
});

test('the page of a type shows the state of that type, independent of others', async () => {
  const tenant = await createMailTenant(app);
  const { person, leave, code, more } = await sendTo(tenant, 'news');
  const offers = await createEmail(tenant, code, { ...more, subscription_type_id: 'offers' });
  await tenant.api.get(`${offers.path}/process`);
  const { leave: ofOffers } = await linksTo(person.email, 2);
  await fetch(leave, { method: 'POST' });
  assert.match(await (await fetch(leave)).text(), /You are unsubscribed/);
  assert.match(await (await fetch(ofOffers)).text(), /Unsubscribe\?/);
});

test('one click in an email without a type unsubscribes from all types, and undoing it restores them', async () => {
  const tenant = await createMailTenant(app);
  const { person, leave } = await sendTo(tenant, null);
  await fetch(leave, { method: 'POST' });
  assert.deepEqual(await typesOf(tenant, person.id), { news: false, offers: false });
  await fetch(`${leave}/resubscribe`, { method: 'POST' });
  assert.deepEqual(await typesOf(tenant, person.id), { news: true, offers: true });
});

test('the preferences link contains the subscriber, the email and its type', async () => {
  const tenant = await createMailTenant(app);
  const { person, preferences, email } = await sendTo(tenant, 'news');
  const token = preferences.split('/').at(-1);
  const { body } = await tenant.api.get(`/api/subscribers/preferences/${token}`);
  assert.deepEqual(body.referrer, { marketingEmailId: email.id, subscriptionTypeId: 'news' });
  assert.equal(body.subscriber.email, person.email);
});

test('an address in two units unsubscribes once, and gets no email of the type from either unit', async () => {
  const tenant = await createMailTenant(app);
  const { person, preferences, leave, email, more } = await sendTo(tenant, 'news');
  const unit = await createUnit(tenant, 'Garden');
  const same = { email: person.email, lists: more.list_ids, business_unit: unit };
  const { id: other } = await createSubscriber(tenant, same);
  const excluded = async () => (await tenant.api.get(`${email.path}/preflight`)).body.excluded;
  assert.deepEqual(await excluded(), { ...NOBODY, duplicate: 1 });
  await fetch(leave, { method: 'POST' });
  assert.deepEqual(await typesOf(tenant, other), { news: false });
  assert.deepEqual(await excluded(), { ...NOBODY, unsubscribed: 2 });
  await fetch(`${leave}/resubscribe`, { method: 'POST' });
  assert.deepEqual(await typesOf(tenant, other), { news: true });
  await fetch(preferences, { method: 'POST', body: new URLSearchParams({ nothing: 'yes' }) });
  assert.deepEqual(await excluded(), { ...NOBODY, inactive: 2 });
});

/** Returns the type of an address's suppression; null without one. */
async function suppressionOf({ api }: MailTenant, address: string): Promise<string | null> {
  const answer = await api.send('GET', `/api/email_settings/suppressions/list/${address}`);
  return answer.status === 404 ? null : answer.body.type;
}

/** Subscribes a subscriber to a type, as a member of the tenant. */
async function subscribe(tenant: MailTenant, id: string, typeId: string) {
  const subscription_updates = [{ subscription_type_id: typeId, subscribe: true }];
  await tenant.api.put(`/api/subscribers/${id}`, {
    ...(await getSubscriber(tenant, id)),
    subscription_updates,
  });
}

test('the suppression of an unsubscribe is lifted by subscribing to the same type, not to another', async () => {
  const tenant = await createMailTenant(app);
  const { person, preferences, leave } = await sendTo(tenant, 'news');
  const token = preferences.split('/').at(-1);
  const choose = (typeId: string) =>
    tenant.api.put(`/api/subscribers/preferences/${token}`, {
      subscription_updates: [{ subscription_type_id: typeId, subscribe: true }],
      replace_all: false,
    });
  for (const comeBack of [subscribe.bind(null, tenant, person.id), choose]) {
    assert.equal(await suppressionOf(tenant, person.email), null);
    await fetch(leave, { method: 'POST' });
    await comeBack('offers');
    assert.equal(await suppressionOf(tenant, person.email), 'unsubscribe');
    await comeBack('news');
    assert.equal(await suppressionOf(tenant, person.email), null);
  }
});

test('a subscriber who unsubscribed from two types stays suppressed for other mail until both are subscribed again', async () => {
  const tenant = await createMailTenant(app);
  const { person, leave, code, more } = await sendTo(tenant, 'news');
  const offers = await createEmail(tenant, code, { ...more, subscription_type_id: 'offers' });
  await tenant.api.get(`${offers.path}/process`);
  const { leave: ofOffers } = await linksTo(person.email, 2);
  for (const link of [leave, ofOffers, leave]) await fetch(link, { method: 'POST' });
  await fetch(`${leave}/resubscribe`, { method: 'POST' });
  assert.equal(await suppressionOf(tenant, person.email), 'unsubscribe');
  await fetch(`${ofOffers}/resubscribe`, { method: 'POST' });
  assert.equal(await suppressionOf(tenant, person.email), null);
});

test('the suppression of an unsubscribe from all types is lifted by the first new subscription', async () => {
  const tenant = await createMailTenant(app);
  const { person, leave } = await sendTo(tenant, null);
  await fetch(leave, { method: 'POST' });
  assert.equal(await suppressionOf(tenant, person.email), 'unsubscribe');
  await subscribe(tenant, person.id, 'offers');
  assert.equal(await suppressionOf(tenant, person.email), null);
});
