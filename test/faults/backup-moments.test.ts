/** Backups before an upgrade, and while the service accepts submissions. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import test from 'node:test';
import { migrate } from '../../src/db/migrator.ts';
import type { SqlPool } from '../../src/db/pool.ts';
import { olderSchema, readSchemaFiles } from '../../src/db/schema-files.ts';
import { generateApiKey } from '../../src/secrets/api-keys.ts';
import { createClient } from '../harness/client.ts';
import { startFaultSite, undelivered } from '../harness/fault-site.ts';
import { asOwner, freshDatabase, freshFolder } from '../harness/fresh-database.ts';
import { eventually } from '../harness/poll.ts';
import { runTessera, startProcess } from '../harness/process.ts';
import { submit, twoPageDefinition } from '../harness/sample-forms.ts';
import { listSubmissionIds, submitMany } from '../harness/submission-load.ts';
import { testServerUrl } from '../harness/test-database.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

/** Number of migrations of the older schema: the baseline, without any SQL functions. */
const OLDER = 1;
const FORM = 'olderform123';
/** Deliveries of an ended process are retried when their lease ends: the timeout of an attempt and 10 s. */
const LEASE_BOUND_MS = 60_000;

const serverUrl = testServerUrl();
const folder = await freshFolder();

/** Backs up the database of `from` and restores it into an empty one; returns the environment of that. */
async function moveAway(
  from: Readonly<Record<string, string>>,
  name: string,
): Promise<Record<string, string>> {
  const file = join(folder, name);
  const written = await runTessera(['backup', file], from);
  assert.equal(written.code, 0, written.output);
  const { DATABASE_URL: _, ...shared } = from;
  const env = { ...shared, ...(await freshDatabase(serverUrl)) };
  const restored = await runTessera(['restore', file], env);
  assert.equal(restored.code, 0, restored.output);
  return env;
}

/** Writes a tenant with a form and a submission like an older version would have. Returns the owner's key. */
async function fillOlder({ pool }: SqlPool): Promise<string> {
  const [tenant, user, unit, membership, submission] = Array.from({ length: 5 }, () => randomUUID());
  const { apiKey, prefix, digest } = generateApiKey();
  const insert = (table: string, row: object) =>
    pool.query(`insert into ${table} select * from json_populate_record(null::${table}, $1)`, [
      JSON.stringify({ tenant_id: tenant, version: 1, created_at: '2026-01-01T00:00:00Z', ...row }),
    ]);
  await insert('tenants', { code: 'older', name: 'Older', brand_settings: {} });
  await insert('users', { user_id: user, email: 'ada@older.example', name: 'Ada', password_hash: '' });
  await insert('business_units', { bu_id: unit, name: 'Default', slug: 'default', is_default: true });
  await insert('memberships', {
    membership_id: membership,
    user_id: user,
    is_tenant_admin: true,
    status: 'active',
  });
  await insert('api_keys', {
    id: randomUUID(),
    membership_id: membership,
    name: 'First',
    prefix,
    digest: `\\x${digest.toString('hex')}`,
  });
  const form = {
    code: FORM,
    public_code: 'olderpublic1',
    owner_bu_id: unit,
    updated_at: '2026-01-01T00:00:00Z',
    name: 'Older',
    allowed_origins: ['*'],
    active: true,
    form_type: 'embedded_form',
    formBuilderOptions: twoPageDefinition,
    challenge: false,
  };
  await insert('forms', form);
  await insert('record_history', {
    entity_type: 'form',
    sort_key: FORM,
    deleted: false,
    owner_bu_id: unit,
    recorded_at: '2026-01-01T00:00:00Z',
    data: form,
  });
  const counted = { form_code: FORM, owner_bu_id: unit };
  await insert('form_counts', { ...counted, slot: 0, submissions: 1, views: 0 });
  await insert('form_submissions', {
    ...counted,
    id: submission,
    form_name: 'Older',
    email_address: 'Grace@Older.example',
    address_key: 'grace@older.example',
    form_data: { full_name: 'Grace' },
    subscriber_created: false,
    journey_triggered: false,
    events: [],
  });
  return apiKey;
}

test('a backup of an older schema is restored, migrated and served', async () => {
  const older = {
    ...(await freshDatabase(serverUrl)),
    SECRET_KEY: randomBytes(32).toString('base64'),
    ADMIN_TOKEN: 'test-admin-token',
  };
  const apiKey = await asOwner(older, async (database) => {
    await migrate(database, olderSchema(await readSchemaFiles(), OLDER));
    return await fillOlder(database);
  });
  const restored = await startProcess(await moveAway(older, 'older.backup'));
  const api = createClient(restored.url, { 'x-api-key': apiKey });
  const form = (await api.get(`/api/forms/${FORM}`)).body;
  assert.deepEqual([form.name, form.challenge], ['Older', false]);
  await submit(api, FORM);
  assert.equal((await listSubmissionIds(api, FORM)).size, 2);
  const { body: forms } = await api.post('/api/forms/list', { page: 1, limit: 10, filters: {} });
  assert.equal(forms.results[0].submission_count, 2);
  const erasure = { email_address: 'grace@older.example' };
  assert.equal((await api.post('/api/form_submissions/erase', erasure)).body.erased, 1);
  await restored.kill('SIGTERM');
});

/** Counts the submissions and the rows written with each; the numbers are equal if the backup is consistent. */
async function countSubmissions({ pool }: SqlPool): Promise<Record<string, number>> {
  const { rows } = await pool.query<Record<string, number>>(`
    select (select count(*) from form_submissions) as submissions,
      (select sum(submissions)::bigint from form_counts) as counted,
      (select count(*) from form_submissions s join record_history h on h.tenant_id = s.tenant_id
        and h.entity_type = 'form_submission' and h.sort_key = s.id::text) as versions,
      (select count(*) from record_history where entity_type = 'form_submission') as all_versions,
      (select count(*) from form_submissions s join webhook_deliveries d on d.submission_id = s.id) as deliveries,
      (select count(*) from webhook_deliveries) as all_deliveries`);
  return rows[0] ?? {};
}

test('a backup during submissions contains each with its history, count and delivery', async () => {
  const site = await startFaultSite();
  let going = true;
  const streaming = Promise.withResolvers<void>();
  const stream = async () => {
    const ids: string[] = [];
    while (going) {
      const { accepted, failed } = await submitMany(site.at(site.process), site.formCode, {
        count: 20,
        concurrency: 4,
      });
      ids.push(...accepted);
      if (failed > 0) break;
      streaming.resolve();
    }
    return ids;
  };
  const submitted = stream();
  await streaming.promise;
  // The embedded database belongs to one process, so that process is stopped first.
  if (!serverUrl) await site.process.kill('SIGTERM');
  const env = await moveAway(site.env, 'streaming.backup');
  going = false;
  const accepted = await submitted;

  const counts = await asOwner(env, countSubmissions);
  assert.ok(Number(counts.submissions) >= 20, 'those from before the backup are there');
  assert.deepEqual(new Set(Object.values(counts)), new Set([counts.submissions]), JSON.stringify(counts));
  if (serverUrl) await site.process.kill('SIGTERM');
  const restored = await startProcess(env);
  const stored = await listSubmissionIds(site.at(restored), site.formCode);
  assert.equal(stored.size, counts.submissions);
  if (!serverUrl)
    assert.deepEqual(
      accepted.filter((id) => !stored.has(id)),
      [],
    );
  await eventually(
    'every restored submission to be delivered',
    () => undelivered(stored, site.receiver).length === 0,
    LEASE_BOUND_MS,
  );
});
