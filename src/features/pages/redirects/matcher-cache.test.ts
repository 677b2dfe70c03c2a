import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { createClient } from '../../../../test/harness/client.ts';
import { startProcess } from '../../../../test/harness/process.ts';
import { startOwnApp } from '../../../../test/harness/test-app.ts';
import { databaseKind } from '../../../../test/harness/test-database.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';

export const runsOn = ['embedded', 'server'];

const app = await startOwnApp();
const tenant = await app.createTenant();
const { api } = tenant;
const DOMAIN = 'www.acme.example';
const redirects = '/api/pages/site/redirects';
const project = {
  name: 'Site',
  description: 'A site',
  redirect_config: { source_domains: [DOMAIN] },
};
await api.put('/api/pages/project_metadata/site', project);

const rule = (place: number, more: object = {}) => ({
  source_domain: DOMAIN,
  redirect_type: '301',
  source_url_path: `/old-${place}`,
  target_url: `/new-${place}`,
  ...more,
});
const request = (place: number) => ({ source_domain: DOMAIN, source_url_path: `/old-${place}` });

/** Inserts static rules directly into the database, without validation. */
async function insertRules(projectId: string, count: number): Promise<void> {
  await app.app.platform.scoped(wholeTenant(tenant.tenantId)).raw(
    (tenantId) => sql`
      insert into page_redirects
      select tenant_row.tenant_id, ${projectId}, md5(n::text)::uuid, ${tenant.defaultUnitId}::uuid, ${DOMAIN}, 'static',
        '/bulk-' || n, '/to-' || n, null, null, '301', 0, true, false, 'bulk-' || n, 0, 200, 1, 1, now(), now()
      from generate_series(1, ${count}::int) n
      cross join ${tenantRow(tenantId)}`,
  );
}

test('rules are loaded completely even if they exceed one batch', async () => {
  await insertRules('site', 5001);
  await api.post(redirects, rule(0));
  const found = await Promise.all(
    [1, 2500, 5001].map(async (place) => {
      const body = { source_domain: DOMAIN, source_url_path: `/bulk-${place}` };
      return (await api.post(`${redirects}/check`, body)).body.target_url;
    }),
  );
  assert.deepEqual(found, ['/to-1', '/to-2500', '/to-5001']);
});

test('checks during changes each see the rules from before they were requested', async () => {
  for (let round = 1; round <= 20; round++) {
    const others = Array.from({ length: 5 }, () => api.post(`${redirects}/check`, request(0)));
    const { id } = (await api.post(redirects, rule(round))).body;
    assert.equal((await api.post(`${redirects}/check`, request(round))).body.target_url, `/new-${round}`);
    await api.delete(`${redirects}/${id}`);
    assert.equal((await api.post(`${redirects}/check`, request(round))).body.redirect, false);
    for (const { body } of await Promise.all(others)) assert.equal(body.target_url, '/new-0');
  }
});

test('a recreated project does not have the rules of the earlier one', async () => {
  const path = '/api/pages/again/redirects';
  await api.put('/api/pages/project_metadata/again', project);
  await api.post(path, rule(1));
  assert.equal((await api.post(`${path}/check`, request(1))).body.redirect, true);
  await api.delete('/api/pages/project_metadata/again');
  await api.post(`${path}/check`, request(1), 404);
  await api.put('/api/pages/project_metadata/again', project);
  assert.equal((await api.post(`${path}/check`, request(1))).body.redirect, false);
  await api.post(path, rule(1, { target_url: '/newer' }));
  assert.equal((await api.post(`${path}/check`, request(1))).body.target_url, '/newer');
});

test('a copy of a project has its rules, which are independent', async () => {
  await api.put('/api/pages/project_metadata/first', project);
  const first = '/api/pages/first/redirects';
  for (const target of ['/a', '/b']) {
    const pattern = { rule_type: 'prefix', source_pattern: '/p', target_pattern: target };
    await api.post(first, rule(0, pattern));
  }
  const { id } = (await api.post('/api/pages/project_metadata/first/duplicate', { name: 'Copy' })).body;
  const copy = `/api/pages/${id}/redirects`;
  const check = async (path: string) =>
    (await api.post(`${path}/check`, { source_domain: DOMAIN, source_url_path: '/p' })).body.target_url;
  assert.deepEqual([await check(first), await check(copy)], ['/a', '/a']);
  const { results } = (await api.post(`${copy}/list`, { page: 1, limit: 10 })).body;
  for (const { id: rule } of results) await api.delete(`${copy}/${rule}`);
  assert.deepEqual([await check(first), await check(copy)], ['/a', undefined]);
});

const skip = databaseKind() === 'embedded' && 'several processes need TEST_DATABASE_URL';

test('a change through one process is visible to the next check of another', { skip }, async () => {
  const other = createClient((await startProcess({ ...app.env, LOG_LEVEL: 'info' })).url, api.headers);
  for (let round = 100; round < 130; round++) {
    const [writer, reader] = round % 2 === 0 ? [api, other] : [other, api];
    const { id } = (await writer.post(redirects, rule(round))).body;
    assert.equal((await reader.post(`${redirects}/check`, request(round))).body.target_url, `/new-${round}`);
    await writer.put(`${redirects}/${id}`, rule(round, { target_url: '/other' }));
    assert.equal((await reader.post(`${redirects}/check`, request(round))).body.target_url, '/other');
    await writer.delete(`${redirects}/${id}`);
    assert.equal((await reader.post(`${redirects}/check`, request(round))).body.redirect, false);
  }
});
