import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createMailTenant, mailsTo } from '../../../test/harness/mail.ts';
import { createMember, createUnit } from '../../../test/harness/members.ts';
import { eventually } from '../../../test/harness/poll.ts';
import { startRelay } from '../../../test/harness/relay.ts';
import { createSubscriber } from '../../../test/harness/subscribers.ts';
import { startOwnApp } from '../../../test/harness/test-app.ts';
import type { Report } from '../../reports/report.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import { writeExport } from './export-writer.ts';
import { insertExport } from './queries.ts';
import { removeOldExports } from './retention.ts';

export const runsOn = ['embedded', 'server'];

const DAY_MS = 24 * 60 * 60 * 1000;

let passed = 0;
const relay = await startRelay();
const app = await startOwnApp({ SMTP_URL: relay.url }, { clock: () => new Date(Date.now() + passed) });
const { platform } = app.app;
const tenant = await createMailTenant(app);
const db = platform.scoped(wholeTenant(tenant.tenantId));
const { membership_id } = (await tenant.api.get('/api/client/v1/memberships')).body.results[0];

/** An export that exists, and that no job writes. */
async function acceptedExport(asker = membership_id, units: readonly string[] | null = null) {
  const [id, receiver] = [randomUUID(), `r${randomUUID()}@example.com`];
  await insertExport(db, {
    ...{ id, membership_id: asker, receiver_email: receiver, report_type: 'subscribers' },
    ...{
      created_at: platform.clock(),
      mail_bu_id: tenant.defaultUnitId,
      filters: '{}',
      unit_ids: units && JSON.stringify(units),
    },
  });
  return { id, receiver };
}

/** A report of one column with rows from `read`, one in each page. */
function reportOf(read: () => AsyncIterable<string>): Report {
  return {
    type: 'subscribers',
    date: { field: 'created_at', type: 'time' },
    check: async () => {},
    read: async () => ({
      columns: ['row'],
      pages: (async function* () {
        for await (const row of read()) yield [[row]];
      })(),
    }),
  };
}

const write = (exportId: string, report: Report) =>
  writeExport(platform, () => report, { tenantId: tenant.tenantId, exportId });
const progressOf = async (id: string) => (await tenant.api.get(`/api/reports/export/${id}`)).body;

async function mailedTo(receiver: string): Promise<string[]> {
  await eventually('the mail', async () => (await mailsTo(relay, receiver)).length > 0);
  const mails = await mailsTo(relay, receiver);
  return mails.map(({ attachments }) => String(attachments[0]?.content));
}

test('of two processes that write one export, only one mails it', async () => {
  const { id, receiver } = await acceptedExport();
  const both = Promise.withResolvers<void>();
  let begun = 0;
  const report = reportOf(async function* () {
    begun += 1;
    if (begun === 2) both.resolve();
    yield 'a';
    await both.promise;
    yield 'b';
  });
  await Promise.all([write(id, report), write(id, report)]);
  assert.equal(begun, 2);
  assert.deepEqual(await mailedTo(receiver), ['row\r\na\r\nb\r\n']);
});

test('an export restarts when a subscriber is erased while it is written', async () => {
  const { id, receiver } = await acceptedExport();
  const subscriber = await createSubscriber(tenant);
  const rows: string[][] = [['Ada', 'Grace'], ['Grace']];
  const report = reportOf(async function* () {
    const [first = '', ...rest] = rows.shift() ?? [];
    yield first;
    if (rest.length === 0) return;
    await tenant.api.delete(`/api/subscribers/${subscriber.id}`);
    await eventually('the export to be queued again', async () => (await progressOf(id)).status === 'queued');
    yield* rest;
  });
  await write(id, report);
  assert.deepEqual(await mailedTo(receiver), ['row\r\nGrace\r\n']);
});

test('a broken export is retried, and finally reported as failed', async () => {
  const { id, receiver } = await acceptedExport();
  const report = reportOf(async function* () {
    yield 'a';
    throw new Error('broken');
  });
  for (let attempt = 1; attempt < 5; attempt += 1) await assert.rejects(write(id, report), /broken/);
  assert.equal((await progressOf(id)).status, 'running');
  await write(id, report);
  const { status, error, rows } = await progressOf(id);
  assert.deepEqual([status, rows], ['failed', null]);
  assert.match(error, /because of an internal error/);
  await write(id, report);
  assert.deepEqual(await mailsTo(relay, receiver), []);
});

test('an export contains what its requester can still read, and is not written after they leave the tenant', async () => {
  const unit = await createUnit(tenant, 'West');
  const both = [tenant.defaultUnitId, unit];
  const grants = both.map((bu_id) => ({ bu_id, role: 'viewer' }) as const);
  const member = await createMember(tenant, grants);
  const memberPath = `/api/client/v1/memberships/${member.membershipId}`;
  await createSubscriber(tenant, { first_name: 'Default' });
  await createSubscriber(tenant, { first_name: 'Western', business_unit: unit });
  await tenant.api.put(memberPath, { grants: grants.slice(1) });
  const names: Report = {
    type: 'subscribers',
    date: { field: 'created_at', type: 'time' },
    check: async () => {},
    read: async (rows) => {
      const found = await rows.query.selectFrom('subscribers').select('first_name').execute();
      return {
        columns: ['name'],
        pages: (async function* () {
          yield found.map(({ first_name }) => [first_name]);
        })(),
      };
    },
  };
  const allowed = await acceptedExport(member.membershipId, both);
  await write(allowed.id, names);
  assert.deepEqual(await mailedTo(allowed.receiver), ['name\r\nWestern\r\n']);
  const late = await acceptedExport(member.membershipId, both);
  await tenant.api.put(memberPath, { status: 'inactive' });
  await write(late.id, names);
  const { status, error } = await progressOf(late.id);
  assert.deepEqual(
    [status, error],
    ['failed', 'The user who requested the export is no longer an active member.'],
  );
  assert.deepEqual(await mailsTo(relay, late.receiver), []);
});

test('a link expires after seven days, and the export is deleted with its mail after eight', async () => {
  const { id, receiver } = await acceptedExport();
  const report = reportOf(async function* () {
    for (let n = 0; n < 3; n += 1) yield `${n}`.repeat(4_000_000);
  });
  await write(id, report);
  await eventually('the mail', async () => (await mailsTo(relay, receiver)).length > 0);
  const [mail] = await mailsTo(relay, receiver);
  const [link = ''] = /http\S+\/reports\/\S+/.exec(String(mail?.text)) ?? [];
  const { pathname } = new URL(link);
  const stored = async () => {
    const parts = db.query.selectFrom('report_parts').select('part').where('export_id', '=', id);
    return (await parts.execute()).length;
  };
  passed = 6.9 * DAY_MS;
  await removeOldExports(platform);
  assert.equal((await app.anonymous.get(pathname)).text.length, 12_000_000 + 3 * 4 + 'row\r\n'.length);
  passed = 7.1 * DAY_MS;
  assert.equal((await app.anonymous.get(pathname, 404)).body.code, 'NOT_FOUND');
  assert.equal(await stored(), 3);
  passed = 8.1 * DAY_MS;
  await removeOldExports(platform);
  assert.equal(await stored(), 0);
  await tenant.api.get(`/api/reports/export/${id}`, 404);
  await tenant.api.get(`/api/transmissions/${id}`, 404);
});
