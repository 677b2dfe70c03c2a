import assert from 'node:assert/strict';
import test from 'node:test';
import {
  createMailTenant,
  type MailTenant,
  sendAndWait,
  transmissionBody,
} from '../../../../test/harness/mail.ts';
import { actingIn, createMember, createUnit } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const LIST = '/api/transmissions';
const later = { scheduled_time: { date: '2100-01-01T09:00:00', timezone: 'UTC' } };
const scheduled = { options: { transactional: true, ...later } };

async function accept(tenant: MailTenant, more: object = {}): Promise<string> {
  const { body } = await tenant.api.post(LIST, transmissionBody(tenant, { ...scheduled, ...more }));
  return body.transactionId;
}

async function idsBy({ api }: MailTenant, query: string): Promise<string[]> {
  const { body } = await api.get(`${LIST}?${query}`);
  return body.results.map(({ id }: { id: string }) => id);
}

test('transmissions are listed in pages, newest first, each as GET returns it', async () => {
  const tenant = await createMailTenant(app);
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.unshift(await accept(tenant, { description: `Number ${n}` }));
  const { body } = await tenant.api.get(LIST);
  assert.deepEqual([body.total, body.totalPages], [3, 1]);
  for (const [index, id] of ids.entries())
    assert.deepEqual(body.results[index], (await tenant.api.get(`${LIST}/${id}`)).body);
  const second = (await tenant.api.get(`${LIST}?page=2&limit=2`)).body;
  assert.deepEqual(
    [second.results.map(({ id }: { id: string }) => id), second.total, second.totalPages],
    [ids.slice(2), 3, 2],
  );
  const beyond = (await tenant.api.get(`${LIST}?page=9&limit=2`)).body;
  assert.deepEqual(beyond, { results: [], total: 3, totalPages: 2 });
});

test('a state finds the transmissions in it, and the total counts only those', async () => {
  const tenant = await createMailTenant(app);
  const broken = { from: `shop@${tenant.domain}`, subject: 'Hello', html: '{{missing}}' };
  const transmission = {
    scheduled: await accept(tenant),
    cancelled: await accept(tenant),
    completed: (await sendAndWait(tenant, {})).id,
    failed: (await sendAndWait(tenant, { content: broken })).id,
  };
  await tenant.api.delete(`${LIST}/${transmission.cancelled}`);
  for (const [state, id] of Object.entries(transmission)) {
    assert.equal((await tenant.api.get(`${LIST}/${id}`)).body.state, state);
    assert.deepEqual(await idsBy(tenant, `state=${state}`), [id], state);
    assert.equal((await tenant.api.get(`${LIST}?state=${state}&page=2&limit=1`)).body.total, 1);
  }
  for (const state of ['generating', 'sending']) assert.deepEqual(await idsBy(tenant, `state=${state}`), []);
  const nobody = (await sendAndWait(tenant, { recipients: [] })).id;
  assert.deepEqual(await idsBy(tenant, 'state=completed'), [nobody, transmission.completed]);
});

test('a tag finds the transmissions with a recipient that has exactly this tag', async () => {
  const tenant = await createMailTenant(app);
  const recipients = (...tags: string[][]) =>
    tags.map((own, index) => ({ address: `r${index}@example.com`, tags: own }));
  const both = await accept(tenant, { recipients: recipients(['spring'], ['spring', "o'clock"]) });
  const one = await accept(tenant, { recipients: recipients(['summer'], ['spring']) });
  await accept(tenant);
  assert.deepEqual(await idsBy(tenant, 'tag=spring'), [one, both]);
  assert.deepEqual(await idsBy(tenant, `tag=${encodeURIComponent("o'clock")}`), [both]);
  for (const tag of ['Spring', 'sprin', '%25']) assert.deepEqual(await idsBy(tenant, `tag=${tag}`), []);
});

test('from and to limit the time of acceptance, and are inclusive', async () => {
  const tenant = await createMailTenant(app);
  const [first, second] = [await accept(tenant), await accept(tenant)];
  const { created_at: at } = (await tenant.api.get(`${LIST}/${second}`)).body;
  assert.deepEqual(await idsBy(tenant, `from=${at}&to=${at}`), [second]);
  assert.deepEqual(await idsBy(tenant, `to=${at}`), [second, first]);
  assert.deepEqual(await idsBy(tenant, 'to=2020-01-01'), []);
  assert.deepEqual(await idsBy(tenant, 'from=2020-01-01T00:00:00%2B02:00&state=scheduled'), [second, first]);
});

test('an invalid query is rejected with the name of the parameter', async () => {
  const { api } = await createMailTenant(app);
  for (const query of ['page=0', 'limit=101', 'state=done', 'tag=', 'from=yesterday', 'to=2020-13-01']) {
    const { body } = await api.get(`${LIST}?${query}`, 400);
    assert.equal(body.code, 'INVALID_REQUEST', query);
    assert.equal(body.issues[0].field, query.split('=')[0]);
  }
});

test('a member sees the transmissions of its units, and another tenant sees none', async () => {
  const [tenant, other] = [await createMailTenant(app), await createMailTenant(app)];
  const north = await createUnit(tenant, 'North');
  const acting = { ...tenant, api: await actingIn(tenant.api, north) };
  const [own] = [await accept(acting), await accept(tenant)];
  const member = await createMember(tenant, [{ bu_id: north, role: 'viewer' }]);
  assert.deepEqual(await idsBy({ ...tenant, api: member.api }, ''), [own]);
  assert.deepEqual(await idsBy(other, ''), []);
});
