/**
 * Filters of every list: operators on one field are combined, and unknown ones are rejected by name. The lists come
 * from the route table, so new lists are tested without changes here.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Route } from '../../src/http/route.ts';
import type { Answer, Client } from '../harness/client.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp } from '../harness/test-app.ts';
import { clientsOf, ownerOf, targetOf } from './route-calls.ts';
import { allRoutes, calledRoutes, createWorld, recordsOfCalled, requestTo } from './world.ts';

export const runsOn = ['embedded', 'cluster'];

const app = await startTestApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
const names = await createWorld(tenant, receiver.url, recordsOfCalled('purchase', 'unit'));
const clientOf = clientsOf(app, await ownerOf(tenant));

const PAST = '0001-02-03T04:05:06Z';
const LATER = '9998-01-01T00:00:00Z';
const FUTURE = '9999-01-01T00:00:00Z';
const NOBODY = 'zz-no-record-has-this';

interface Case {
  readonly operators: Readonly<Record<string, unknown>>;
  /** Expected part of the records that `{ne: <absent value>}` returns. */
  readonly finds: 'all' | 'none';
}

const none = (operators: Case['operators']): Case => ({ operators, finds: 'none' });
const all = (operators: Case['operators']): Case => ({ operators, finds: 'all' });

/** Pairs of operators, each in both orders; only both together give the expected records. */
function casesOf(type: string): readonly Case[] {
  switch (type) {
    case 'text':
    case 'id':
      return [
        none({ ne: NOBODY, eq: NOBODY }),
        none({ eq: NOBODY, ne: NOBODY }),
        none({ ne: NOBODY, in: [NOBODY] }),
        none({ in: [NOBODY], ne: NOBODY }),
      ];
    case 'boolean':
      return [none({ eq: true, ne: true }), none({ ne: false, eq: false })];
    case 'number':
    case 'integer':
      return [
        all({ gte: -1e15, lt: 1e15 }),
        none({ gte: -1e15, lt: -1e14 }),
        none({ lt: 1e15, gte: 1e14 }),
        none({ ne: -5, eq: -5 }),
      ];
    case 'time':
    case 'date': {
      const [past, later, future] = [PAST, LATER, FUTURE].map((time) =>
        type === 'date' ? time.slice(0, 10) : time,
      );
      return [
        all({ gte: past, lt: future }),
        none({ gte: past, lt: past }),
        none({ lt: future, gte: later }),
        none({ ne: past, eq: past }),
      ];
    }
    default:
      return [];
  }
}

/** Routes whose filters have another form than those of lists; the tests below state the rules of each. */
const OTHER_FORMS = [
  'ai_indexes.query',
  'assets.bulk',
  'audiences.create',
  'audiences.patch',
  'audiences.preview',
  'audiences.replace',
  'campaign_figures.engagements',
  'campaign_figures.of_subscriber',
  'deliveries.redeliver',
  'documents.bulk',
  'form_submissions.bulk',
  'marketing_events.query',
  'records.update_many',
  'redirects.bulk',
  'reports.export',
  'subscribers.bulk',
  'suppressions.bulk',
];

test('every route with filters in its body is a list or is named as an exception', () => {
  const hasFilters = (schema: { readonly properties?: object } = {}) =>
    ['filters', 'filter'].some((name) => name in (schema.properties ?? {}));
  const others = allRoutes.filter(({ body, filters }) => filters === undefined && hasFilters(body));
  assert.deepEqual(others.map(({ id }) => id).sort(), OTHER_FORMS);
});

test('event filters accept two operators on one field', async () => {
  const range = { from: '2020-01-01', to: '2030-01-01', group_by: 'type' };
  const count = async (type: object) =>
    (await tenant.api.post('/api/marketing_events/query', { ...range, filters: { type } })).body.results
      .length;
  assert.equal(await count({ ne: NOBODY, in: ['purchase', NOBODY] }), 1);
  assert.equal(await count({ in: ['purchase'], ne: 'purchase' }), 0);
  assert.equal(await count({ ne: 'purchase', in: ['purchase'] }), 0);
});

test('stored and exported filters accept two operators, and reject an unknown one by name', async () => {
  const created_at = { gte: PAST, lt: FUTURE };
  const cases: readonly (readonly [path: string, body: object])[] = [
    ['/api/audiences', { name: 'Recent' }],
    [
      '/api/reports/export',
      { receiver_email: 'ada@example.com', report_type: 'subscribers', output_format: 'csv' },
    ],
  ];
  for (const [path, body] of cases) {
    await tenant.api.post(path, { ...body, filters: { created_at } });
    const filters = { created_at: { ...created_at, resembles: 1 } };
    const { issues } = (await tenant.api.post(path, { ...body, filters }, 400)).body;
    assert.equal(issues[0].field, 'filters.created_at.resembles');
  }
});

const lists = calledRoutes.filter((route) => route.filters !== undefined);

async function ask(route: Route, filters: object, client: Client = clientOf(route)): Promise<Answer> {
  const request = requestTo(route, names);
  const page = hasPages(route.body) ? { page: 1 } : {};
  return client.send(route.method, targetOf(route, request), { body: { ...page, limit: 20, filters } });
}

function hasPages(body: { readonly properties?: object } = {}): boolean {
  return 'page' in (body.properties ?? {});
}

/** Returns the number of matching records; of a list without a total, the number on its first page. */
async function totalOf(route: Route, filters: object): Promise<number> {
  const answer = await ask(route, filters);
  assert.equal(answer.status, 200, `${route.id} ${JSON.stringify(filters)}: ${answer.text}`);
  return answer.body.total ?? answer.body.metadata?.total ?? answer.body.results.length;
}

for (const route of lists) {
  const fields = Object.entries(route.filters?.fields ?? {});

  test(`${route.id}: operators on one field are combined`, async () => {
    assert.ok((await totalOf(route, {})) > 0, 'the list is empty: nothing is shown by it');
    for (const [name, { type }] of fields) {
      for (const { operators, finds } of casesOf(type)) {
        if (!Object.keys(operators).every((word) => route.filters?.operations.includes(word))) continue;
        const filters = { [name]: operators };
        const one = Object.entries(operators).map(([operation, value]) => ({ [name]: { operation, value } }));
        const alone = await Promise.all(one.map((filter) => totalOf(route, filter)));
        const expected = finds === 'none' ? 0 : Math.min(...alone);
        assert.equal(await totalOf(route, filters), expected, `${route.id} ${JSON.stringify(filters)}`);
      }
    }
  });

  test(`${route.id}: unknown fields and operators get a 400 that names the field`, async () => {
    for (const [name] of fields) {
      for (const filter of [{ resembles: 1 }, { nempty: null, resembles: 1 }, { operation: 'resembles' }]) {
        const { status, body, text } = await ask(route, { [name]: filter });
        assert.equal(status, 400, `${route.id} ${name}: ${text}`);
        assert.ok(
          body.issues.some(({ field }: { field: string }) => field.startsWith(`filters.${name}`)),
          text,
        );
      }
    }
    const { status, body } = await ask(route, { no_such_field: { eq: 1, ne: 2 } });
    assert.equal(status, 400);
    assert.match(body.issues[0].field, /^filters\.no_such_field/);
  });

  if (!fields.some(([name]) => name === 'business_unit')) continue;
  test(`${route.id}: business_unit accepts an id, a slug or a name`, async () => {
    const { business_units: units } = (await tenant.api.get('/api/client/v1/business-units')).body;
    let matched = 0;
    for (const { bu_id, slug, name } of units) {
      const byId = await totalOf(route, { business_unit: { eq: bu_id } });
      matched += byId;
      for (const named of [slug, name]) {
        assert.equal(await totalOf(route, { business_unit: { eq: named } }), byId);
        assert.equal(
          await totalOf(route, { business_unit: { operation: 'in', value: [named, NOBODY] } }),
          byId,
        );
        assert.equal(await totalOf(route, { business_unit: { in: [named], ne: bu_id } }), 0);
      }
    }
    assert.ok(matched > 0, 'no unit has records');
    assert.ok(units.some(({ bu_id }: { bu_id: string }) => bu_id === names('unit')));
  });
}
