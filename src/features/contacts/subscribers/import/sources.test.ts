/** Exports of other systems, with their columns. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../../../../../test/harness/members.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { createSubscriber } from '../../../../../test/harness/subscribers.ts';
import { startTestApp, type TestTenant } from '../../../../../test/harness/test-app.ts';

const app = await startTestApp();

type Api = Pick<TestTenant, 'api'>;

/** Imports a file; returns the result. */
async function run({ api }: Api, query: string, lines: readonly string[], status = 200) {
  const headers = { 'content-type': 'text/csv' };
  const options = { rawBody: lines.join('\r\n'), headers };
  const path = `/api/subscribers/import?mode=upsert&${query}`;
  const { body } = await api.post(path, undefined, status, options);
  if (status !== 200) return body;
  return eventually('the end of the import', async () => {
    const found = (await api.get(`/api/subscribers/import/${body.import_id}`)).body;
    return found.status === 'completed' && found;
  });
}

async function find({ api }: Api, email: string) {
  const filters = { email: { operation: 'eq', value: email } };
  return (await api.post('/api/subscribers/list', { page: 1, limit: 1, filters })).body.results[0];
}

/** Returns the suppressions of a tenant by address. */
async function suppressed({ api }: Api): Promise<Record<string, string>> {
  const { body } = await api.get('/api/email_settings/suppressions/list?limit=100');
  return Object.fromEntries(
    body.results.map(({ recipient, type }: { recipient: string; type: string }) => [recipient, type]),
  );
}

const LISTMONK = [
  'uuid,email,name,attributes,status,created_at,updated_at',
  '6f1c,ada@example.org,Ada King Lovelace,"{""city"":""London"",""visits"":3,""vip"":true,""old"":null,""tags"":[""a""],""Home town"":""York""}",enabled,2024-02-01 10:00:00 +0000 UTC,2024-02-01 10:00:00 +0000 UTC',
  '6f1d,bob@example.org,,{},blocklisted,2024-02-01 10:00:00 +0000 UTC,2024-02-01 10:00:00 +0000 UTC',
  '6f1e,cy@example.org,Cy,,disabled,2024-02-01 10:00:00 +0000 UTC,2024-02-01 10:00:00 +0000 UTC',
  '6f1f,dee@example.org,Dee,[1],enabled,,',
];

test('an export of listmonk keeps blocklisted subscribers suppressed, and attributes with their types', async () => {
  const tenant = await app.createTenant();
  await createSubscriber(tenant, { email: 'BOB@example.org', first_name: 'Bob' });
  const { errors, ...counts } = await run(tenant, 'source=listmonk', LISTMONK);
  assert.deepEqual(counts, { status: 'completed', total: 4, created: 2, updated: 1, failed: 1 });
  assert.deepEqual(errors, [{ line: 5, message: 'attributes is not a JSON object' }]);
  const ada = await find(tenant, 'ada@example.org');
  assert.deepEqual([ada.first_name, ada.last_name, ada.active], ['Ada', 'King Lovelace', true]);
  assert.deepEqual(ada.additional_fields_data, {
    ...{ city: 'London', visits: 3, vip: true, tags: '["a"]', home_town: 'York' },
  });
  const bob = await find(tenant, 'bob@example.org');
  assert.deepEqual(
    [bob.first_name, bob.active, bob.inactive_reason],
    ['Bob', false, 'blocklisted in listmonk'],
  );
  const cy = await find(tenant, 'cy@example.org');
  assert.deepEqual([cy.active, cy.inactive_reason], [false, 'disabled in listmonk']);
  assert.deepEqual(await suppressed(tenant), { 'bob@example.org': 'unsubscribe' });
  await run(tenant, 'source=listmonk', [LISTMONK[0] ?? '', '6f,bob@example.org,Bob,{},enabled,,']);
  assert.equal(
    (await find(tenant, 'bob@example.org')).active,
    false,
    'a later file does not bring anybody back',
  );
});

const FACTS = 'MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,GMTOFF,DSTOFF,TIMEZONE,CC,REGION';
const BEHIND = 'LEID,EUID,NOTES,TAGS';

test('the files of a Mailchimp audience keep unsubscribed and bounced subscribers suppressed', async () => {
  const tenant = await app.createTenant();
  await tenant.api.patch('/api/email_settings', {
    subscriber_additional_fields: { member_rating: { label: 'Rating', type: 'number', order: 1 } },
  });
  await run(tenant, 'source=mailchimp', [
    `Email Address,First Name,Last Name,Phone Number,${FACTS},LAST_CHANGED,${BEHIND}`,
    'ada@example.org,Ada,Lovelace,123,4,2024-02-01 09:00:00,192.0.2.1,,,1,0,Europe/Berlin,DE,BE,2024-02-01 09:00:00,1,e1,,"""VIP"",""London"""',
    'bob@example.org,,,,,,,,,,,,,,,2,e2,,',
  ]);
  const ada = await find(tenant, 'ada@example.org');
  assert.deepEqual([ada.first_name, ada.last_name, ada.active], ['Ada', 'Lovelace', true]);
  assert.deepEqual(ada.additional_fields_data, {
    ...{ phone_number: '123', member_rating: 4, optin_time: '2024-02-01 09:00:00', optin_ip: '192.0.2.1' },
    ...{ timezone: 'Europe/Berlin', cc: 'DE', region: 'BE', tags: '"VIP","London"' },
  });
  assert.equal((await find(tenant, 'bob@example.org')).first_name, 'bob');
  await run(tenant, 'source=mailchimp', [
    `Email Address,First Name,Last Name,${FACTS},UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_CAMPAIGN_ID,UNSUB_REASON,UNSUB_REASON_OTHER,${BEHIND}`,
    'cy@example.org,Cy,Young,,,,,,,,,,,2024-03-01 09:00:00,Spring,77,OTHER,Too many mails,3,e3,,',
  ]);
  await run(tenant, 'source=mailchimp&suppress=bounce', [
    `Email Address,First Name,Last Name,${FACTS},CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,CLEAN_CAMPAIGN_ID,${BEHIND}`,
    'dee@example.org,Dee,,,,,,,,,,,,,Spring,77,4,e4,,',
  ]);
  const [cy, dee] = [await find(tenant, 'cy@example.org'), await find(tenant, 'dee@example.org')];
  assert.deepEqual([cy.active, cy.inactive_reason], [false, 'unsubscribed in Mailchimp: Too many mails']);
  assert.deepEqual([dee.active, dee.inactive_reason], [false, 'cleaned in Mailchimp']);
  assert.deepEqual(await suppressed(tenant), {
    'cy@example.org': 'unsubscribe',
    'dee@example.org': 'bounce',
  });
});

test('an editor without email settings imports unsubscribed addresses as inactive and suppresses none', async () => {
  const tenant = await app.createTenant();
  const list = (await tenant.api.post('/api/lists', { name: 'List' })).body.id;
  const unit = (await tenant.api.get(`/api/lists/${list}`)).body.business_unit;
  const member = await createMember(tenant, [{ bu_id: unit, role: 'editor' }]);
  await run(member, 'source=listmonk', LISTMONK);
  assert.equal((await find(tenant, 'bob@example.org')).active, false);
  assert.deepEqual(await suppressed(tenant), {});
});

test('a file that is not an export of its source is refused', async () => {
  const tenant = await app.createTenant();
  const faultOf = async (query: string, header: string) =>
    (await run(tenant, query, [header], 400)).issues.map(({ field }: { field: string }) => field);
  assert.deepEqual(await faultOf('source=mailchimp', 'email,name'), ['Email Address']);
  assert.deepEqual(await faultOf('source=listmonk', 'Email Address'), ['email']);
  assert.deepEqual(await faultOf('source=sendgrid', 'email'), ['source']);
  assert.deepEqual(await faultOf('suppress=bounce', 'email'), ['suppress']);
});
