import assert from 'node:assert/strict';
import test from 'node:test';
import { becomes, computed, createAudience } from '../../../../test/harness/audiences.ts';
import { importList } from '../../../../test/harness/campaigns.ts';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { createSubscriber } from '../../../../test/harness/subscribers.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();

const is = (value: string) => ({ operation: 'eq', value });
const cityIs = (value: string) => ({ 'additional_fields_data.city': is(value) });
const from = (city: string) => ({ additional_fields_data: { city } });

const preview = async ({ api }: Pick<TestTenant, 'api'>, filters: object, more: object = {}, status = 200) =>
  (await api.post('/api/audiences/preview', { filters, ...more }, status)).body;

const explain = async ({ api }: Pick<TestTenant, 'api'>, id: string, subscriberId: string, status = 200) =>
  (await api.post(`/api/audiences/${id}/explain`, { subscriber_id: subscriberId }, status)).body;

test('a preview counts those that the audience would contain, and names the newest five', async () => {
  const tenant = await app.createTenant();
  for (const name of ['Ada', 'Bob', 'Cy', 'Dee', 'Eve', 'Fay'])
    await createSubscriber(tenant, {
      first_name: name,
      last_name: null,
      active: name !== 'Ada',
      ...(name === 'Ada' && { inactive_reason: 'x' }),
      ...from('London'),
    });
  await createSubscriber(tenant, { first_name: 'Gus', ...from('Rome') });
  const filters = {
    any: [cityIs('London'), { first_name: is('Nobody') }],
    none: [{ first_name: is('Bob') }],
  };
  const { count, is_exact, sample } = await preview(tenant, filters);
  assert.deepEqual([count, is_exact], [5, true]);
  assert.deepEqual(
    sample.map(({ first_name: first, last_name: last }: Record<string, string>) => [first, last]),
    ['Fay', 'Eve', 'Dee', 'Cy', 'Ada'].map((name) => [name, '']),
  );
  const id = await createAudience(tenant, filters);
  await computed(tenant, id);
  await becomes(tenant, id, ['Ada', 'Cy', 'Dee', 'Eve', 'Fay']);
});

test('a preview counts with every kind of condition', async () => {
  const tenant = await app.createTenant();
  const { id: listId } = (await tenant.api.post('/api/lists', { name: 'News' })).body;
  const { id: audienceId } = (await tenant.api.post('/api/audiences', { name: 'Named' })).body;
  await createSubscriber(tenant, { lists: [listId], audiences: [audienceId], ...from('London') });
  const filters = {
    engagement: { not_opened_since_days: 90 },
    lists: is(listId),
    audiences: is(audienceId),
    any: [cityIs('London'), { engagement: { opened_since_days: 90 } }],
    none: [{ engagement: { clicked_since_days: 90 } }],
  };
  assert.equal((await preview(tenant, filters)).count, 1);
});

test('a preview counts in several statements, so that it can stop', async () => {
  const tenant = await app.createTenant();
  await importList(tenant, 25_000);
  const { count, is_exact } = await preview(tenant, { email: { operation: 'like', value: '@domain3.' } });
  if (is_exact) assert.equal(count, 2500);
  else assert.ok(count >= 2000 && count < 2500);
});

test('a preview counts the subscribers of one unit only', async () => {
  const tenant = await app.createTenant();
  const north = await createUnit(tenant, 'North');
  await createSubscriber(tenant, { business_unit: north });
  assert.equal((await preview(tenant, {})).count, 0);
  assert.equal((await preview(tenant, {}, { business_unit: 'north' })).count, 1);
  const viewer = await createMember(tenant, [{ bu_id: north, role: 'viewer' }]);
  await preview(viewer, {}, { business_unit: north }, 403);
});

test('invalid filters are refused as in an audience', async () => {
  const tenant = await app.createTenant();
  const filters = { any: [{ shoe_size: is('42') }] };
  const { issues } = await preview(tenant, filters, {}, 400);
  const { body } = await tenant.api.post('/api/audiences', { name: 'A', filters }, 400);
  assert.deepEqual(issues, body.issues);
});

test('an explanation names each condition with the value of the subscriber', async () => {
  const tenant = await app.createTenant();
  const { id: subscriberId } = await createSubscriber(tenant, { first_name: 'Grace', ...from('Rome') });
  const filters = {
    first_name: is('Grace'),
    engagement: { opened_since_days: 30 },
    any: [cityIs('London'), { active: { operation: 'eq', value: true } }],
    none: [{ ...cityIs('Rome'), first_name: is('Bob') }],
  };
  const id = await createAudience(tenant, filters);
  await computed(tenant, id);
  const condition = (field: string, filter: object, value: unknown, met: boolean) => ({
    field,
    condition: filter,
    value,
    met,
    problem: null,
  });
  assert.deepEqual(await explain(tenant, id, subscriberId), {
    is_member: false,
    is_of_unit: true,
    is_computed: true,
    groups: [
      {
        group: 'all',
        path: 'filters',
        met: false,
        conditions: [
          condition('first_name', is('Grace'), 'Grace', true),
          condition('engagement', { opened_since_days: 30 }, null, false),
        ],
      },
      {
        group: 'any',
        path: 'filters.any[0]',
        met: false,
        conditions: [condition('additional_fields_data.city', is('London'), 'Rome', false)],
      },
      {
        group: 'any',
        path: 'filters.any[1]',
        met: true,
        conditions: [condition('active', { operation: 'eq', value: true }, true, true)],
      },
      {
        group: 'none',
        path: 'filters.none[0]',
        met: false,
        conditions: [
          condition('additional_fields_data.city', is('Rome'), 'Rome', true),
          condition('first_name', is('Bob'), 'Grace', false),
        ],
      },
    ],
  });
});

test('an explanation names a condition that became impossible', async () => {
  const tenant = await app.createTenant();
  const define = (type: string) =>
    tenant.api.patch('/api/email_settings', {
      subscriber_additional_fields: { size: { label: 'Size', type, order: 1 } },
    });
  await define('text');
  const { id: subscriberId } = await createSubscriber(tenant, { additional_fields_data: { size: 'L' } });
  const id = await createAudience(tenant, { 'additional_fields_data.size': is('L') });
  await define('number');
  const [{ conditions }] = (await explain(tenant, id, subscriberId)).groups;
  assert.equal(conditions[0].met, false);
  assert.match(conditions[0].problem, /number/);
});

test('an audience without filters, or of another unit, says so', async () => {
  const tenant = await app.createTenant();
  const north = await createUnit(tenant, 'North');
  const { id } = (await tenant.api.post('/api/audiences', { name: 'Named' })).body;
  const { id: member } = await createSubscriber(tenant, { audiences: [id] });
  const { id: stranger } = await createSubscriber(tenant, { business_unit: north });
  const none = { is_computed: false, groups: [] };
  assert.deepEqual(await explain(tenant, id, member), { is_member: true, is_of_unit: true, ...none });
  assert.deepEqual(await explain(tenant, id, stranger), { is_member: false, is_of_unit: false, ...none });
});

test('audiences and subscribers of other tenants and units are unknown to an explanation', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const north = await createUnit(tenant, 'North');
  const viewer = await createMember(tenant, [{ bu_id: north, role: 'viewer' }]);
  const id = await createAudience(tenant, {});
  const { id: subscriberId } = await createSubscriber(tenant);
  await explain(other, id, subscriberId, 404);
  await explain(viewer, id, subscriberId, 404);
  await explain(tenant, id, 'nobody', 404);
});
