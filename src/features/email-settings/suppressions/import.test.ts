import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import test from 'node:test';
import { createMember } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const SUPPRESSIONS = '/api/email_settings/suppressions';

async function importCsv({ api }: Pick<TestTenant, 'api'>, rawBody: string | Buffer, status = 200) {
  const options = { rawBody, headers: { 'content-type': 'text/csv; charset=utf-8' } };
  const { body } = await api.post(`${SUPPRESSIONS}/import`, undefined, status, options);
  return status === 200 ? (await api.get(`${SUPPRESSIONS}/import/${body.import_id}`)).body : body;
}

async function find({ api }: TestTenant, recipient: string) {
  const { status, body } = await api.send('GET', `${SUPPRESSIONS}/list/${encodeURIComponent(recipient)}`);
  return status === 200 ? [body.type, body.description] : null;
}

async function total({ api }: TestTenant): Promise<number> {
  return (await api.get(`${SUPPRESSIONS}/list`)).body.metadata.total;
}

test('a recipient suppressed manually keeps the first suppression', async () => {
  const tenant = await app.createTenant();
  const first = { recipient: ' Ada@Example.COM', type: 'unsubscribe', description: 'Asked by phone.' };
  assert.deepEqual((await tenant.api.post(SUPPRESSIONS, first)).body, { recipient: 'ada@example.com' });
  const second = { recipient: 'ada@example.com', type: 'bounce' };
  assert.deepEqual((await tenant.api.post(SUPPRESSIONS, second)).body, { recipient: 'ada@example.com' });
  assert.deepEqual(await find(tenant, 'ada@example.com'), ['unsubscribe', 'Asked by phone.']);
  await tenant.api.post(SUPPRESSIONS, { recipient: 'bob@example.com', type: 'complaint' });
  assert.deepEqual(await find(tenant, 'bob@example.com'), ['complaint', '']);
});

test('an invalid suppression is rejected with all errors at once', async () => {
  const { api } = await app.createTenant();
  const fieldsOf = async (body: object) =>
    (await api.post(SUPPRESSIONS, body, 400)).body.error.details.map(({ field }: { field: string }) => field);
  assert.deepEqual(await fieldsOf({}), ['recipient', 'type']);
  assert.deepEqual(await fieldsOf({ recipient: 'nobody', type: 'other' }), ['type', 'recipient']);
  const long = { recipient: 'ada@example.com', type: 'bounce', description: 'x'.repeat(1001) };
  assert.deepEqual(await fieldsOf(long), ['description']);
});

test('an import suppresses the recipients of a file; invalid rows fail individually and are reported with their line', async () => {
  const tenant = await app.createTenant();
  await tenant.api.post(SUPPRESSIONS, { recipient: 'old@example.com', type: 'complaint' });
  const file = [
    'name,recipient,description,type',
    'Ada,Ada@Example.com,"gone,\nfor good",bounce',
    'Bob,bob@example.com',
    'Nobody,nobody,,bounce',
    'Cy,cy@example.com,,other',
    'Old,OLD@example.com,,bounce',
    'Ada,ada@example.com,again,complaint',
    `Dee,dee@example.com,${'x'.repeat(1001)},`,
    '"Eve',
  ].join('\r\n');
  assert.deepEqual(await importCsv(tenant, file), {
    ...{ status: 'completed', total: 8, created: 2, updated: 0, unchanged: 2, failed: 4 },
    errors: [
      { line: 5, column: 'recipient', message: 'recipient must be a valid email address' },
      { line: 6, column: 'type', message: 'type must be one of bounce, complaint, unsubscribe' },
      { line: 9, column: 'description', message: 'description must be at most 1000 characters' },
      { line: 10, column: 'name', message: 'name has an unclosed quote' },
    ],
  });
  assert.deepEqual(await find(tenant, 'ada@example.com'), ['bounce', 'gone,\nfor good']);
  assert.deepEqual(await find(tenant, 'bob@example.com'), ['unsubscribe', '']);
  assert.deepEqual(await find(tenant, 'old@example.com'), ['complaint', '']);
});

test('a file larger than any JSON body is accepted, and two uploads do not wait for each other', async () => {
  const tenant = await app.createTenant();
  const padding = 'x'.repeat(900);
  const rows = Array.from({ length: 12_500 }, (_, n) => `r${n}@example.com,bounce,${padding}`);
  const files = [rows, rows.toReversed()].map((each) => ['recipient,type,description', ...each].join('\n'));
  assert.ok(Buffer.byteLength(files[0] ?? '') > 10 * 1024 * 1024);
  const results = await Promise.all(files.map((file) => importCsv(tenant, file)));
  assert.equal(results[0].created + results[1].created, rows.length);
  for (const result of results) assert.deepEqual([result.total, result.failed], [rows.length, 0]);
  assert.equal(await total(tenant), rows.length);
});

test('the first thousand of many errors are reported, and all are counted', async () => {
  const file = `recipient\n${'nobody\n'.repeat(1200)}`;
  const { errors, ...counts } = await importCsv(await app.createTenant(), file);
  assert.deepEqual([errors.length, errors[999].line, counts.failed], [1000, 1001, 1200]);
});

test('a file without a column of recipients is rejected and changes nothing', async () => {
  const tenant = await app.createTenant();
  for (const file of ['', 'ada@example.com\nbob@example.com\n']) {
    const { error } = await importCsv(tenant, file, 400);
    assert.deepEqual([error.code, error.details[0].field], ['INVALID_REQUEST', 'recipient']);
  }
  assert.equal(await total(tenant), 0);
});

test('the received part of an aborted file is kept, and the complete file adds the rest', async () => {
  const tenant = await app.createTenant();
  const rows = Array.from({ length: 1500 }, (_, n) => `r${n}@example.com`);
  const file = ['recipient', ...rows].join('\n');
  const request = http.request(`${app.url}${SUPPRESSIONS}/import`, {
    method: 'POST',
    headers: { ...tenant.api.headers, 'content-type': 'text/csv', 'content-length': String(file.length) },
  });
  request.on('error', () => {});
  request.write(file.slice(0, file.indexOf('r1200@')));
  await once(request, 'socket');
  await eventually('the first rows', async () => (await total(tenant)) === 1000);
  request.destroy();
  const { created, unchanged } = await importCsv(tenant, file);
  assert.deepEqual([created, unchanged], [500, 1000]);
});

test('only an admin of Default suppresses and imports, and no other tenant sees the results', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const { api } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'editor' }]);
  await api.post(SUPPRESSIONS, { recipient: 'ada@example.com', type: 'bounce' }, 403);
  await importCsv({ api }, 'recipient\nada@example.com', 403);
  assert.equal(await total(tenant), 0);
  const options = { rawBody: 'recipient\nada@example.com', headers: { 'content-type': 'text/csv' } };
  const { body } = await tenant.api.post(`${SUPPRESSIONS}/import`, undefined, 200, options);
  await api.get(`${SUPPRESSIONS}/import/${body.import_id}`);
  await other.api.get(`${SUPPRESSIONS}/import/${body.import_id}`, 404);
  assert.equal(await total(other), 0);
});
