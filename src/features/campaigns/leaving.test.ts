import assert from 'node:assert/strict';
import test from 'node:test';
import { createCampaign, createEmail, createListOf, waitForStatus } from '../../../test/harness/campaigns.ts';
import { createMailTenant, type MailTenant, mailsTo } from '../../../test/harness/mail.ts';
import { startRelay } from '../../../test/harness/relay.ts';
import { getSubscriber } from '../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const TYPES = ['news', 'offers'].map((id) => ({ id, name: id, description: '', active: true }));
const LINKS = '<p>Hi <a href="{{preferences_url}}">Choose</a> <a href="{{unsubscribe_url}}">Leave</a></p>';

/** Sends an e-mail to one person, and returns the links in it. */
async function sendTo(tenant: MailTenant, typeId: string | null) {
  await tenant.api.put('/api/email_settings', {
    sender_identities: [],
    whitelist_recipient_rules: [],
    subscription_types: TYPES,
    subscriber_additional_fields: {},
  });
  const { listId, people } = await createListOf(tenant, 1);
  const code = await createCampaign(tenant);
  const more = { list_ids: [listId], subscription_type_id: typeId, content: { html: LINKS } };
  const email = await createEmail(tenant, code, more);
  await tenant.api.get(`${email.path}/process`);
  await waitForStatus(tenant, email.path, 'Sent');
  const [person] = people;
  assert.ok(person);
  const [mail] = await mailsTo(relay, person.email);
  const [, preferences = '', leave = ''] =
    /href="([^"]+\/preferences\/[^"]+)".*href="([^"]+\/u\/[^"]+)"/.exec(String(mail?.html)) ?? [];
  return { person, preferences, leave, email, code, more };
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

test('one click leaves the type of the e-mail alone, and the way back leads to it', async () => {
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

test('the page of a type says how things stand with that type, whatever else was left', async () => {
  const tenant = await createMailTenant(app);
  const { person, leave, code, more } = await sendTo(tenant, 'news');
  const offers = await createEmail(tenant, code, { ...more, subscription_type_id: 'offers' });
  await tenant.api.get(`${offers.path}/process`);
  await waitForStatus(tenant, offers.path, 'Sent');
  const mails = await mailsTo(relay, person.email);
  const [, ofOffers = ''] = /href="([^"]+\/u\/[^"]+)"/.exec(String(mails[1]?.html)) ?? [];
  await fetch(leave, { method: 'POST' });
  assert.match(await (await fetch(leave)).text(), /You are unsubscribed/);
  assert.match(await (await fetch(ofOffers)).text(), /Unsubscribe\?/);
});

test('one click in an e-mail of no type leaves every type, and the way back leads to them all', async () => {
  const tenant = await createMailTenant(app);
  const { person, leave } = await sendTo(tenant, null);
  await fetch(leave, { method: 'POST' });
  assert.deepEqual(await typesOf(tenant, person.id), { news: false, offers: false });
  await fetch(`${leave}/resubscribe`, { method: 'POST' });
  assert.deepEqual(await typesOf(tenant, person.id), { news: true, offers: true });
});

test('the link to the preferences names the person, the e-mail and its type', async () => {
  const tenant = await createMailTenant(app);
  const { person, preferences, email } = await sendTo(tenant, 'news');
  const token = preferences.split('/').at(-1);
  const { body } = await tenant.api.get(`/api/subscribers/preferences/${token}`);
  assert.deepEqual(body.referrer, { marketingEmailId: email.id, subscriptionTypeId: 'news' });
  assert.equal(body.subscriber.email, person.email);
});
