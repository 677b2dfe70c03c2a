/**
 * Lists without pages and with too many records to hold at once: they are complete, and are sent in chunks. The records
 * are copies of one created by a call, because creating each by a call would take an hour.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { webhookResource } from '../../src/features/forms/webhooks/resource.ts';
import { projects } from '../../src/features/pages/projects/resource.ts';
import { answerMemberships } from '../../src/features/tenancy/memberships/answer-list.ts';
import { LargeResponse } from '../../src/http/large-response.ts';
import { answerAll, answerAllAsArray } from '../../src/resources/large-lists.ts';
import { wholeTenant } from '../../src/tenancy/scope.ts';
import { createForm } from '../harness/sample-forms.ts';
import { startOwnApp } from '../harness/test-app.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const WEBHOOKS = 1000;
const app = await startOwnApp();
const { platform } = app.app;
const { query } = platform.database.everyTenant('tests');
const tenant = await app.createTenant();
const { api } = tenant;
const db = platform.scoped(wholeTenant(tenant.tenantId));

/** Returns the number of items of a response, and the size of its largest chunk in bytes. */
async function read(path: string): Promise<{ readonly items: number; readonly bytes: number }> {
  const answer = await fetch(`${app.url}${path}`, { headers: api.headers });
  assert.equal(answer.status, 200, path);
  const text = await answer.text();
  const body: unknown = JSON.parse(text);
  const items = Array.isArray(body) ? body : Object(body).results;
  return { items: items.length, bytes: text.length };
}

test('thousands of webhooks of 15 KiB are listed completely, in chunks and in order', async () => {
  const event = { event_type: 'form.submission', form_code: await createForm(api) };
  const target = { url: 'http://127.0.0.1:1' };
  const { id } = (
    await api.post('/api/webhooks', {
      event,
      name: 'Receiver',
      target,
      test_data: { text: 'x'.repeat(15_000) },
    })
  ).body;
  await sql`insert into webhooks select (json_populate_record(w, json_build_object('id', gen_random_uuid()))).*
    from webhooks w, generate_series(2, ${WEBHOOKS}) where w.id = ${id}`.execute(query);
  const { items, bytes } = await read('/api/webhooks');
  assert.equal(items, WEBHOOKS);
  assert.ok(bytes > WEBHOOKS * 15_000);
  assert.ok((await answerAll(db, webhookResource, {})) instanceof LargeResponse);
  const { results } = (await api.get('/api/webhooks')).body;
  const ids = results.map((each: { id: string }) => each.id);
  assert.equal(new Set(ids).size, WEBHOOKS);
});

test('a thousand projects with the maximum number of domains are listed completely, in chunks', async () => {
  const source_domains = Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(260, 'd'));
  const body = { name: 'Site', description: 'x'.repeat(1000), redirect_config: { source_domains } };
  await api.put('/api/pages/project_metadata/first', body);
  await sql`insert into page_projects select (json_populate_record(p, json_build_object('id', 'copy-' || n))).*
    from page_projects p, generate_series(2, 1000) n where p.tenant_id = ${tenant.tenantId} and p.id = 'first'`.execute(
    query,
  );
  const { items, bytes } = await read('/api/pages/project_metadata/list');
  assert.equal(items, 1000);
  assert.ok(bytes > 1000 * 26_000);
  assert.ok((await answerAllAsArray(db, projects, {})) instanceof LargeResponse);
});

test('hundreds of memberships with hundreds of grants are listed completely, in chunks', async () => {
  const [memberships, grants] = [200, 400];
  const { tenantId } = tenant;
  await sql`insert into users (user_id, email, name, password_hash, created_at)
    select gen_random_uuid(), 'm' || n || '@many.example', 'Member', 'none', now() from generate_series(1, ${memberships}) n`.execute(
    query,
  );
  await sql`insert into memberships (tenant_id, membership_id, user_id, is_tenant_admin, status, version, created_at, updated_at)
    select ${tenantId}::uuid, gen_random_uuid(), user_id, false, 'active', 1, now(), now() from users where email like '%@many.example'`.execute(
    query,
  );
  await sql`insert into business_units (tenant_id, bu_id, name, slug, is_default, version, created_at, updated_at)
    select ${tenantId}::uuid, gen_random_uuid(), 'Unit', 'unit-' || n, false, 1, now(), now() from generate_series(1, ${grants}) n`.execute(
    query,
  );
  await sql`insert into business_unit_grants (tenant_id, id, membership_id, bu_id, role, version, created_at)
    select m.tenant_id, gen_random_uuid(), m.membership_id, u.bu_id, 'viewer', 1, now()
    from memberships m join business_units u on u.tenant_id = m.tenant_id
    where m.tenant_id = ${tenantId} and not m.is_tenant_admin and not u.is_default`.execute(query);
  const { items, bytes } = await read('/api/client/v1/memberships');
  assert.equal(items, memberships + 1);
  assert.ok(bytes > memberships * grants * 150);
  assert.ok((await answerMemberships(db)) instanceof LargeResponse);
  const { results } = (await api.get('/api/client/v1/memberships')).body;
  assert.equal(results[0].grants.length, grants);
  const names = (await api.get('/api/client/v1/members/names')).body.results;
  const ids = new Set(names.map((each: { membership_id: string }) => each.membership_id));
  assert.deepEqual([names.length, ids.size], [memberships + 1, memberships + 1]);
});

test('a tenant has at most a thousand active units', async () => {
  await sql`insert into business_units (tenant_id, bu_id, name, slug, is_default, version, created_at, updated_at)
    select ${tenant.tenantId}::uuid, gen_random_uuid(), 'Unit', 'more-' || n, false, 1, now(), now()
    from generate_series((select count(*) from business_units where tenant_id = ${tenant.tenantId}) + 1, 999) n`.execute(
    query,
  );
  await api.post('/api/client/v1/business-units', { name: 'The last' });
  const { body } = await api.post('/api/client/v1/business-units', { name: 'One too many' }, 422);
  assert.equal(body.issues[0].field, 'name');
});
