/** Sorted lists: every sort of every list, pages by cursor, and the form of responses. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Route } from '../../src/http/route.ts';
import type { Answer } from '../harness/client.ts';
import { eventually } from '../harness/poll.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startOwnApp } from '../harness/test-app.ts';
import { callRoute, clientsOf, ownerOf, targetOf } from './route-calls.ts';
import {
  allRoutes,
  calledRoutes,
  createWorld,
  type RouteRequest,
  recordsOfCalled,
  requestTo,
} from './world.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

// A separate app, because in a shared one the list of tenants contains those of other files.
const app = await startOwnApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
const names = await createWorld(tenant, receiver.url, recordsOfCalled());
const clientOf = clientsOf(app, await ownerOf(tenant));

interface Options {
  readonly sort?: string;
  readonly after?: string;
  readonly fields?: readonly string[];
  readonly count?: boolean;
  readonly page?: number;
  readonly limit?: number;
}
interface Item {
  readonly [member: string]: unknown;
}

const lists = calledRoutes.filter((route) => route.sorts !== undefined);

/** Requests a page, with the parameters in a body or a query. */
async function ask(route: Route, options: Options): Promise<Answer> {
  const request = requestTo(route, names);
  const client = clientOf(route);
  if (route.method === 'POST') {
    const first = options.after === undefined ? { page: 1 } : {};
    const body = { ...first, limit: 100, filters: {}, ...options };
    return client.send('POST', targetOf(route, { params: request.params ?? {} }), { body });
  }
  const { fields = [], limit = 100, ...others } = options;
  const pageQuery = { [route.id === 'suppressions.list' ? 'pageSize' : 'limit']: limit, ...others };
  const pairs = Object.entries(pageQuery).map(([name, value]) => [name, String(value)]);
  const query = { ...request.query, ...Object.fromEntries(pairs) };
  const target = targetOf(route, { ...request, query });
  return client.send('GET', target + fields.map((name) => `&fields[]=${name}`).join(''));
}

async function pageOf(route: Route, options: Options) {
  const answer = await ask(route, options);
  assert.equal(answer.status, 200, `${route.id} ${JSON.stringify(options)}: ${answer.text}`);
  const { results, metadata = {}, total = metadata.total, next = metadata.next } = answer.body;
  return { results: results as Item[], total, next };
}

function keyOf(item: Item): string {
  const { id, run_id, membership_id, state_id, tenant_id, recipient, code, key, name } = item;
  // A record of engagement belongs to a subscriber and an email.
  const engagement = 'campaign_code' in item && `${item.subscriber_id} ${item.marketing_email_id}`;
  return String(
    id ??
      run_id ??
      membership_id ??
      state_id ??
      tenant_id ??
      recipient ??
      (engagement || (code ?? key ?? name)),
  );
}

/** Creates one more record of a list. Three names are shared by several records, so that sorts have ties. */
async function addOne({ id }: Route, n: number): Promise<void> {
  const family = id.slice(0, id.lastIndexOf('.'));
  const named = (name: string) => allRoutes.find((route) => route.id === `${family}.${name}`);
  const create = id === 'automations.list_runs' ? named('run') : (named('create') ?? named('replace'));
  if (create === undefined) return;
  const request = requestTo(create, names);
  const attempt = async (name: string) => {
    const body: Item | undefined = request.body && { ...request.body };
    const sent: RouteRequest = {
      ...request,
      ...(body ? { body: { ...body, ...(typeof body.name === 'string' ? { name } : {}) } } : {}),
      ...(create.method === 'PUT' ? { params: { ...request.params, id: `x${randomUUID()}` } } : {}),
    };
    return callRoute(clientOf(create), create, sent);
  };
  const tie = await attempt(`order-${'cab'[n % 3]}`);
  if (tie.status === 409) await attempt(`order-${randomUUID()}`);
}

for (const route of lists) {
  for (let n = 0; n < 7; n += 1) await addOne(route, n);

  test(`${route.id}: every sort is correct in both directions`, async () => {
    assert.ok(route.sorts?.includes('created_at'));
    for (const field of route.sorts ?? []) {
      const { results: ascending } = await pageOf(route, { sort: field });
      const { results: descending } = await pageOf(route, { sort: `-${field}` });
      assert.ok(ascending.length > 0, 'the list is empty');
      assert.deepEqual(descending.map(keyOf), ascending.map(keyOf).reverse(), field);
      const values = ascending.map((item) => String(item[field]));
      const comparable = values.filter((value) => /^(order-|\d{4}-)/.test(value));
      assert.deepEqual(comparable, [...comparable].sort(), field);
    }
  });

  test(`${route.id}: cursor pages contain every record once while others are added`, async () => {
    for (const field of route.sorts ?? []) {
      for (const sort of [field, `-${field}`]) {
        const { results: before } = await pageOf(route, { sort });
        const seen: string[] = [];
        let after: Pick<Options, 'after'> = {};
        // About four pages, however many records were added before.
        const limit = Math.max(3, Math.ceil(before.length / 4));
        for (let n = 0; n < 100; n += 1) {
          const { results, next } = await pageOf(route, { sort, limit, count: false, ...after });
          seen.push(...results.map(keyOf));
          if (next === null) break;
          if (n === 1) await addOne(route, n);
          after = { after: next };
        }
        assert.equal(new Set(seen).size, seen.length, `${sort}: a record came twice`);
        for (const item of before) assert.ok(seen.includes(keyOf(item)), `${sort}: a record is missing`);
      }
    }
  });

  test(`${route.id}: fields and count select the parts of the response`, async () => {
    const usual = await pageOf(route, {});
    assert.ok(!('next' in (await ask(route, {})).body) && usual.next === undefined);
    assert.equal(typeof usual.total, 'number');
    assert.equal((await pageOf(route, { sort: '-created_at' })).total, usual.total);
    assert.equal((await pageOf(route, { count: false })).total, undefined);
    const [first = {}] = usual.results;
    let all = usual.results;
    for (const member of Object.keys(first))
      await eventually(`results of ${member} alone`, async () => {
        const { results } = await pageOf(route, { fields: [member] });
        const expected = all.map((item) => (member in item ? { [member]: item[member] } : {}));
        if (isDeepStrictEqual(results, expected)) return true;
        // The progress of a computation changes without a request.
        all = (await pageOf(route, {})).results;
        return false;
      });
    const [known = ''] = Object.keys(first);
    const refused = await ask(route, { fields: [known, 'no_such_member'] });
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.text, new RegExp(`fields\\[1\\]".*${known}`));
  });

  test(`${route.id}: unknown sorts and malformed cursors get 400`, async () => {
    for (const sort of ['no_such_field', '--created_at', '', 'created_at,name', 'tenant_id']) {
      const { status, text } = await ask(route, { sort });
      assert.equal(status, 400, `${sort}: ${text}`);
      assert.ok(text.includes('created_at'), text);
    }
    const { next } = await pageOf(route, { sort: 'created_at', limit: 1 });
    const forged = [
      '[]',
      '["created_at"]',
      '["created_at","2026-13-40T00:00:00.000000Z","x","y","z"]',
      '{}',
      'x',
    ];
    const cursors = forged.map((text) => Buffer.from(text).toString('base64url'));
    const [name, , ...key] = JSON.parse(Buffer.from(next, 'base64url').toString());
    for (const value of ['infinity', '2026-13-40T00:00:00.000000Z', "'; drop", '', '\0', null, 5])
      cursors.push(Buffer.from(JSON.stringify([name, value, ...key])).toString('base64url'));
    for (const after of cursors)
      assert.equal((await ask(route, { sort: 'created_at', after })).status, 400, after);
    assert.equal((await ask(route, { sort: '-created_at', after: next })).status, 400);
    assert.equal((await ask(route, { sort: 'created_at', after: next, page: 2 })).status, 400);
  });
}
