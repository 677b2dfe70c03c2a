/** Every route that names a record, called with names of other callers' records; and every POST, called twice. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { takesKey } from '../../src/http/idempotency.ts';
import type { Route } from '../../src/http/route.ts';
import { isSpecified } from '../../src/http/specified-operations.ts';
import { createMember, createUnit } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp } from '../harness/test-app.ts';
import {
  assertError,
  type Credentials,
  callRoute,
  clientOf,
  clientsOf,
  credentialsOf,
  isRead,
  ownerOf,
  targetOf,
} from './route-calls.ts';
import {
  absentNames,
  allRoutes,
  calledRoutes,
  callsEveryRoute,
  createWorld,
  type NameOf,
  namesSecret,
  recordsOfCalled,
  requestTo,
} from './world.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
const other = await app.createTenant();
const owner = await ownerOf(tenant);
const records = recordsOfCalled('delivery', 'public_form', 'webhook');
const names = await createWorld(tenant, receiver.url, records);
// A running one would change what the owner reads.
await eventually('the deliveries to end', async () => {
  const { results } = (await tenant.api.get(`/api/webhooks/${names('webhook')}/deliveries`)).body;
  return results.every(({ status }: { status: string }) => status === 'success');
});

const absent = absentNames(names);
/** Routes that need a key, and whose requests name records in path, query or body. */
const naming = calledRoutes.filter(
  (route) => !['public', 'operator'].includes(route.access) && namesSecret(route),
);
/**
 * Routes whose records belong to a unit, not to the whole tenant (docs/specification/tenants.md#what-the-tenant-owns).
 */
const ofUnits = naming.filter(
  ({ path }) => !/^\/api\/(?:email_settings|entities|assets|automations|hooks)\//.test(path),
);
const directories = allRoutes.filter(({ id }) => ['business_units.list', 'memberships.list'].includes(id));
const isPost = ({ method, reply }: Route) => method === 'POST' && reply !== undefined;

/** Replaces every name of `one` by that of `two`, so that responses may repeat the request. */
function rename(text: string, one: NameOf, two: NameOf): string {
  return records.reduce((renamed, record) => renamed.replaceAll(one(record), two(record)), text);
}

/** The time of a member's last call: callers change their own. */
const LAST_SEEN = /"last_seen_at":[^,}]*/g;

/** Returns everything that the owner can read of the records. */
async function snapshot(): Promise<string[]> {
  const texts: string[] = [];
  for (const route of [...naming.filter(isRead), ...directories])
    texts.push((await clientOf(route, owner).get(targetOf(route, requestTo(route, names)))).text);
  assert.match(texts.join(), new RegExp(names('public_form')));
  return texts.map((text) => text.replaceAll(LAST_SEEN, ''));
}

/** Fails unless the client gets the same response for these records as for absent ones. */
async function assertInvisible(caller: Credentials, routes: readonly Route[]): Promise<void> {
  assert.ok(!callsEveryRoute || routes.length > 0);
  const before = await snapshot();
  for (const route of routes) {
    const client = clientOf(route, caller);
    const foreign = await callRoute(client, route, requestTo(route, names));
    const missing = await callRoute(client, route, requestTo(route, absent));
    assert.equal(foreign.status, missing.status, `${route.id}: ${foreign.text} but ${missing.text}`);
    assert.equal(rename(foreign.text, names, absent), missing.text, route.id);
  }
  assert.deepEqual(await snapshot(), before);
}

test("the owner of another tenant cannot distinguish a tenant's records from absent ones", async () => {
  await assertInvisible(await ownerOf(other), naming);
});

test('an admin of other units cannot distinguish the records of a unit from absent ones', async () => {
  const outside = await createUnit(tenant, 'South');
  const admin = await createMember(tenant, [
    { bu_id: outside, role: 'admin' },
    { bu_id: tenant.defaultUnitId, role: 'admin' },
  ]);
  await assertInvisible(await credentialsOf(admin), ofUnits);
});

test('a member without grants cannot distinguish any record from an absent one', async () => {
  const ungranted = await createMember(tenant, []);
  await assertInvisible(await credentialsOf(ungranted), naming);
});

test('the same requests succeed for an authorized caller', async () => {
  const removing = naming.filter(({ method, id }) => method === 'DELETE' || id.endsWith('.archive'));
  for (const route of [...naming.filter((each) => !removing.includes(each)), ...removing.reverse()]) {
    const answer = await callRoute(clientOf(route, owner), route, requestTo(route, names));
    assert.equal(answer.status, route.status ?? 200, `${route.id}: ${answer.text}`);
  }
});

/** POST routes without a `write` that still have effects. */
const ACTING = [
  'webhooks.test',
  'event_webhooks.test',
  'form_submissions.erase',
  'auth.logout',
  'tenants.reset',
  'users.set_password',
  'password_resets.create',
  'password_resets.complete',
  'provider_hooks.receive',
];

test('every POST that only reads is declared as such', () => {
  const unsaid = allRoutes
    .filter(isPost)
    .filter(
      ({ id, write, events, readsOnly, ignoresKey }) =>
        !write && !events && !readsOnly && !ignoresKey && !ACTING.includes(id),
    );
  assert.deepEqual(
    unsaid.map(({ id }) => id),
    [],
  );
});

test('every POST that writes answers a repeat with the same Idempotency-Key with the first response', async () => {
  const fresh = await app.createTenant();
  const own = await createWorld(fresh, receiver.url, records);
  const clientOfAny = clientsOf(app, await ownerOf(fresh));
  for (const route of calledRoutes.filter(isPost).filter(takesKey)) {
    const client = clientOfAny(route);
    const request = requestTo(route, own);
    const options = { headers: { 'idempotency-key': randomUUID() } };
    const first = await callRoute(client, route, request, options);
    assert.equal(first.status, route.status ?? 200, `${route.id}: ${first.text}`);
    const again = await callRoute(client, route, request, options);
    assert.equal(again.status, first.status, `${route.id}: ${again.text}`);
    assert.equal(again.text, first.text, route.id);
    if (request.body) {
      const changed = { ...request, body: { ...request.body, another_field: 1 } };
      const conflict = await callRoute(client, route, changed, options);
      // An extension knows all members of its body and rejects others before it looks up the first call.
      if (route.body && !route.takesAnyBody && !isSpecified(route))
        assert.equal(conflict.status, 400, `${route.id}: ${conflict.text}`);
      else assertError(route, conflict, 409, 'IDEMPOTENCY_CONFLICT');
    }
  }
});
