import assert from 'node:assert/strict';
import test from 'node:test';
import { createCampaign, createEmail, waitForStatus } from '../../../../../test/harness/campaigns.ts';
import { createMailTenant, type MailTenant, sendAndWait } from '../../../../../test/harness/mail.ts';
import { preferencesToken, subscriptionType } from '../../../../../test/harness/preferences.ts';
import { startRelay } from '../../../../../test/harness/relay.ts';
import { createSubscriber, getSubscriber } from '../../../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });

const SETTINGS = {
  sender_identities: [],
  whitelist_recipient_rules: [],
  subscriber_additional_fields: {},
  subscription_types: [
    subscriptionType('news'),
    subscriptionType('offers'),
    subscriptionType('old', { active: false }),
  ],
};

async function createShop(settings: object = {}): Promise<MailTenant> {
  const tenant = await createMailTenant(app);
  await tenant.api.put('/api/email_settings', { ...SETTINGS, ...settings });
  return tenant;
}

const reachOf = async ({ api }: Pick<MailTenant, 'api'>, id: string) =>
  (await api.get(`/api/subscribers/${id}/reach`)).body;

/** The codes of the reasons against transactional mail, mail without a type, and mail of the types. */
async function codesOf(tenant: Pick<MailTenant, 'api'>, id: string) {
  const { transactional, without_type, types } = await reachOf(tenant, id);
  const codes = ({ reasons }: { reasons: { code: string }[] }) => reasons.map(({ code }) => code);
  return { transactional: codes(transactional), without_type: codes(without_type), types: types.map(codes) };
}

const suppress = ({ api }: MailTenant, recipient: string, type: string, description?: string) =>
  api.post('/api/email_settings/suppressions', { recipient, type, ...(description && { description }) });

const unsubscribe = async ({ api }: MailTenant, id: string, type: string) =>
  api.put(`/api/subscribers/${id}`, {
    ...(await getSubscriber({ api }, id)),
    subscription_updates: [{ subscription_type_id: type, subscribe: false }],
  });

test('a subscriber without restrictions may get mail of every active type', async () => {
  const shop = await createShop();
  const { id, body } = await createSubscriber(shop);
  const may = { ok: true, reasons: [] };
  assert.deepEqual(await reachOf(shop, id), {
    email: body.email,
    transactional: may,
    without_type: may,
    types: [
      { id: 'news', name: 'news', ...may },
      { id: 'offers', name: 'offers', ...may },
    ],
  });
});

test('an unsubscribe by a link says when, by whom and what may change it', async () => {
  const shop = await createShop();
  const { id, body } = await createSubscriber(shop);
  const token = preferencesToken(app, shop, { id, email: body.email });
  const updates = [{ subscription_type_id: 'offers', subscribe: false }];
  await shop.api.put(`/api/subscribers/preferences/${token}`, {
    subscription_updates: updates,
    replace_all: false,
  });
  const { types, without_type: withoutType } = await reachOf(shop, id);
  const [news, offers] = types;
  const [{ since, message, ...reason }] = offers.reasons;
  assert.deepEqual([news.ok, offers.ok, withoutType.ok], [true, false, true]);
  assert.deepEqual(reason, {
    code: 'unsubscribed',
    suppression_type: null,
    detail: null,
    by: 'subscriber',
    action: 'subscribe',
  });
  assert.match(message, /Subscribe them only if they ask/);
  const { subscription_preferences: choices } = await getSubscriber(shop, id);
  assert.equal(since, choices[0].unsubscribed_date);
});

test('an unsubscribe by a member names a member', async () => {
  const shop = await createShop();
  const { id } = await createSubscriber(shop);
  await unsubscribe(shop, id, 'news');
  assert.equal((await reachOf(shop, id)).types[0].reasons[0].by, 'member');
});

test('an inactive subscriber may only get transactional mail, and the reason is quoted', async () => {
  const shop = await createShop();
  const { id } = await createSubscriber(shop, { active: false, inactive_reason: 'asked by phone' });
  assert.deepEqual(await codesOf(shop, id), {
    transactional: [],
    without_type: ['inactive'],
    types: [['inactive'], ['inactive']],
  });
  const [{ detail, action }] = (await reachOf(shop, id)).without_type.reasons;
  assert.deepEqual([detail, action], ['asked by phone', 'activate']);
});

test('a subscriber who has not confirmed can only confirm', async () => {
  const shop = await createShop();
  const { id } = await createSubscriber(shop, { active: false, inactive_reason: 'unconfirmed' });
  const [{ code, action }] = (await reachOf(shop, id)).without_type.reasons;
  assert.deepEqual([code, action], ['unconfirmed', null]);
});

test('a bounce blocks all mail, an unsubscribed address only mail without a type', async () => {
  const shop = await createShop();
  const [bounced, left] = [await createSubscriber(shop), await createSubscriber(shop)];
  await suppress(shop, bounced.body.email.toUpperCase(), 'bounce', '550 no such user');
  await suppress(shop, left.body.email, 'unsubscribe');
  const every = ['suppressed'];
  assert.deepEqual(await codesOf(shop, bounced.id), {
    transactional: every,
    without_type: every,
    types: [every, every],
  });
  assert.deepEqual(await codesOf(shop, left.id), { transactional: [], without_type: every, types: [[], []] });
  const [reason] = (await reachOf(shop, bounced.id)).transactional.reasons;
  assert.deepEqual(
    [reason.suppression_type, reason.detail, reason.action],
    ['bounce', '550 no such user', 'delete_suppression'],
  );
});

test('a subscriber of another tenant or of nobody is unknown', async () => {
  const [shop, other] = [await createShop(), await createShop()];
  const { id } = await createSubscriber(shop);
  await other.api.get(`/api/subscribers/${id}/reach`, 404);
  await shop.api.get('/api/subscribers/nobody/reach', 404);
});

/** Subscribers with every combination of what may keep mail from them, all in one list. */
async function createCombinations(shop: MailTenant, domains: readonly string[]) {
  const { id: listId } = (await shop.api.post('/api/lists', { name: 'All' })).body;
  const ids: { readonly id: string; readonly email: string }[] = [];
  for (const active of [true, false])
    for (const isUnsubscribed of [true, false])
      for (const suppression of [null, 'bounce', 'complaint', 'unsubscribe'])
        for (const domain of domains) {
          const email = `p${ids.length}@${shop.code}.${domain}`;
          const inactive = active ? {} : { active, inactive_reason: 'left' };
          const { id } = await createSubscriber(shop, { email, lists: [listId], ...inactive });
          if (isUnsubscribed) await unsubscribe(shop, id, 'news');
          if (suppression !== null) await suppress(shop, email, suppression);
          ids.push({ id, email });
        }
  return { listId, subscribers: ids };
}

async function assertReachMatchesMail({ sandbox }: { readonly sandbox: boolean }): Promise<void> {
  const shop = await createShop();
  const { listId, subscribers } = await createCombinations(
    shop,
    sandbox ? ['allowed.example', 'other.example'] : ['other.example'],
  );
  const whitelist = { domain_name: `${shop.code}.allowed.example`, active: true };
  await shop.api.put('/api/email_settings', {
    ...SETTINGS,
    whitelist_recipient_rules: [whitelist],
    sandbox_mode: sandbox,
  });
  const code = await createCampaign(shop);
  const received = (subject: string) =>
    new Set(
      relay.messages
        .filter(({ mailFrom, raw }) => mailFrom.endsWith(shop.domain) && raw.includes(subject))
        .flatMap(({ rcptTo }) => rcptTo),
    );
  const sent: Record<string, ReadonlySet<string>> = {};
  for (const [kind, type] of [
    ['without_type', null],
    ['typed', 'news'],
  ] as const) {
    const more = { list_ids: [listId], subject: kind, ...(type && { subscription_type_id: type }) };
    const { path } = await createEmail(shop, code, more);
    await shop.api.get(`${path}/process`);
    await waitForStatus(shop, path, 'Sent');
    sent[kind] = received(`Subject: ${kind}`);
  }
  const recipients = subscribers.map(({ email }) => ({ address: email }));
  const content = { from: `shop@${shop.domain}`, subject: 'receipt', html: '<p>Thanks</p>' };
  await sendAndWait(shop, { recipients, content });
  sent.transactional = received('Subject: receipt');
  for (const { id, email } of subscribers) {
    const { transactional, without_type, types } = await reachOf(shop, id);
    const actual = ['transactional', 'without_type', 'typed'].map((kind) => sent[kind]?.has(email));
    assert.deepEqual([transactional.ok, without_type.ok, types[0].ok], actual, email);
  }
}

test('reach says who gets mail of each kind, with and without sandbox mode', async () => {
  await Promise.all([assertReachMatchesMail({ sandbox: false }), assertReachMatchesMail({ sandbox: true })]);
});
