import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { createCampaign, createEmail, createListOf } from '../../../../test/harness/campaigns.ts';
import {
  createMailTenant,
  type MailTenant,
  sendAndWait,
  transmissionBody,
} from '../../../../test/harness/mail.ts';
import { actingIn, createUnit } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { createSubscriber } from '../../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const all = app.app.platform.database.everyTenant('tests').query;

/** Returns the tables in which a row of the tenant contains a text. */
async function tablesWith({ tenantId }: MailTenant, text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'tenant_id'
    order by c.relname`.execute(all);
  const found: string[] = [];
  for (const { name } of rows) {
    const { rows: held } = await sql`
      select true as held from ${sql.table(name)} r
      where r.tenant_id = ${tenantId} and position(${text} in lower(r::text)) > 0 limit 1`.execute(all);
    if (held.length > 0) found.push(name);
  }
  return found;
}

const suppress = ({ api }: MailTenant, recipient: string, type: string) =>
  api.post('/api/email_settings/suppressions', { recipient, type, description: `About ${recipient}.` });

/** Returns the result of a mail to a subscriber. */
async function statusOf(tenant: MailTenant, address: string, transactional: boolean): Promise<string> {
  const { id } = await sendAndWait(tenant, { recipients: [{ address }], options: { transactional } });
  const { body } = await tenant.api.get(`/api/transmissions/${id}/recipients`);
  return body.results[0].status;
}

test('no table contains data of an erased subscriber, and its mail is still counted', async () => {
  const tenant = await createMailTenant(app);
  const { id, body } = await createSubscriber(tenant, {
    first_name: 'Erasmus',
    additional_fields_data: { nick: 'Erasmus' },
  });
  await tenant.api.put(`/api/subscribers/${id}`, { ...body, last_name: 'of Rotterdam' });
  const sent = await sendAndWait(tenant, {
    recipients: [{ address: { email: body.email, name: 'Erasmus' } }],
  });
  await suppress(tenant, body.email, 'unsubscribe');
  assert.ok((await tablesWith(tenant, body.email)).length >= 5, 'the search finds what is there');
  assert.deepEqual((await tenant.api.delete(`/api/subscribers/${id}`)).body, { id });
  assert.deepEqual(await tablesWith(tenant, body.email), []);
  assert.deepEqual(await tablesWith(tenant, 'erasmus'), []);
  assert.deepEqual((await tenant.api.get(`/api/transmissions/${sent.id}`)).body.counts, sent.counts);
  await tenant.api.get(`/api/subscribers/${id}`, 404);
  const history = `/api/entity/versions?entityType=marketing_subscriber&entitySortKey=${id}`;
  assert.equal((await tenant.api.send('GET', history)).text.includes('Erasmus'), false);
});

test('a waiting mail to an erased subscriber is not sent', async () => {
  const tenant = await createMailTenant(app);
  const { id, body } = await createSubscriber(tenant);
  const later = { scheduled_time: { date: '2100-01-01T09:00:00', timezone: 'UTC' } };
  const waiting = transmissionBody(tenant, {
    options: { transactional: true, ...later },
    recipients: [{ address: body.email }, { address: 'other@example.com' }],
  });
  const { transactionId } = (await tenant.api.post('/api/transmissions', waiting)).body;
  await tenant.api.delete(`/api/subscribers/${id}`);
  const { body: found } = await tenant.api.get(`/api/transmissions/${transactionId}/recipients`);
  assert.deepEqual(
    found.results.map((each: { status: string; error: string | null }) => [each.status, each.error]),
    [
      ['failed', 'The recipient was erased.'],
      ['queued', null],
    ],
  );
});

test('a suppression blocks after an erasure as before, shows no address, and can be lifted', async () => {
  const tenant = await createMailTenant(app);
  const [left, bounced] = [await createSubscriber(tenant), await createSubscriber(tenant)];
  await suppress(tenant, left.body.email, 'unsubscribe');
  await suppress(tenant, bounced.body.email, 'bounce');
  for (const { id } of [left, bounced]) await tenant.api.delete(`/api/subscribers/${id}`);
  assert.equal(await statusOf(tenant, bounced.body.email.toUpperCase(), true), 'suppressed');
  assert.equal(await statusOf(tenant, left.body.email, false), 'suppressed');
  assert.equal(await statusOf(tenant, left.body.email, true), 'sent');
  const list = '/api/email_settings/suppressions/list';
  const { results } = (await tenant.api.get(list)).body;
  assert.deepEqual(
    results.map((each: { type: string; description: string }) => [each.type, each.description]).sort(),
    [
      ['bounce', ''],
      ['unsubscribe', ''],
    ],
  );
  assert.equal(JSON.stringify(results).includes('@'), false);
  const bounce = results.find(({ type }: { type: string }) => type === 'bounce');
  await tenant.api.delete(`/api/email_settings/suppressions/${encodeURIComponent(bounce.recipient)}`);
  assert.equal(await statusOf(tenant, bounced.body.email, true), 'sent');
});

test('an unsubscribe after an erasure does not replace the erased bounce', async () => {
  const tenant = await createMailTenant(app);
  const { id, body } = await createSubscriber(tenant);
  await suppress(tenant, body.email, 'bounce');
  await tenant.api.delete(`/api/subscribers/${id}`);
  const again = await createSubscriber(tenant, { email: body.email });
  await suppress(tenant, body.email, 'unsubscribe');
  await tenant.api.delete(`/api/subscribers/${again.id}`);
  assert.equal(await statusOf(tenant, body.email, true), 'suppressed');
});

test('the suppression of an erased address is found and lifted by that address, and excludes it from counts', async () => {
  const tenant = await createMailTenant(app);
  const { id: listId } = (await tenant.api.post('/api/lists', { name: 'List' })).body;
  const { id, body } = await createSubscriber(tenant);
  await suppress(tenant, body.email, 'bounce');
  await tenant.api.delete(`/api/subscribers/${id}`);
  await createSubscriber(tenant, { email: body.email, lists: [listId] });
  const payload = { queryName: 'getSubscribersCountByListIds', vars: { listIds: [listId] } };
  const count = async () =>
    (await tenant.api.post('/api/subscribers/search', { payload })).body.subscribersCountByListId[listId];
  const entries = '/api/email_settings/suppressions';
  const { body: found } = await tenant.api.get(`${entries}/list/${body.email}`);
  assert.deepEqual([found.recipient, found.type, await count()], [body.email, 'bounce', 0]);
  assert.deepEqual((await tenant.api.delete(`${entries}/${body.email}`)).body, { recipient: body.email });
  await tenant.api.get(`${entries}/list/${body.email}`, 404);
  assert.equal(await count(), 1);
});

/** Sends an email of a unit's campaign to everybody in a list, and waits until it is sent. */
async function sendCampaign(tenant: MailTenant, business_unit: string, listId: string) {
  const code = await createCampaign(tenant, { business_unit });
  const email = await createEmail(tenant, code, { list_ids: [listId] });
  await tenant.api.get(`${email.path}/process`);
  const isOver = async () => (await tenant.api.get(email.path)).body.metrics.delivered > 0;
  await eventually('the email to be delivered', isOver);
  return email;
}

test('mail to an erased subscriber is removed from campaigns of other units too, for any former address', async () => {
  const tenant = await createMailTenant(app);
  const north = await createUnit(tenant, 'North');
  const { listId, subscribers } = await createListOf(tenant, 1);
  const { id, email: former } = subscribers[0] ?? assert.fail();
  const email = await sendCampaign(tenant, north, listId);
  await sendAndWait(tenant, { recipients: [{ address: former }] });
  await suppress(tenant, former, 'unsubscribe');
  const read = (await tenant.api.get(`/api/subscribers/${id}`)).body;
  const latter = `new-${former}`;
  await tenant.api.put(`/api/subscribers/${id}`, { ...read, email: latter });
  assert.ok((await tablesWith(tenant, former)).includes('email_messages'), 'the search finds what is there');
  await tenant.api.delete(`/api/subscribers/${id}`);
  assert.deepEqual(await tablesWith(tenant, former), []);
  assert.deepEqual(await tablesWith(tenant, latter), []);
  assert.equal((await tenant.api.get(email.path)).body.metrics.delivered, 1);
});

test('each unit erases its own subscriber of an address that is in two units', async () => {
  const tenant = await createMailTenant(app);
  const north = await createUnit(tenant, 'North');
  const { listId, subscribers } = await createListOf(tenant, 1);
  const { id, email: address } = subscribers[0] ?? assert.fail();
  const { id: northList } = (await tenant.api.post('/api/lists', { name: 'North' })).body;
  const of = { email: address, lists: [northList], business_unit: north };
  const { id: ofNorth } = await createSubscriber(tenant, of);
  const own = await sendCampaign(tenant, tenant.defaultUnitId, listId);
  const norths = await sendCampaign(tenant, north, northList);
  const hasStory = async ({ path }: { path: string }) =>
    (await tenant.api.send('GET', `${path}/recipients/${address}`)).body.messages?.length === 1;
  assert.deepEqual([await hasStory(own), await hasStory(norths)], [true, true]);
  await tenant.api.delete(`/api/subscribers/${id}`);
  assert.deepEqual([await hasStory(own), await hasStory(norths)], [false, true]);
  assert.equal((await tenant.api.get(`/api/subscribers/${ofNorth}`)).body.email, address);
  await tenant.api.delete(`/api/subscribers/${ofNorth}`);
  assert.deepEqual(await tablesWith(tenant, address), []);
});

test('an address that now belongs to another subscriber is not erased with its former owner', async () => {
  const tenant = await createMailTenant(app);
  const { id, body } = await createSubscriber(tenant);
  await tenant.api.put(`/api/subscribers/${id}`, { ...body, email: `new-${body.email}` });
  await createSubscriber(tenant, { email: body.email });
  const { id: later } = await sendAndWait(tenant, { recipients: [{ address: body.email }] });
  await tenant.api.delete(`/api/subscribers/${id}`);
  const { body: found } = await tenant.api.get(`/api/transmissions/${later}/recipients`);
  assert.equal(found.results[0].recipient, body.email);
});

test('mail of another unit to the address is not affected', async () => {
  const tenant = await createMailTenant(app);
  const north = await createUnit(tenant, 'North');
  const { id, body } = await createSubscriber(tenant);
  const acting = { ...tenant, api: await actingIn(tenant.api, north) };
  const { id: ofNorth } = await sendAndWait(acting, { recipients: [{ address: body.email }] });
  await tenant.api.delete(`/api/subscribers/${id}`);
  const { body: found } = await tenant.api.get(`/api/transmissions/${ofNorth}/recipients`);
  assert.equal(found.results[0].recipient, body.email);
});
