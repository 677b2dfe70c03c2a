import assert from 'node:assert/strict';
import test from 'node:test';
import {
  createCampaign,
  createEmail,
  createListOf,
  emailBody,
  emailsOf,
  waitForStatus,
} from '../../../../test/harness/campaigns.ts';
import { createMailTenant, mailsTo } from '../../../../test/harness/mail.ts';
import { createUnit } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startRelay } from '../../../../test/harness/relay.ts';
import { createSubscriber, getSubscriber } from '../../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const TYPE = { id: 'news', name: 'News', description: '', active: true };

async function defineType({ api }: { api: Awaited<ReturnType<typeof createMailTenant>>['api'] }) {
  await api.put('/api/email_settings', {
    sender_identities: [],
    whitelist_recipient_rules: [],
    subscription_types: [TYPE],
    subscriber_additional_fields: {},
  });
}

test('an email reaches each member of its lists and audiences once, with their data and links', async () => {
  const tenant = await createMailTenant(app);
  const { listId, subscribers } = await createListOf(tenant, 3, {
    additional_fields_data: { city: 'London' },
  });
  const { id: audienceId } = (await tenant.api.post('/api/audiences', { name: 'Gardeners' })).body;
  const both = await createSubscriber(tenant, { lists: [listId], audiences: [audienceId] });
  const code = await createCampaign(tenant);
  const html =
    '<p>{{subscriber.first_name}} of {{subscriber.city}} {{campaign.code}}</p><a href="https://shop.example/a?x=1#y">A</a> <a href="{{preferences_url}}">P</a> <a href="{{view_in_browser_url}}">V</a> <a href="{{unsubscribe_url}}">U</a>';
  await tenant.api.put(`/api/subscribers/${both.id}`, {
    ...both.body,
    additional_fields_data: { city: 'Paris' },
  });
  const email = await createEmail(tenant, code, {
    content: { html },
    list_ids: [listId],
    audience_ids: [audienceId],
  });
  const { body } = await tenant.api.get(`${email.path}/process`);
  assert.equal(body.status, 'Sending');
  assert.deepEqual((await tenant.api.get(`${email.path}/process`)).body.job_id, body.job_id);
  const sent = await waitForStatus(tenant, email.path, 'Sent');
  assert.equal(sent.metrics.delivered, 4);
  for (const { email: address } of [...subscribers, both.body]) {
    const mails = await mailsTo(relay, address);
    assert.equal(mails.length, 1, address);
  }
  const [mail] = await mailsTo(relay, subscribers[0]?.email ?? '');
  assert.equal(mail?.subject, 'Seeds for P0');
  assert.match(String(mail?.html), new RegExp(`P0 of London ${code}`));
  assert.ok(mail?.headers.has('list'), 'it can be unsubscribed from with one click');
  const view = /href="([^"]+\/view\/[^"]+)"/.exec(String(mail?.html))?.[1] ?? '';
  const shown = await fetch(view);
  assert.equal(shown.status, 200);
  assert.match(await shown.text(), /P0 of London/);
  const token = view.split('/').at(-1);
  const preview = await tenant.api.get(`/api/subscribers/email/${token}/preview`);
  assert.match(preview.body.html_content, /href="https:\/\/shop\.example\/a\?x=1#y"/);
  assert.equal((await tenant.api.get('/api/subscribers/email/bad/preview', 404)).body.code, 'TOKEN_INVALID');
});

test('a sent campaign keeps its figures in history after deletion', async () => {
  const tenant = await createMailTenant(app);
  const { listId } = await createListOf(tenant, 2);
  const code = await createCampaign(tenant);
  const email = await createEmail(tenant, code, { list_ids: [listId] });
  await tenant.api.get(`${email.path}/process`);
  await waitForStatus(tenant, email.path, 'Sent');
  const read = async (path: string) => (await tenant.api.get(path)).body.metrics;
  const metrics = { campaign: await read(`/api/campaigns/${code}`), email: await read(email.path) };
  assert.equal(metrics.campaign.total_emails_sent, 2);
  await tenant.api.delete(`/api/campaigns/${code}`);
  const lastVersion = async (entityType: string, sk: string) => {
    const { body } = await tenant.api.get(`/api/entity/deleted-records?entityType=${entityType}`);
    return body.find((each: { sk: string }) => each.sk === sk)?.entity.metrics;
  };
  assert.deepEqual(
    {
      campaign: await lastVersion('marketing_campaign', code),
      email: await lastVersion('marketing_email', email.id),
    },
    metrics,
  );
});

test('a followed link contains its campaign and email, keeps its own parameters, and is counted', async () => {
  const tenant = await createMailTenant(app);
  const { listId, subscribers } = await createListOf(tenant, 2);
  const code = await createCampaign(tenant);
  const html = '<p><a href="https://shop.example/a?utm_source=own#y">A</a></p>';
  const email = await createEmail(tenant, code, { content: { html }, list_ids: [listId] });
  await tenant.api.get(`${email.path}/process`);
  await waitForStatus(tenant, email.path, 'Sent');
  const [mail] = await mailsTo(relay, subscribers[0]?.email ?? '');
  const click = /href="([^"]+\/t\/c\/[^"]+)"/.exec(String(mail?.html))?.[1] ?? '';
  const answer = await fetch(click, { redirect: 'manual' });
  const expected = `https://shop.example/a?utm_source=own&utm_medium=email&utm_campaign=${code}&utm_content=${email.id}#y`;
  assert.equal(answer.headers.get('location'), expected);
  const pixel = /src="([^"]+\/t\/o\/[^"]+)"/.exec(String(mail?.html))?.[1] ?? '';
  await fetch(pixel);
  const { metrics } = await eventually('the click', async () => {
    const { body } = await tenant.api.get(email.path);
    return body.metrics.clicked === 1 && body.metrics.opened === 1 ? body : null;
  });
  assert.deepEqual(metrics, {
    ...{ delivered: 2, opened: 1, clicked: 1, unsubscribed: 0, bounced: 0, failed: 0 },
    ...{ open_rate: 0.5, click_rate: 0.5, unsubscribe_rate: 0 },
  });
  const { body: links } = await tenant.api.get(`${email.path}/clicked-links-data`);
  assert.equal(links.total_clicks, 1);
  assert.deepEqual(
    [links.links[0].url, links.links[0].unique_clicks, links.links[0].click_rate],
    ['https://shop.example/a?utm_source=own#y', 1, 0.5],
  );
  const { body: metric } = await tenant.api.post(`${email.path}/metrics`, {
    query: { name: 'getMarketingEmailOpenRate' },
  });
  const { calculation_time: at, ...result } = metric.result;
  assert.ok(!Number.isNaN(Date.parse(at)));
  assert.deepEqual(result, { open_rate: 0.5, unique_opens: 1, total_opens: 1, delivered: 2 });
  const purchase = { type: 'purchase', email: subscribers[0]?.email, amount: 12.5 };
  assert.deepEqual(
    (
      await tenant.api.post('/api/marketing_events', {
        events: [purchase, { ...purchase, email: 'no@x.example' }],
      })
    ).body,
    {
      accepted: 1,
    },
  );
  const { body: campaign } = await tenant.api.get(`/api/campaigns/${code}`);
  assert.deepEqual(campaign.metrics, {
    ...{
      total_emails_sent: 2,
      total_subscribers_reached: 2,
      average_open_rate: 0.5,
      average_click_rate: 0.5,
    },
    ...{ total_conversions: 1, revenue_generated: 12.5 },
  });
  const records = { page: 1, limit: 10, filters: {} };
  const { body: own } = await tenant.api.post(`/api/subscribers/${subscribers[0]?.id}/engagements`, records);
  assert.equal(own.total, 1);
  const [record] = own.results;
  assert.equal(record.delivery_status, 'DELIVERED');
  assert.deepEqual(
    [
      record.open_count,
      record.click_count,
      record.unique_click_count,
      record.purchase_count,
      record.engagement_score,
    ],
    [1, 1, 1, 1, 60],
  );
  assert.equal(record.campaign_metadata.subject_line, 'Seeds for {{subscriber.first_name}}');
  const clicked = { page: 1, limit: 10, filters: { hasClickedLinks: true } };
  const { body: all } = await tenant.api.post(`/api/campaigns/${code}/engagements`, clicked);
  assert.deepEqual(
    all.results.map((each: { subscriber_id: string }) => each.subscriber_id),
    [subscribers[0]?.id],
  );
  const { body: groups } = await tenant.api.post('/api/marketing_events/query', {
    from: '2020-01-01',
    to: '2100-01-01',
    group_by: 'campaign',
  });
  assert.deepEqual(groups.results, [{ key: code, count: 1, unique_subscribers: 1, amount: 12.5 }]);
});

test('a purchase without an email is attributed to the last email that the subscriber clicked', async () => {
  const tenant = await createMailTenant(app);
  const { listId, subscribers } = await createListOf(tenant, 1);
  const address = subscribers[0]?.email ?? '';
  const html = '<p><a href="https://shop.example/a">A</a></p>';
  const sendOne = async (subject: string) => {
    const code = await createCampaign(tenant);
    const email = await createEmail(tenant, code, { content: { html }, subject, list_ids: [listId] });
    await tenant.api.get(`${email.path}/process`);
    await waitForStatus(tenant, email.path, 'Sent');
    const mail = (await mailsTo(relay, address)).find((each) => each.subject === subject);
    return { code, email, link: /href="([^"]+\/t\/c\/[^"]+)"/.exec(String(mail?.html))?.[1] ?? '' };
  };
  const [first, second] = [await sendOne('First'), await sendOne('Second')];
  const click = async ({ email, link }: typeof first, clicks: number) => {
    await fetch(link, { redirect: 'manual' });
    await eventually('the click', async () => {
      const { body } = await tenant.api.get(`${email.path}/clicked-links-data`);
      return body.total_clicks === clicks;
    });
  };
  await click(first, 1);
  await click(second, 1);
  await click(first, 2);
  await tenant.api.post('/api/marketing_events', {
    events: [{ type: 'purchase', email: address, amount: 5 }],
  });
  const span = { from: '2020-01-01', to: '2100-01-01', group_by: 'campaign' };
  const { body } = await tenant.api.post('/api/marketing_events/query', span);
  assert.deepEqual(
    body.results.map(({ key }: { key: string }) => key),
    [first.code],
  );
});

test('preflight counts the recipients and exclusions of the later sending', async () => {
  const tenant = await createMailTenant(app);
  await defineType(tenant);
  const { listId } = await createListOf(tenant, 2);
  const inactive = await createSubscriber(tenant, {
    lists: [listId],
    active: false,
    inactive_reason: 'away',
  });
  const left = await createSubscriber(tenant, {
    lists: [listId],
    subscription_updates: [{ subscription_type_id: 'news', subscribe: false }],
  });
  const bounced = await createSubscriber(tenant, { lists: [listId] });
  await tenant.api.post('/api/email_settings/suppressions', {
    recipient: bounced.body.email,
    type: 'bounce',
  });
  const unsubscribed = await createSubscriber(tenant, { lists: [listId] });
  await tenant.api.post('/api/email_settings/suppressions', {
    recipient: unsubscribed.body.email,
    type: 'unsubscribe',
  });
  const unit = await createUnit(tenant, 'Garden');
  const twice = await createSubscriber(tenant, { lists: [listId] });
  await createSubscriber(tenant, { lists: [listId], email: twice.body.email, business_unit: unit });
  const code = await createCampaign(tenant);
  const email = await createEmail(tenant, code, { list_ids: [listId], subscription_type_id: 'news' });
  const { body } = await tenant.api.get(`${email.path}/preflight`);
  assert.deepEqual(body, {
    recipients: 4,
    excluded: { inactive: 1, unsubscribed: 1, suppressed: 1, sandbox: 0, duplicate: 1 },
    problems: [],
    warnings: body.warnings,
  });
  await tenant.api.get(`${email.path}/process`);
  const { metrics } = await waitForStatus(tenant, email.path, 'Sent');
  assert.equal(metrics.delivered, 4);
  for (const { body: subscriber } of [inactive, left, bounced])
    assert.equal((await mailsTo(relay, subscriber.email)).length, 0);
  assert.equal(
    (await mailsTo(relay, unsubscribed.body.email)).length,
    1,
    'mail of a type goes by the choice',
  );
  const history = await tenant.api.get(`${email.path}/recipients/${bounced.body.email}`);
  assert.equal(history.body.messages[0].status, 'suppressed');
});

test('an erased and suppressed subscriber who is recreated is suppressed again, and preflight reports it', async () => {
  const tenant = await createMailTenant(app);
  await defineType(tenant);
  const { listId, subscribers } = await createListOf(tenant, 4);
  const types = ['bounce', 'unsubscribe', 'complaint'];
  for (const [n, type] of types.entries()) {
    const { id, email: recipient } = subscribers[n] ?? assert.fail();
    await tenant.api.post('/api/email_settings/suppressions', { recipient, type });
    await tenant.api.delete(`/api/subscribers/${id}`);
    await createSubscriber(tenant, { email: recipient.toUpperCase(), lists: [listId], first_name: type });
  }
  const code = await createCampaign(tenant);
  const counts = async (subscription_type_id: string | null) => {
    const { path } = await createEmail(tenant, code, { list_ids: [listId], subscription_type_id });
    const { recipients, excluded } = (await tenant.api.get(`${path}/preflight`)).body;
    await tenant.api.get(`${path}/process`);
    const { metrics } = await waitForStatus(tenant, path, 'Sent');
    return [recipients, excluded.suppressed, metrics.delivered];
  };
  assert.deepEqual(await Promise.all([counts(null), counts('news')]), [
    [1, 3, 1],
    [2, 2, 2],
  ]);
});

test('a test shows a subscriber who would get the email', async () => {
  const tenant = await createMailTenant(app);
  await defineType(tenant);
  const { listId, subscribers } = await createListOf(tenant, 3);
  for (const [n, type] of ['bounce', 'unsubscribe'].entries())
    await tenant.api.post('/api/email_settings/suppressions', { recipient: subscribers[n]?.email, type });
  const code = await createCampaign(tenant);
  const to = `tester@${tenant.domain}`;
  for (const [subscription_type_id, shown] of [
    [null, 'P2'],
    ['news', 'P1'],
  ]) {
    const email = await createEmail(tenant, code, { list_ids: [listId], subscription_type_id });
    await tenant.api.post(`${email.path}/test`, { to: [to] });
    await eventually(`a test that shows ${shown}`, async () =>
      (await mailsTo(relay, to)).some(({ subject }) => subject === `[Test] Seeds for ${shown}`),
    );
  }
});

test('a subscriber who unsubscribes, becomes inactive or is erased after the snapshot gets no email', async () => {
  const tenant = await createMailTenant(app);
  await defineType(tenant);
  const { listId, subscribers } = await createListOf(tenant, 8);
  const { promise: go, resolve } = Promise.withResolvers<null>();
  relay.onMessage = ({ mailFrom }) => (mailFrom.endsWith(tenant.domain) ? go : null);
  const code = await createCampaign(tenant);
  const email = await createEmail(tenant, code, { list_ids: [listId], subscription_type_id: 'news' });
  await tenant.api.post(`${email.path}/cancel`, {});
  await tenant.api.delete(email.path);
  const draft = await createEmail(tenant, code, {
    list_ids: [listId],
    subscription_type_id: 'news',
    status: 'Draft',
  });
  const refused = (await tenant.api.get(`${draft.path}/process`, 409)).body;
  assert.equal(refused.code, 'INVALID_STATUS');
  assert.match(refused.message, /Draft.*Set it to Ready first\./);
  resolve(null);
  relay.onMessage = () => null;
  const [first, second, third] = subscribers;
  const scheduled = await createEmail(tenant, code, {
    ...{ list_ids: [listId], subscription_type_id: 'news' },
    sent_date: new Date(Date.now() + 3_600_000).toISOString(),
  });
  assert.equal((await tenant.api.get(`${scheduled.path}/process`)).body.status, 'Scheduled');
  const read = await getSubscriber(tenant, first?.id ?? '');
  await tenant.api.put(`/api/subscribers/${first?.id}`, { ...read, active: false, inactive_reason: 'away' });
  await tenant.api.put(`/api/subscribers/${second?.id}`, {
    ...(await getSubscriber(tenant, second?.id ?? '')),
    subscription_updates: [{ subscription_type_id: 'news', subscribe: false }],
  });
  await tenant.api.delete(`/api/subscribers/${third?.id}`);
  assert.equal((await tenant.api.get(`${scheduled.path}/process`)).body.status, 'Sending');
  const { metrics } = await waitForStatus(tenant, scheduled.path, 'Sent');
  assert.equal(metrics.delivered, 5);
});

test('a test goes to its addresses with the data of the first recipient, and does not count in figures', async () => {
  const tenant = await createMailTenant(app);
  const { listId } = await createListOf(tenant, 1);
  const code = await createCampaign(tenant);
  const email = await createEmail(tenant, code, { list_ids: [listId], status: 'Draft' });
  const to = `tester@${tenant.domain}`;
  const { transactionId } = (await tenant.api.post(`${email.path}/test`, { to: [to] })).body;
  assert.ok(transactionId);
  const [mail] = await eventually('the test', async () => {
    const mails = await mailsTo(relay, to);
    return mails.length > 0 ? mails : null;
  });
  assert.equal(mail?.subject, '[Test] Seeds for P0');
  const { body } = await tenant.api.get(email.path);
  assert.deepEqual([body.status, body.metrics.delivered], ['Draft', 0]);
});

test('an email without content or verified sender is refused, one without content and audience ends Sent', async () => {
  const tenant = await createMailTenant(app);
  const { listId } = await createListOf(tenant, 1);
  const code = await createCampaign(tenant);
  const bad = await createEmail(tenant, code, { list_ids: [listId], content: null });
  const refused = await tenant.api.get(`${bad.path}/process`, 409);
  assert.equal(refused.body.code, 'INVALID_STATUS');
  assert.deepEqual(
    refused.body.issues.map(({ field }: { field: string }) => field),
    ['content'],
  );
  const foreign = await createEmail(tenant, code, { list_ids: [listId], from_email: 'x@elsewhere.example' });
  const { body } = await tenant.api.get(`${foreign.path}/process`, 409);
  assert.deepEqual(
    body.issues.map(({ field }: { field: string }) => field),
    ['from_email'],
  );
  const empty = await createEmail(tenant, code, { content: null, from_email: null });
  assert.deepEqual(
    (await tenant.api.get(`${empty.path}/preflight`)).body.problems.map(({ id }: { id: string }) => id),
    ['no_recipients', 'content_empty'],
  );
  assert.equal((await tenant.api.get(`${empty.path}/process`)).body.status, 'Sending');
  const { metrics } = await waitForStatus(tenant, empty.path, 'Sent');
  assert.equal(metrics.delivered, 0);
  assert.equal(
    (await tenant.api.post(emailsOf(code), { ...emailBody(tenant), list_ids: ['x'] }, 400)).body.code,
    'INVALID_CAMPAIGN',
  );
});

test('a scheduled email is sent when due, and one that cannot be sent is cancelled with a reason', async () => {
  const tenant = await createMailTenant(app);
  const { listId, subscribers } = await createListOf(tenant, 1);
  const code = await createCampaign(tenant);
  const soon = new Date(Date.now() - 1000).toISOString();
  const due = { status: 'Scheduled', sent_date: soon, list_ids: [listId] };
  const good = await createEmail(tenant, code, due);
  const bad = await createEmail(tenant, code, { ...due, from_email: 'x@elsewhere.example' });
  const late = await createEmail(tenant, code, { ...due, sent_date: '2020-01-01T00:00:00Z' });
  await waitForStatus(tenant, good.path, 'Sent');
  assert.equal((await mailsTo(relay, subscribers[0]?.email ?? '')).length, 1);
  const cancelled = await waitForStatus(tenant, bad.path, 'Cancelled');
  assert.match(cancelled.cancel_reason, /from_email: must be on a verified/);
  assert.match((await waitForStatus(tenant, late.path, 'Cancelled')).cancel_reason, /24 hours/);
});

test('cancelling stops a sending', async () => {
  const tenant = await createMailTenant(app);
  const { listId } = await createListOf(tenant, 40);
  const code = await createCampaign(tenant);
  const { promise: go, resolve } = Promise.withResolvers<null>();
  let taken = 0;
  relay.onMessage = ({ mailFrom }) => {
    if (!mailFrom.endsWith(tenant.domain)) return null;
    taken += 1;
    return go;
  };
  const email = await createEmail(tenant, code, { list_ids: [listId] });
  await tenant.api.get(`${email.path}/process`);
  await eventually('the first to be in hand', () => taken > 0);
  const { body } = await tenant.api.post(`${email.path}/cancel`, {});
  assert.deepEqual([body.status, body.previous_status], ['Cancelled', 'Sending']);
  resolve(null);
  const ended = await eventually('all to end', async () => {
    const { body: page } = await tenant.api.post(`/api/campaigns/${code}/engagements`, {
      page: 1,
      limit: 100,
    });
    const isDone = page.results.every(
      (each: { delivery_status: string }) => each.delivery_status !== 'pending',
    );
    return isDone && page.total > 0 ? page : null;
  });
  relay.onMessage = () => null;
  assert.ok(ended.total === 40);
  assert.equal((await tenant.api.get(`${email.path}/process`, 409)).body.code, 'INVALID_STATUS');
});

test('sending waits for an audience with filters, so that no existing subscriber is missed', async () => {
  const tenant = await createMailTenant(app);
  const filters = { first_name: { operation: 'eq', value: 'Londoner' } };
  const { id: audienceId } = (await tenant.api.post('/api/audiences', { name: 'London', filters })).body;
  const subscriber = await createSubscriber(tenant, { first_name: 'Londoner' });
  const code = await createCampaign(tenant);
  const email = await createEmail(tenant, code, { audience_ids: [audienceId] });
  await tenant.api.get(`${email.path}/process`);
  const { metrics } = await waitForStatus(tenant, email.path, 'Sent');
  assert.equal(metrics.delivered, 1);
  assert.equal((await mailsTo(relay, subscriber.body.email)).length, 1);
});
