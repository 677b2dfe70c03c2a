import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { Client } from '../../../../test/harness/client.ts';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;
const DOMAIN = 'www.acme.example';

/** Creates a project of the domain and returns the path of its redirects. */
async function createProject(more: object = {}, by: Client = api): Promise<string> {
  const id = `site-${randomUUID()}`;
  await by.put(`/api/pages/project_metadata/${id}`, {
    name: 'Site',
    description: 'A site',
    redirect_config: { source_domains: [DOMAIN, 'Shop.Acme.example'] },
    ...more,
  });
  return `/api/pages/${id}/redirects`;
}

const base = { source_domain: DOMAIN, redirect_type: '301', is_active: true };
const fixed = (more: object = {}) => ({ ...base, source_url_path: '/old', target_url: '/new', ...more });
const prefix = (more: object = {}) => ({
  ...{ ...base, rule_type: 'prefix', source_pattern: '/blog', target_pattern: '/news' },
  ...more,
});
const regex = (more: object = {}) => ({
  ...{ ...base, rule_type: 'regex', source_pattern: '^/p/(\\d+)$', target_pattern: '/q/$1' },
  ...more,
});

async function check(path: string, source: string, domain = DOMAIN) {
  return (await api.post(`${path}/check`, { source_domain: domain, source_url_path: source })).body;
}

test('a redirect is created, read, replaced and deleted, and every version stays readable', async () => {
  const path = await createProject();
  const { body: created } = await api.post(path, fixed());
  assert.deepEqual(Object.keys(created), ['id']);
  const read = (await api.get(`${path}/${created.id}`)).body;
  assert.deepEqual(read, {
    ...fixed(),
    id: created.id,
    project_id: path.split('/')[3],
    rule_type: 'static',
    source_pattern: null,
    target_pattern: null,
    priority: 0,
    is_external: false,
    version: 1,
    created_at: read.created_at,
    updated_at: read.created_at,
  });
  const next = fixed({ target_url: 'https://acme.example/x', version: 1 });
  assert.deepEqual((await api.put(`${path}/${created.id}`, next)).body, { id: created.id });
  const replaced = (await api.get(`${path}/${created.id}`)).body;
  assert.deepEqual([replaced.target_url, replaced.is_external, replaced.version], [next.target_url, true, 2]);
  const stale = await api.put(`${path}/${created.id}`, next, 409);
  assert.equal(stale.body.code, 'VERSION_CONFLICT');
  assert.deepEqual((await api.delete(`${path}/${created.id}`)).body, { id: created.id });
  for (const call of [api.get, api.delete]) await call.call(api, `${path}/${created.id}`, 404);
  await api.put(`${path}/${created.id}`, fixed(), 404);
  const key = encodeURIComponent(`${path.split('/')[3]}#${created.id}`);
  const query = `entityType=pages_url_redirect&entitySortKey=${key}`;
  const versions = (await api.get(`/api/entity/versions?${query}`)).body;
  assert.deepEqual(
    versions.map((each: { data: { target_url: string } }) => each.data.target_url),
    ['/new', 'https://acme.example/x'],
  );
  assert.deepEqual(versions[0].data, read);
});

test('a list contains the redirects of one project, newest first, with filters and pages', async () => {
  const path = await createProject();
  const other = await createProject();
  await api.post(other, fixed());
  for (const each of [
    fixed(),
    prefix({ redirect_type: '302', is_active: false }),
    regex({ source_domain: 'shop.acme.example', redirect_type: '308' }),
  ])
    await api.post(path, each);
  const list = async (more: object) => (await api.post(`${path}/list`, { page: 1, limit: 10, ...more })).body;
  const types = ({ results }: { results: { rule_type: string }[] }) => results.map((each) => each.rule_type);
  const all = await list({});
  assert.deepEqual([types(all), all.total, all.totalPages], [['regex', 'prefix', 'static'], 3, 1]);
  assert.deepEqual(types(await list({ page: 2, limit: 2 })), ['static']);
  const by = async (field: string, operation: string, value: unknown) =>
    types(await list({ filters: { [field]: { operation, value } } }));
  assert.deepEqual(await by('source_domain', 'eq', 'shop.acme.example'), ['regex']);
  assert.deepEqual(await by('rule_type', 'in', ['static', 'prefix']), ['prefix', 'static']);
  assert.deepEqual(await by('redirect_type', 'ne', '301'), ['regex', 'prefix']);
  assert.deepEqual(await by('is_active', 'eq', false), ['prefix']);
  assert.deepEqual(await by('created_at', 'gt', all.results[2].created_at), ['regex', 'prefix']);
  const refused = await api.post(
    `${path}/list`,
    { page: 1, limit: 10, filters: { target_url: { operation: 'eq', value: '/new' } } },
    400,
  );
  assert.equal(refused.body.issues[0].field, 'filters.target_url');
});

test('a check returns the target of a request by the current rules', async () => {
  const path = await createProject();
  assert.deepEqual(await check(path, '/old'), { redirect: false });
  const { id } = (await api.post(path, fixed())).body;
  const led = { redirect: true, redirect_type: '301', target_url: '/new?a=1', is_external: false };
  assert.deepEqual(await check(path, '/old/?a=1'), led);
  assert.deepEqual(await check(path, '/Old'), { redirect: false });
  assert.deepEqual(await check(path, '/old', 'shop.acme.example'), { redirect: false });
  assert.deepEqual(await check(path, '/old', 'nobody.example'), { redirect: false });
  await api.put(`${path}/${id}`, fixed({ target_url: 'https://acme.example', redirect_type: '308' }));
  const external = { ...led, redirect_type: '308', target_url: 'https://acme.example', is_external: true };
  assert.deepEqual(await check(path, '/old'), external);
  await api.put(`${path}/${id}`, fixed({ is_active: false }));
  assert.deepEqual(await check(path, '/old'), { redirect: false });
  await api.put(`${path}/${id}`, fixed());
  await api.delete(`${path}/${id}`);
  assert.deepEqual(await check(path, '/old'), { redirect: false });
});

test('a check tries static rules first, then patterns by priority, then by age', async () => {
  const path = await createProject();
  const target = async (source: string) => (await check(path, source)).target_url;
  const oldest = (await api.post(path, prefix())).body.id;
  await api.post(path, prefix({ target_pattern: '/younger' }));
  assert.equal(await target('/blog/a'), '/news/a');
  await api.post(path, regex({ source_pattern: '^/blog/(.+)$', target_pattern: '/r/$1', priority: 0.5 }));
  assert.equal(await target('/blog/a'), '/r/a');
  assert.equal(await target('/blogger'), undefined);
  await api.post(path, fixed({ source_url_path: '/blog/a/', target_url: '/s' }));
  assert.equal(await target('/blog/a'), '/s');
  await api.put(`${path}/${oldest}`, prefix({ priority: 2 }));
  assert.equal(await target('/blog/b'), '/news/b');
});

test('domains are case-insensitive, in rules and in checks', async () => {
  const path = await createProject();
  const { id } = (await api.post(path, fixed({ source_domain: 'SHOP.acme.example' }))).body;
  assert.equal((await api.get(`${path}/${id}`)).body.source_domain, 'shop.acme.example');
  assert.equal((await check(path, '/old', 'Shop.ACME.example')).redirect, true);
});

test('a second static rule for a source is rejected, with or without a trailing slash', async () => {
  const path = await createProject();
  await api.post(path, fixed());
  const refused = await api.post(path, fixed({ source_url_path: '/old/', is_active: false }), 409);
  assert.equal(refused.body.code, 'DUPLICATE_REDIRECT');
  await api.post(path, fixed({ source_domain: 'shop.acme.example' }));
  const { id } = (await api.post(path, fixed({ source_url_path: '/older' }))).body;
  assert.equal((await api.put(`${path}/${id}`, fixed(), 409)).body.code, 'DUPLICATE_REDIRECT');
  await api.post(path, prefix({ source_pattern: '/old' }));
  await api.post(path, prefix({ source_pattern: '/old' }));
  assert.equal((await api.post(`${path}/list`, { page: 1, limit: 10 })).body.total, 5);
});

test('only one of several equal static rules created concurrently remains', async () => {
  const path = await createProject();
  const statuses = await Promise.all(
    Array.from({ length: 5 }, async () => (await api.send('POST', path, { body: fixed() })).status),
  );
  assert.deepEqual(statuses.sort(), [200, 409, 409, 409, 409]);
});

for (const [what, body, field] of [
  ['no domain', fixed({ source_domain: undefined }), 'source_domain'],
  ["a domain that is none of the project's", fixed({ source_domain: 'acme.example' }), 'source_domain'],
  ['no path', fixed({ source_url_path: undefined }), 'source_url_path'],
  ['an empty path', fixed({ source_url_path: '' }), 'source_url_path'],
  ['a path with a query', fixed({ source_url_path: '/old?a=1' }), 'source_url_path'],
  ['no target', fixed({ target_url: null }), 'target_url'],
  ['a target that is no address', fixed({ target_url: 'new' }), 'target_url'],
  ['a script for a target', fixed({ target_url: 'javascript:alert(1)' }), 'target_url'],
  ['a target on whatever host', fixed({ target_url: '//evil.example' }), 'target_url'],
  ['a target with a backslash', fixed({ target_url: '/\\evil.example' }), 'target_url'],
  ['a target with a password', fixed({ target_url: 'https://a:b@acme.example' }), 'target_url'],
  ['a target of two lines', fixed({ target_url: '/a\nb' }), 'target_url'],
  ['a target that is its source', fixed({ target_url: '/old/' }), 'target_url'],
  ['a prefix without pattern', prefix({ source_pattern: undefined }), 'source_pattern'],
  ['a prefix without target', prefix({ target_pattern: undefined }), 'target_pattern'],
  ['an expression that looks ahead', regex({ source_pattern: '^/(?=p)' }), 'source_pattern'],
  ['an expression that refers back', regex({ source_pattern: '^/(a)\\1' }), 'source_pattern'],
  ['an expression that is malformed', regex({ source_pattern: '^/(a' }), 'source_pattern'],
  ['an expression that is too large', regex({ source_pattern: '(?:a{500}){3}' }), 'source_pattern'],
  ['ten thousand alternatives', regex({ source_pattern: 'a|'.repeat(10_000) }), 'source_pattern'],
  ['a capture that is none', regex({ target_pattern: '/q/$2' }), 'target_pattern'],
  ['capture 99', regex({ target_pattern: '/q/$99' }), 'target_pattern'],
  ['a captured host', regex({ target_pattern: 'https://$1.acme.example' }), 'target_pattern'],
  ['an unknown type', fixed({ rule_type: 'glob' }), 'rule_type'],
  ['a status that is a number', fixed({ redirect_type: 301 }), 'redirect_type'],
  ['another status', fixed({ redirect_type: '307' }), 'redirect_type'],
  ['a priority that is text', fixed({ priority: '1' }), 'priority'],
] as const) {
  test(`a redirect with ${what} is rejected, naming ${field}`, async () => {
    const path = await createProject();
    const { body: answer } = await api.post(path, body, 400);
    assert.equal(answer.code, 'INVALID_REQUEST');
    assert.deepEqual(
      answer.issues.map((issue: { field: string }) => issue.field),
      [field],
    );
  });
}

test('members of another rule type and read-only members are ignored', async () => {
  const path = await createProject();
  const { id } = (await api.post(path, fixed({ source_pattern: '(', is_external: true }))).body;
  const read = (await api.get(`${path}/${id}`)).body;
  assert.deepEqual([read.source_pattern, read.is_external], [null, false]);
  await api.put(`${path}/${id}`, read);
});

test('slow expressions and paths get a response', async () => {
  const path = await createProject();
  for (const source_pattern of ['(a+)+$', '^(a|b)*a(a|b){14}c', '(?:a?){40}a{40}', '(x+x+)+y'])
    await api.post(path, regex({ source_pattern, target_pattern: '/slow' }));
  for (const source of [
    'a'.repeat(8000),
    `${'ab'.repeat(200)}!`,
    `/${'%'.repeat(65_536)}`,
    '/'.repeat(65_536),
  ])
    assert.equal(typeof (await check(path, source)).redirect, 'boolean');
  for (const source of ['', '?', '#', '/%', '/%FF%00', '/\u{1f600}', '//evil.example', '/__proto__'])
    assert.deepEqual(await check(path, source), { redirect: false });
});

test('the expressions of a project have a total size limit', async () => {
  const path = await createProject();
  const large = (place: number) => regex({ source_pattern: `^/${place}/a{900}`, target_pattern: '/q' });
  const ids: string[] = [];
  for (let place = 0; place < 11; place++) ids.push((await api.post(path, large(place))).body.id);
  const refused = await api.post(path, large(11), 422);
  assert.deepEqual([refused.body.code, refused.body.issues[0].field], ['VALIDATION_ERROR', 'source_pattern']);
  assert.equal((await api.post(`${path}/list`, { page: 1, limit: 1 })).body.total, 11);
  await api.delete(`${path}/${ids[0]}`);
  await api.put(`${path}/${ids[1]}`, fixed());
  await api.post(path, large(11));
});

test('a missing project has no redirects', async () => {
  const path = `/api/pages/${randomUUID()}/redirects`;
  await api.post(path, fixed(), 404);
  await api.post(`${path}/list`, { page: 1, limit: 10 }, 404);
  await api.post(`${path}/check`, { source_domain: DOMAIN, source_url_path: '/old' }, 404);
  await api.get(`${path}/${randomUUID()}`, 404);
});

test('redirects belong to the unit of their project', async () => {
  const unit = await createUnit(tenant, 'North');
  const path = await createProject({ business_unit_id: unit });
  const { id } = (await api.post(path, fixed())).body;
  const outside = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  await outside.api.get(`${path}/${id}`, 404);
  await outside.api.post(path, prefix(), 404);
  await outside.api.post(`${path}/list`, { page: 1, limit: 10 }, 404);
  const request = { source_domain: DOMAIN, source_url_path: '/old' };
  await outside.api.post(`${path}/check`, request, 404);
  const viewer = await createMember(tenant, [{ bu_id: unit, role: 'viewer' }]);
  await viewer.api.post(path, prefix(), 403);
  await viewer.api.post(path, prefix({ source_domain: 'of-nobody.example' }), 403);
  assert.equal((await viewer.api.post(`${path}/check`, request)).body.redirect, true);
  const editor = await createMember(tenant, [{ bu_id: unit, role: 'editor' }]);
  await editor.api.put(`${path}/${id}`, fixed({ target_url: '/newer' }));
  await editor.api.delete(`${path}/${id}`, 403);
});
