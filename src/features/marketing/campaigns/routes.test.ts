import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import {
  campaignBody,
  createCampaign,
  createEmail,
  createListOf,
  emailBody,
  emailsOf,
} from '../../../../test/harness/campaigns.ts';
import { createMailTenant } from '../../../../test/harness/mail.ts';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await createMailTenant(app);
const { api } = tenant;

/** Returns the invalid fields of a rejected body. */
async function faultsOf(path: string, body: object): Promise<string[]> {
  const answer = await api.post(path, body, 400);
  assert.equal(answer.body.code, 'INVALID_CAMPAIGN');
  return answer.body.issues.map(({ field }: { field: string }) => field);
}

test('a campaign reads as it was written, with figures, and its versions stay in history', async () => {
  const body = campaignBody({ end_date: '2026-04-01T10:00:00+02:00', goal: 'Sell seeds' });
  const { body: created } = await api.post('/api/campaigns', body);
  assert.deepEqual(Object.keys(created), ['code', 'id', 'created_at']);
  const { body: read } = await api.get(`/api/campaigns/${body.code}`);
  assert.deepEqual(read, {
    ...body,
    id: created.id,
    audience_name: 'Gardeners',
    business_unit: tenant.defaultUnitId,
    version: 1,
    created_at: created.created_at,
    updated_at: created.created_at,
    metrics: {
      ...{ total_emails_sent: 0, total_subscribers_reached: 0, average_open_rate: 0, average_click_rate: 0 },
      ...{ total_conversions: 0, revenue_generated: 0 },
    },
  });
  const { code, ...rest } = body;
  const { body: replaced } = await api.put(`/api/campaigns/${code}`, { ...rest, name: 'Other' });
  assert.deepEqual(Object.keys(replaced), ['code', 'updated_at']);
  assert.deepEqual((await api.delete(`/api/campaigns/${code}`)).body, { code, deleted: true });
  assert.equal((await api.get(`/api/campaigns/${code}`, 404)).body.code, 'CAMPAIGN_NOT_FOUND');
  await api.post('/api/campaigns', body);
  const history = `/api/entity/versions?entityType=marketing_campaign&entitySortKey=${code}`;
  const { body: versions } = await api.get(history);
  assert.deepEqual(
    versions.map(({ version }: { version: number }) => version),
    [1, 2, 3],
  );
});

test('codes are unique and match a pattern, and all errors of a body are reported', async () => {
  const code = await createCampaign(tenant);
  const { body } = await api.post('/api/campaigns', campaignBody({ code }), 409);
  assert.equal(body.code, 'DUPLICATE_CAMPAIGN_CODE');
  assert.deepEqual(await faultsOf('/api/campaigns', campaignBody({ code: 'spring' })), ['code']);
  assert.deepEqual((await faultsOf('/api/campaigns', {})).sort(), [
    'audience',
    'code',
    'colour',
    'name',
    'start_date',
  ]);
  const late = campaignBody({ colour: 'red', start_date: '2026-03-02', end_date: '2026-03-01' });
  assert.deepEqual((await faultsOf('/api/campaigns', late)).sort(), ['colour', 'end_date']);
  assert.deepEqual(await faultsOf('/api/campaigns', campaignBody({ start_date: 'soon' })), ['start_date']);
});

test('campaigns are listed newest first, with operators and search', async () => {
  const own = await createMailTenant(app);
  const spring = await createCampaign(own, { name: 'Spring', start_date: '2026-03-01' });
  const autumn = await createCampaign(own, { name: 'Autumn', start_date: '2026-09-01T08:00:00Z' });
  const codes = async (more: object) => {
    const { body } = await own.api.post('/api/campaigns/list', { page: 1, limit: 10, ...more });
    return body.results.map((each: { code: string }) => each.code);
  };
  const { body } = await own.api.post('/api/campaigns/list', { page: 1, limit: 1 });
  assert.deepEqual(body.metadata, { page: 1, limit: 1, total: 2, total_pages: 2 });
  assert.deepEqual(await codes({}), [autumn, spring]);
  assert.deepEqual(await codes({ filters: { name: { equals: 'Spring' } } }), [spring]);
  assert.deepEqual(await codes({ filters: { start_date: { gte: '2026-04-01' } } }), [autumn]);
  assert.deepEqual(await codes({ filters: { start_date: { gte: '2026-01-01', lte: '2026-05-01' } } }), [
    spring,
  ]);
  assert.deepEqual(await codes({ filters: { start_date: { gt: '2026-03-01', lt: '2026-10-01' } } }), [
    autumn,
  ]);
  assert.deepEqual(await codes({ filters: { name: { operation: 'like', value: 'aut' } } }), [autumn]);
  assert.deepEqual(await codes({ search: 'autumn' }), [autumn]);
  assert.deepEqual(await codes({ search: spring.toLowerCase() }), [spring]);
  const endless = { end_date: { operation: 'empty' } };
  assert.deepEqual((await codes({ filters: endless })).toSorted(), [autumn, spring].toSorted());
  const bad = { page: 1, limit: 10, filters: { colour: { equals: 'red' } } };
  assert.equal((await own.api.post('/api/campaigns/list', bad, 400)).body.code, 'INVALID_REQUEST');
});

test('an email is returned as written, and a copy of it is a draft', async () => {
  const code = await createCampaign(tenant);
  const { body: created } = await api.post(emailsOf(code), emailBody(tenant, { description: 'One' }));
  assert.deepEqual(Object.keys(created), ['id', 'campaign_code', 'created_at']);
  const path = `${emailsOf(code)}/${created.id}`;
  const { body: read } = await api.get(path);
  assert.equal(read.content.template_id, null);
  assert.deepEqual(
    [read.status, read.sent_date, read.list_ids, read.cancel_reason],
    ['Ready', null, [], null],
  );
  const { body: list } = await api.get(emailsOf(code));
  assert.deepEqual([list.total, list.results[0].id, 'content' in list.results[0]], [1, created.id, false]);
  const other = await createCampaign(tenant);
  const { body: copy } = await api.post(`${path}/clone`, { target_campaign_code: other });
  assert.deepEqual([copy.campaign_code, copy.name, copy.status], [other, 'First', 'Draft']);
  assert.equal((await api.get(`${emailsOf(other)}/${created.id}`, 404)).body.code, 'EMAIL_NOT_FOUND');
  assert.equal((await api.get(`${emailsOf('NONE')}/${created.id}`, 404)).body.code, 'CAMPAIGN_NOT_FOUND');
});

test('references of an email must exist, and a campaign cannot use a transactional template', async () => {
  const code = await createCampaign(tenant);
  const template = { name: 'T', from_email: `shop@${tenant.domain}`, transactional: true };
  const { id: templateId } = (await api.post('/api/templates', template)).body;
  const faults = await faultsOf(
    emailsOf(code),
    emailBody(tenant, {
      list_ids: [randomUUID()],
      audience_ids: [randomUUID()],
      subscription_type_id: 'none',
      content: { template_id: templateId },
    }),
  );
  assert.deepEqual(faults.sort(), [
    'audience_ids[0]',
    'content.template_id',
    'list_ids[0]',
    'subscription_type_id',
  ]);
});

test('only valid changes of the status are allowed', async () => {
  const code = await createCampaign(tenant);
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const { listId } = await createListOf(tenant, 1);
  const { path } = await createEmail(tenant, code, { sent_date: soon, list_ids: [listId] });
  assert.equal((await api.get(`${path}/process`)).body.status, 'Scheduled');
  assert.equal((await api.delete(`/api/campaigns/${code}`, 400)).body.code, 'CAMPAIGN_HAS_ACTIVE_EMAILS');
  assert.equal((await api.delete(path, 409)).body.code, 'INVALID_STATUS');
  const { body: draft } = await api.get(`${path}/convert-to-draft`);
  assert.deepEqual([draft.status, draft.previous_status], ['Draft', 'Scheduled']);
  assert.equal((await api.get(`${path}/convert-to-draft`, 409)).body.code, 'INVALID_STATUS');
  const refused = await api.put(path, emailBody(tenant, { status: 'Sent' }), 400);
  assert.equal(refused.body.code, 'INVALID_CAMPAIGN');
  const { body: put } = await api.put(path, emailBody(tenant, { status: 'Ready' }));
  assert.deepEqual(Object.keys(put), ['id', 'updated_at']);
  assert.equal((await api.delete(`/api/campaigns/${code}`, 400)).body.code, 'CAMPAIGN_HAS_ACTIVE_EMAILS');
  const { body: cancelled } = await api.post(`${path}/cancel`, {});
  assert.deepEqual([cancelled.status, cancelled.previous_status], ['Cancelled', 'Ready']);
  assert.equal((await api.get(path)).body.cancel_reason, 'It was cancelled manually.');
  assert.equal((await api.put(path, emailBody(tenant), 409)).body.code, 'INVALID_STATUS');
  assert.deepEqual(Object.keys((await api.delete(path)).body), ['id']);
  for (const status of ['Draft', 'Ready', 'Scheduled', 'Sending', 'Sent', 'Cancelled']) {
    const made = await createEmail(tenant, code, { status, sent_date: soon });
    assert.equal((await api.get(made.path)).body.status, status);
  }
});

test('an email belongs to the unit of its campaign, and a viewer cannot send', async () => {
  const unit = await createUnit(tenant, 'Garden');
  const code = await createCampaign(tenant, { business_unit: unit });
  const { path } = await createEmail(tenant, code, {});
  assert.equal((await api.get(path)).body.business_unit, unit);
  const outside = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  assert.equal((await outside.api.get(path, 404)).body.code, 'CAMPAIGN_NOT_FOUND');
  const viewer = await createMember(tenant, [{ bu_id: unit, role: 'viewer' }]);
  assert.equal((await viewer.api.get(`${path}/process`, 403)).body.code, 'FORBIDDEN');
});

test('a list cannot be deleted while an email to it is waiting', async () => {
  const code = await createCampaign(tenant);
  const { id: listId } = (await api.post('/api/lists', { name: 'Newsletter' })).body;
  const { path } = await createEmail(tenant, code, { list_ids: [listId] });
  const { body: used } = await api.delete(`/api/lists/${listId}`, 409);
  assert.equal(used.code, 'IN_USE');
  assert.match(used.message, /^In use by: campaign email "[^"]+" \([\da-f-]{36}\)\.$/);
  const others = [];
  for (let n = 0; n < 6; n += 1)
    others.push((await createEmail(tenant, code, { list_ids: [listId], status: 'Ready' })).path);
  const { message } = (await api.delete(`/api/lists/${listId}`, 409)).body;
  assert.match(message, /^In use by: (campaign email "[^"]+" \([\da-f-]{36}\),? ){5}and 2 more\.$/);
  const { body: active } = await api.delete(`/api/campaigns/${code}`, 400);
  assert.match(active.message, /email "[^"]+" \([\da-f-]{36}\) and 2 more\.$/);
  for (const each of [path, ...others]) await api.get(`${each}/convert-to-draft`);
  assert.deepEqual((await api.delete(`/api/lists/${listId}`)).body, { id: listId });
});

test('metrics cover only the emails of the campaign, and unknown queries are rejected', async () => {
  const code = await createCampaign(tenant);
  const { id, path } = await createEmail(tenant, code);
  const { body } = await api.post(`${emailsOf(code)}/metrics`, { marketing_email_ids: [id, randomUUID()] });
  assert.deepEqual(body, {
    metricsByEmailId: {
      [id]: {
        ...{ delivered: 0, opened: 0, clicked: 0, unsubscribed: 0, bounced: 0 },
        ...{ open_rate: 0, click_rate: 0, unsubscribe_rate: 0, bounce_rate: 0 },
      },
    },
  });
  assert.deepEqual(await faultsOf(`${path}/metrics`, { query: { name: 'getEverything' } }), ['query.name']);
  for (const name of ['Click', 'Unsubscribe', 'Bounce', 'Conversion']) {
    const query = { name: `getMarketingEmail${name}Rate` };
    const { body: metrics } = await api.post(`${path}/metrics`, { query });
    const noun = name.toLowerCase();
    assert.equal(metrics.queryName, query.name);
    assert.deepEqual(Object.keys(metrics.result).sort(), [
      ...[`${noun}_rate`, 'calculation_time', 'delivered', `total_${noun}s`, `unique_${noun}s`].sort(),
    ]);
  }
});
