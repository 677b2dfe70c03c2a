/** Subscribers are found by keys of their names, addresses and fields: these tests check that keys change no result. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { createSubscriber } from '../../../../test/harness/subscribers.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const PATH = '/api/subscribers/list';
const eq = (value: unknown) => ({ operation: 'eq', value });

async function list({ api }: Pick<TestTenant, 'api'>, filters: object, search = '') {
  const { body } = await api.post(PATH, { page: 1, limit: 100, filters, search });
  const names: string[] = body.results.map((each: { first_name: string }) => each.first_name);
  assert.equal(body.total, names.length);
  return names.sort();
}

/** Pieces of names and searches: wildcards, letters of any alphabet, short and repeated ones. */
const PIECES = ['a', 'Ann', 'anna', 'Ä', 'ß', '%', '_', '\\', '-', '王', '小明', '🙂', "o'", '1', '99', 'IJ'];
const piece = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 }).map((all) => all.join(''));

test('a search finds subscribers with every word, whatever characters the words contain', async () => {
  const tenant = await app.createTenant();
  const samples = fc.sample(fc.tuple(piece, piece, fc.integer({ min: 1, max: 3 })), { numRuns: 60, seed: 7 });
  for (const [place, [first, last, twice]] of samples.entries())
    await createSubscriber(tenant, {
      first_name: first.repeat(twice),
      last_name: `${last} ${first}`,
      email: `Person${place}.anna%_${place % 7}@x-${place % 5}.example`,
    });
  const db = app.app.platform.scoped(wholeTenant(tenant.tenantId));
  /** Returns the expected result by scanning everybody. */
  const lookAtAll = async (patterns: readonly string[], columns: readonly string[]) => {
    const contains = (pattern: string) =>
      sql`(${sql.join(
        columns.map((column) => sql`${sql.ref(column)} ilike ${pattern}`),
        sql` or `,
      )})`;
    const { rows } = await db.raw(
      (tenantId) => sql<{ first_name: string }>`
      select first_name from subscribers where tenant_id = ${tenantId} and ${sql.join(patterns.map(contains), sql` and `)}`,
    );
    return rows.map(({ first_name }) => first_name).sort();
  };
  const patternOf = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const word = fc.oneof(
    piece,
    fc.constantFrom('PERSON1', 'son', 'on3', 'example', '@X-', 'anna%_', 'n.a', 'a%_1@'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 2 }), async (words) => {
      const everywhere = ['first_name', 'last_name', 'email'];
      assert.deepEqual(
        await list(tenant, {}, words.join(' ')),
        await lookAtAll(words.map(patternOf), everywhere),
      );
      const [value = ''] = words;
      assert.deepEqual(
        await list(tenant, { email: { operation: 'like', value } }),
        await lookAtAll([patternOf(value)], ['email']),
      );
    }),
    { numRuns: 60 },
  );
  const [[first = ''] = []] = samples;
  const same = samples.filter(([name, , twice]) => name.repeat(twice) === first);
  assert.deepEqual(
    await list(tenant, { first_name: eq(first) }),
    same.map(() => first),
  );
});

test('a value of an additional field is found in any notation, and compared by its type', async () => {
  const tenant = await app.createTenant();
  const values = [
    1,
    '1',
    '1.0',
    1.5,
    -0,
    true,
    'true',
    '2024-05-01',
    '2024-05-01T02:00+02:00',
    '2024-02-30',
    'ä',
    '',
  ];
  for (const value of values)
    await createSubscriber(tenant, {
      first_name: JSON.stringify(value),
      additional_fields_data: { of: value, other: 'ä' },
    });
  await createSubscriber(tenant, { first_name: 'nothing' });
  const by = (value: unknown) => list(tenant, { 'additional_fields_data.of': eq(value) });
  assert.deepEqual(await by(1), ['1']);
  assert.deepEqual(await by('1'), ['"1"', '1']);
  assert.deepEqual(await by(1.5), ['1.5']);
  assert.deepEqual(await by(0), ['0']);
  assert.deepEqual(await by(true), ['true']);
  assert.deepEqual(await by('true'), ['"true"', 'true']);
  assert.deepEqual(await by('2024-05-01T00:00:00Z'), ['"2024-05-01"', '"2024-05-01T02:00+02:00"']);
  assert.deepEqual(await by('ä'), ['"ä"']);
  assert.deepEqual(await by('Ä'), []);
  assert.deepEqual(await by(''), ['""']);
  assert.deepEqual(await by(2), []);
});

test('changed and erased subscribers are found by their current data', async () => {
  const tenant = await app.createTenant();
  const { id, body } = await createSubscriber(tenant, { first_name: 'Before' });
  await tenant.api.put(`/api/subscribers/${id}`, { ...body, first_name: 'Afterwards' });
  assert.deepEqual(await list(tenant, {}, 'before'), []);
  assert.deepEqual(await list(tenant, {}, 'fterward'), ['Afterwards']);
  await tenant.api.delete(`/api/subscribers/${id}`);
  assert.deepEqual(await list(tenant, {}, 'fterward'), []);
});

test('a search finds no subscribers of another unit or tenant', async () => {
  const tenant = await app.createTenant();
  const [north, south] = [await createUnit(tenant, 'North'), await createUnit(tenant, 'South')];
  const listId = (await tenant.api.post('/api/lists', { name: 'All', business_unit: north })).body.id;
  for (const unit of [north, south, south])
    await createSubscriber(tenant, { first_name: 'Findable', business_unit: unit, lists: [listId] });
  const member = await createMember(tenant, [{ bu_id: north, role: 'viewer' }]);
  assert.equal((await list(tenant, {}, 'findable')).length, 3);
  assert.equal((await list(member, {}, 'findable')).length, 1);
  const total = async ({ api }: Pick<TestTenant, 'api'>, limit: number, filters: object) =>
    (await api.post(PATH, { page: 1, limit, filters })).body.total;
  assert.equal(await total(tenant, 1, { lists: eq(listId) }), 3);
  assert.equal(await total(member, 1, { lists: eq(listId) }), 1);
  const other = await app.createTenant();
  assert.deepEqual(await list(other, {}, 'findable'), []);
  const foreign = app.app.platform.scoped(wholeTenant(other.tenantId));
  await assert.rejects(
    foreign.raw(
      () =>
        sql`select tessera_find_subscribers(${tenant.tenantId}::uuid, '{findable}', '[]', 10), ${other.tenantId}::text`,
    ),
    { code: '42501' },
  );
});

test('many matches are not found by keys, but are listed', async () => {
  const tenant = await app.createTenant();
  for (const name of ['Many one', 'Many two', 'Other']) await createSubscriber(tenant, { first_name: name });
  const db = app.app.platform.scoped(wholeTenant(tenant.tenantId));
  const found = async (piece: string, most: number) => {
    const { rows } = await db.raw(
      (tenantId) => sql<{ found: string[] | null }>`
      select tessera_find_subscribers(${tenantId}::uuid, ${[piece]}, '[]', ${most}) as found`,
    );
    return rows[0]?.found?.length ?? null;
  };
  assert.deepEqual(await Promise.all([found('many', 2), found('many', 1), found('zz', 2)]), [2, null, null]);
  assert.deepEqual(await list(tenant, {}, 'an'), ['Many one', 'Many two']);
});

test('a time in an unknown zone is stored as text, and refused where a time is required', async () => {
  const tenant = await app.createTenant();
  const strange = '2026-01-05T10:00:00+16:00';
  const { id } = await createSubscriber(tenant, { additional_fields_data: { visit: strange } });
  const list = (value: string, operation: string, status = 200) => {
    const filters = { 'additional_fields_data.visit': { operation, value } };
    return tenant.api.post('/api/subscribers/list', { page: 1, limit: 10, filters }, status);
  };
  assert.equal((await list(strange, 'eq')).body.results[0].id, id);
  assert.equal((await list('2026-01-01T00:00:00Z', 'gt')).body.total, 0);
});
