import assert from 'node:assert/strict';
import test from 'node:test';
import {
  createCampaign,
  createEmail,
  createListOf,
  emailBody,
  waitForStatus,
} from '../../../../../test/harness/campaigns.ts';
import { createMailTenant, mailsTo } from '../../../../../test/harness/mail.ts';
import { startRelay } from '../../../../../test/harness/relay.ts';
import { createSubscriber } from '../../../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const tenant = await createMailTenant(app);
const code = await createCampaign(tenant);
const { listId, subscribers } = await createListOf(tenant, 2, { additional_fields_data: { city: 'London' } });
const without = await createSubscriber(tenant, { lists: [listId], first_name: 'Grace' });

interface Entry {
  readonly id: string;
  readonly field: string;
  readonly message: string;
  readonly variable?: string;
  readonly line?: number;
  readonly count: number;
}

const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id);

function emailWith(html: string, more: object = {}) {
  return createEmail(tenant, code, { content: { html }, list_ids: [listId], ...more });
}

async function preflightOf(
  path: string,
): Promise<{ recipients: number; problems: Entry[]; warnings: Entry[] }> {
  return (await tenant.api.get(`${path}/preflight`)).body;
}

test('preflight reports each variable without a value, its line and the number of affected recipients', async () => {
  const { path } = await emailWith(
    '<p>Hello</p>\n<p>{{subscriber.frst_name}} of {{subscriber.city}}</p>\n{{#if subscriber.city}}{{subscriber.city}}{{/if}}',
  );
  const { problems, recipients } = await preflightOf(path);
  assert.equal(recipients, 3);
  assert.deepEqual(
    problems.map(({ id, field, variable, line, count }) => [id, field, variable, line, count]).toSorted(),
    [
      ['variable_missing', 'content.html', 'subscriber.city', 2, 1],
      ['variable_missing', 'content.html', 'subscriber.frst_name', 2, 3],
    ],
  );
  assert.match(problems.find(({ count }) => count === 3)?.message ?? '', /any of the 3 recipients/);
  const { body } = await tenant.api.get(`${path}/process`, 409);
  assert.equal(body.code, 'INVALID_STATUS');
  assert.match(body.message, /subscriber\.frst_name/);
  assert.equal(body.issues.length, 2);
});

test('a variable inside a condition is not a problem for recipients without it', async () => {
  const { path } = await emailWith('<p>Hello {{#if subscriber.city}}{{subscriber.city}}{{/if}}</p>');
  assert.deepEqual((await preflightOf(path)).problems, []);
});

test('preflight reports an audience without recipients and empty content, and process refuses both', async () => {
  const { id: empty } = (await tenant.api.post('/api/lists', { name: 'Empty' })).body;
  const toNobody = await emailWith('<p>Hello</p>', { list_ids: [empty] });
  assert.deepEqual(idsOf((await preflightOf(toNobody.path)).problems), ['no_recipients']);
  assert.equal((await tenant.api.get(`${toNobody.path}/process`, 409)).body.issues[0].id, 'no_recipients');
  const withoutGroups = await emailWith('<p>Hello</p>', { list_ids: [] });
  assert.equal((await tenant.api.get(`${withoutGroups.path}/process`, 409)).body.code, 'INVALID_STATUS');
  const blank = await emailWith('<p> </p>');
  assert.deepEqual(idsOf((await preflightOf(blank.path)).problems), ['content_empty']);
});

test('a draft, a missing unsubscribe link and large HTML are warnings, which do not block sending', async () => {
  const html = `<p>Hello</p><p>${'seeds '.repeat(20_000)}</p>`;
  const { path } = await emailWith(html, { status: 'Draft' });
  const { problems, warnings } = await preflightOf(path);
  assert.deepEqual(problems, []);
  assert.deepEqual(idsOf(warnings).toSorted(), ['html_too_large', 'no_unsubscribe_link', 'status_draft']);
  const linked = await emailWith('<p>Hello <a href="{{unsubscribe_url}}">leave</a></p>');
  assert.deepEqual((await preflightOf(linked.path)).warnings, []);
});

test('a test reports the preflight issues, and is rejected if its subscriber lacks a variable', async () => {
  const { path } = await emailWith('<p>{{subscriber.city}}</p>', { status: 'Draft' });
  const to = [`tester@${tenant.domain}`];
  const { body } = await tenant.api.post(`${path}/test`, { to });
  assert.ok(body.transactionId);
  assert.deepEqual(idsOf(body.problems), ['variable_missing']);
  assert.deepEqual(idsOf(body.warnings).toSorted(), ['no_unsubscribe_link', 'status_draft']);
  const broken = await emailWith('<p>{{subscriber.frst_name}}</p>');
  const refused = await tenant.api.post(`${broken.path}/test`, { to }, 400);
  assert.equal(refused.body.code, 'INVALID_CAMPAIGN');
  assert.deepEqual([refused.body.issues[0].line, refused.body.issues[0].count], [1, 3]);
});

test('a scheduled email that would fail for all recipients is cancelled with the name of the variable', async () => {
  const due = { status: 'Scheduled', sent_date: new Date(Date.now() - 1000).toISOString() };
  const { path } = await emailWith('<p>{{subscriber.frst_name}}</p>', due);
  const { cancel_reason: reason } = await waitForStatus(tenant, path, 'Cancelled');
  assert.match(reason, /subscriber\.frst_name/);
});

test('messages that could not be rendered are counted, and retried after the content is fixed', async () => {
  const due = { status: 'Scheduled', sent_date: new Date(Date.now() - 1000).toISOString() };
  const { path } = await emailWith('<p>Seeds for {{subscriber.city}}</p>', due);
  const sent = await waitForStatus(tenant, path, 'Sent');
  assert.deepEqual([sent.metrics.delivered, sent.metrics.failed], [2, 1]);
  const before = (await mailsTo(relay, subscribers[0]?.email ?? '')).length;
  const repaired = {
    ...emailBody(tenant),
    ...{ subject: 'Repaired', status: 'Sent', list_ids: [listId] },
    content: { html: '<p>Repaired for {{#if subscriber.city}}{{subscriber.city}}{{else}}you{{/if}}</p>' },
  };
  const moved = await tenant.api.put(path, { ...repaired, list_ids: [] }, 409);
  assert.equal(moved.body.code, 'INVALID_STATUS');
  await tenant.api.put(path, repaired);
  const { body } = await tenant.api.post(`${path}/retry-failed`, {});
  assert.deepEqual(body, { id: sent.id, recipients: 1 });
  const again = await waitForStatus(tenant, path, 'Sent');
  assert.deepEqual([again.metrics.delivered, again.metrics.failed], [3, 0]);
  const [mail] = (await mailsTo(relay, without.body.email)).slice(-1);
  assert.equal(mail?.subject, 'Repaired');
  assert.match(String(mail?.html), /Repaired for you/);
  assert.equal(
    (await mailsTo(relay, subscribers[0]?.email ?? '')).length,
    before,
    'whoever got it gets it once',
  );
  assert.equal((await tenant.api.post(`${path}/retry-failed`, {})).body.recipients, 0);
  const { status: _status, ...unchanged } = repaired;
  assert.equal((await tenant.api.put(path, unchanged, 409)).body.code, 'INVALID_STATUS');
  const { results } = (await tenant.api.get('/api/transmissions?limit=100')).body;
  assert.equal(
    results.filter((each: { description: string }) => each.description === `First of ${code}`).length,
    1,
  );
});
