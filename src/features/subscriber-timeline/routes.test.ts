import assert from 'node:assert/strict';
import test from 'node:test';
import { createCampaign, createEmail, waitForStatus } from '../../../test/harness/campaigns.ts';
import { createJourney, enter } from '../../../test/harness/journeys.ts';
import { createMailTenant, type MailTenant, mailsTo, sendAndWait } from '../../../test/harness/mail.ts';
import { createMember, createUnit } from '../../../test/harness/members.ts';
import { eventually } from '../../../test/harness/poll.ts';
import { preferencesToken, subscriptionType } from '../../../test/harness/preferences.ts';
import { startRelay } from '../../../test/harness/relay.ts';
import { createForm, goodAnswers } from '../../../test/harness/sample-forms.ts';
import { createSubscriber, getSubscriber } from '../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });

const BROWSER = { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0' } };

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly at: string;
  readonly title: string | null;
  readonly key: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on arbitrary members.
  readonly detail: any;
}

async function timelineOf({ api }: Pick<MailTenant, 'api'>, id: string, query = ''): Promise<Entry[]> {
  return (await api.get(`/api/subscribers/${id}/timeline${query}`)).body.results;
}

const kindsOf = (entries: readonly Entry[]) => entries.map(({ kind }) => kind);

const subscriberOfShop = async (tenant: MailTenant) => {
  const { id, body } = await createSubscriber(tenant);
  return { id, email: body.email };
};

/** Requests the links with this path in the mail to an address, as its recipient would. */
async function follow(address: string, path: string): Promise<void> {
  const [mail] = await mailsTo(relay, address);
  const url = [...String(mail?.html).matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, found = '']) => new URL(found.replaceAll('&amp;', '&')))
    .find(({ pathname }) => pathname.startsWith(path));
  assert.ok(url, `a link to ${path}`);
  const answer = await fetch(app.url + url.pathname, { ...BROWSER, redirect: 'manual' });
  await answer.arrayBuffer();
}

test('mails, opens and clicks of campaigns and transmissions are listed, newest first', async () => {
  const shop = await createMailTenant(app);
  const { id, email } = await subscriberOfShop(shop);
  const { id: listId } = (await shop.api.post('/api/lists', { name: 'All' })).body;
  await shop.api.post(`/api/lists/${listId}/members`, { subscriber_ids: [id] });
  const { path } = await createEmail(shop, await createCampaign(shop), {
    name: 'Spring',
    list_ids: [listId],
  });
  await shop.api.get(`${path}/process`);
  await waitForStatus(shop, path, 'Sent');
  await follow(email, '/t/o/');
  await eventually('the open', async () => (await timelineOf(shop, id, '?kinds=open')).length === 1);
  await follow(email, '/t/c/');
  const clicks = await eventually('the click', async () => {
    const found = await timelineOf(shop, id, '?kinds=click');
    return found.length === 1 && found;
  });
  assert.match(clicks[0]?.detail.url, /^https:\/\/shop\.example\/seeds/);
  await sendAndWait(shop, { recipients: [{ address: email.toUpperCase() }], description: 'Receipt' });
  const mails = await timelineOf(shop, id, '?kinds=email');
  assert.deepEqual(
    mails.map(({ title, detail }) => [title?.split(' ')[0], detail.status]),
    [
      ['Receipt', 'sent'],
      ['Spring', 'sent'],
    ],
  );
  assert.deepEqual(kindsOf(await timelineOf(shop, id, '?kinds=email,open,click')), [
    'email',
    'click',
    'open',
    'email',
  ]);
});

test('submissions and journeys lead to their records', async () => {
  const shop = await createMailTenant(app);
  const { id, email } = await subscriberOfShop(shop);
  const formCode = await createForm(shop.api);
  const body = { form_code: formCode, email_address: email.toUpperCase(), form_data: goodAnswers };
  const submission = (await shop.api.post('/api/form_submissions', body)).body.submission_id;
  const journeyId = await createJourney(shop, [{ key: 'wait', type: 'wait', seconds: 86_400 }], {
    name: 'Hello',
  });
  await enter(shop, journeyId, id);
  const [journey, submitted] = await timelineOf(shop, id, '?kinds=submission,journey');
  assert.deepEqual(
    [journey?.title, journey?.key, journey?.detail],
    ['Hello', journeyId, { status: 'active' }],
  );
  assert.deepEqual([submitted?.key, submitted?.detail], [submission, { form_code: formCode }]);
});

test('consent says what changed and by whom, and other changes are edits', async () => {
  const shop = await createMailTenant(app);
  await shop.api.patch('/api/email_settings', {
    subscription_types: [subscriptionType('news'), subscriptionType('offers')],
  });
  const { id, email } = await subscriberOfShop(shop);
  await shop.api.patch(`/api/subscribers/${id}`, { first_name: 'Grace' });
  const updates = [{ subscription_type_id: 'offers', subscribe: false }];
  await shop.api.put(`/api/subscribers/preferences/${preferencesToken(app, shop, { id, email })}`, {
    subscription_updates: updates,
    replace_all: false,
  });
  const { version: _version, ...stored } = await getSubscriber(shop, id);
  await shop.api.put(`/api/subscribers/${id}`, { ...stored, active: false, inactive_reason: 'phone' });
  const [inactive, left, renamed, created] = await timelineOf(shop, id);
  assert.deepEqual(
    [inactive?.kind, inactive?.detail.active, inactive?.detail.choices],
    ['consent', false, undefined],
  );
  assert.deepEqual(
    [left?.kind, left?.detail.choices, left?.detail.actor.kind],
    ['consent', [{ subscription_type_id: 'offers', name: 'offers', subscribed: false }], 'subscriber'],
  );
  assert.deepEqual([renamed?.kind, renamed?.detail.changed_fields], ['edit', ['first_name']]);
  assert.deepEqual([created?.kind, created?.key, created?.detail.actor.name], ['edit', '1', 'Owner']);
});

test('pages continue where the last one ended, whatever happened at the same time', async () => {
  const shop = await createMailTenant(app);
  const { id, email } = await subscriberOfShop(shop);
  await sendAndWait(shop, { recipients: Array.from({ length: 7 }, () => ({ address: email })) });
  const all = await timelineOf(shop, id, '?limit=100');
  assert.equal(all.length, 8);
  const pages: Entry[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const path = `/api/subscribers/${id}/timeline?limit=3${after === '' ? '' : `&after=${after}`}`;
    const { body } = await shop.api.get(path);
    pages.push(...body.results);
    after = body.next;
  }
  assert.deepEqual(pages, all);
});

test('an unknown kind and a foreign cursor are refused', async () => {
  const shop = await createMailTenant(app);
  const { id } = await subscriberOfShop(shop);
  const path = `/api/subscribers/${id}/timeline`;
  assert.equal((await shop.api.get(`${path}?kinds=email,fax`, 400)).body.issues[0].field, 'kinds');
  assert.equal((await shop.api.get(`${path}?after=xyz`, 400)).body.issues[0].field, 'after');
  assert.equal((await shop.api.get(`${path}?limit=101`, 400)).body.issues[0].field, 'limit');
});

test('a member of another unit sees no mail of this one, and another tenant sees nothing', async () => {
  const [shop, other] = [await createMailTenant(app), await createMailTenant(app)];
  const north = await createUnit(shop, 'North');
  const member = await createMember(shop, [{ bu_id: north, role: 'viewer' }]);
  const { id, body } = await createSubscriber(shop, { business_unit: north });
  await sendAndWait(shop, { recipients: [{ address: body.email }] });
  assert.deepEqual(kindsOf(await timelineOf(shop, id)), ['email', 'edit']);
  assert.deepEqual(kindsOf(await timelineOf(member, id)), ['edit']);
  await other.api.get(`/api/subscribers/${id}/timeline`, 404);
});

test('an erased subscriber has no timeline', async () => {
  const shop = await createMailTenant(app);
  const { id } = await subscriberOfShop(shop);
  await shop.api.delete(`/api/subscribers/${id}`);
  await shop.api.get(`/api/subscribers/${id}/timeline`, 404);
});
