/** A backup before an upgrade, restored after it. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import test from 'node:test';
import { migrate } from '../../src/db/migrator.ts';
import type { SqlPool } from '../../src/db/pool.ts';
import { olderSchema, readSchemaFiles } from '../../src/db/schema-files.ts';
import { generateApiKey } from '../../src/secrets/api-keys.ts';
import { createClient } from '../harness/client.ts';
import { asOwner, freshDatabase, freshFolder } from '../harness/fresh-database.ts';
import { runTessera, startProcess } from '../harness/process.ts';
import { submit, twoPageDefinition } from '../harness/sample-forms.ts';
import { listSubmissionIds } from '../harness/submission-load.ts';
import { testServerUrl } from '../harness/test-database.ts';

export const runsOn = ['embedded', 'server'];
export const neverRunsOn = ['cluster'];

/** Number of migrations of the older schema: the baseline, without any SQL functions. */
const OLDER = 1;
const FORM = 'olderform123';

const serverUrl = testServerUrl();

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
  const secrets = { SECRET_KEY: randomBytes(32).toString('base64'), ADMIN_TOKEN: 'test-admin-token' };
  const older = { ...secrets, ...(await freshDatabase(serverUrl)) };
  const apiKey = await asOwner(older, async (database) => {
    await migrate(database, olderSchema(await readSchemaFiles(), OLDER));
    return await fillOlder(database);
  });
  const file = join(await freshFolder(), 'older.backup');
  const written = await runTessera(['backup', file], older);
  assert.equal(written.code, 0, written.output);
  // Without a server this is a data folder in which no process has started yet.
  const env = {
    ...secrets,
    ...(serverUrl ? await freshDatabase(serverUrl) : { DATA_DIR: await freshFolder() }),
  };
  const restoring = await runTessera(['restore', file], env);
  assert.equal(restoring.code, 0, restoring.output);
  const restored = await startProcess(env);
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
