/** Calls of browser sessions to every route: other sites can neither write nor read with the cookie of a user. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { consoleRecordsSurface, consoleSurface } from '../../src/http/console-surface.ts';
import type { Route } from '../../src/http/route.ts';
import { sessionSurface } from '../../src/http/session-surface.ts';
import { servingSurfaces } from '../../src/http/surfaces.ts';
import { signInBrowser } from '../harness/browser-session.ts';
import type { Answer, Client } from '../harness/client.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp } from '../harness/test-app.ts';
import { assertError, inTurn, isRead, targetOf } from './route-calls.ts';
import {
  allRoutes,
  calledRoutes,
  callsEveryRoute,
  createWorld,
  recordsOfCalled,
  requestTo,
} from './world.ts';

const app = await startTestApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
const names = await createWorld(tenant, receiver.url, recordsOfCalled());
const { cookie, csrfToken, page } = await signInBrowser(tenant.api, tenant.ownerEmail);

/** The surfaces of sessions, with the headers that select them. */
const SURFACES = [
  { surface: sessionSurface, headers: {} },
  { surface: consoleSurface, headers: {} },
  { surface: consoleRecordsSurface, headers: { 'x-tessera-surface': 'records' } },
] as const;

const routesOf = ({ surface }: (typeof SURFACES)[number]) =>
  calledRoutes.filter((route) => servingSurfaces(route).some(({ name }) => name === surface.name));

/** Sends the example request to a route, with the headers of the client instead of its own. */
function call(client: Client, route: Route) {
  const { body, upload, ...request } = requestTo(route, names);
  const content = upload ? { rawBody: upload.text } : body && { body };
  const type = upload && { headers: { 'content-type': upload.type } };
  return client.send(route.method, targetOf(route, request), { ...content, ...type });
}

/** Fails if the credential was refused. */
function assertAdmitted({ id }: Route, { status, text }: Answer): void {
  assert.ok(![401, 403].includes(status) && status < 500, `${id}: ${text}`);
}

test('every write of a session needs its CSRF token and a page of this origin', async () => {
  const own = { cookie, 'x-csrf-token': csrfToken };
  const other = await signInBrowser(tenant.api, tenant.ownerEmail);
  const sameOrigin = { cookie, 'sec-fetch-site': 'same-origin' };
  const rejected: readonly Readonly<Record<string, string>>[] = [
    sameOrigin,
    { ...own, 'sec-fetch-site': 'cross-site' },
  ];
  const alsoRejected: readonly Readonly<Record<string, string>>[] = [
    own,
    { ...own, 'sec-fetch-site': 'same-site' },
    { ...own, 'sec-fetch-site': 'none' },
    { ...own, origin: 'https://evil.example' },
    { ...sameOrigin, 'x-csrf-token': other.csrfToken },
    { ...sameOrigin, 'x-csrf-token': '' },
  ];
  for (const each of SURFACES) {
    const writes = routesOf(each).filter(({ method, write }) => method !== 'GET' || write !== undefined);
    assert.ok(!callsEveryRoute || writes.length > 2);
    const all = writes.flatMap((route) => rejected.map((headers) => [route, headers] as const));
    for (const [route, headers] of [...all, ...inTurn(writes, alsoRejected)]) {
      const answer = await call(app.anonymous.with({ ...headers, ...each.headers }), route);
      const { id, envelope = each.surface.envelope } = route;
      assertError({ id, envelope }, answer, 403, 'CSRF_REJECTED');
    }
  }
});

test('the GETs that change something count as writes', () => {
  const changing = allRoutes.filter((route) => route.method === 'GET' && route.write !== undefined);
  assert.deepEqual(
    changing.map(({ id }) => id),
    ['campaign_emails.process', 'campaign_emails.convert_to_draft', 'automation_hooks.get'],
  );
});

test('a session reads without a CSRF token, and no other site can read the response', async () => {
  const origin = 'https://evil.example';
  for (const each of SURFACES) {
    const reader = app.anonymous.with({ cookie, origin, ...each.headers });
    for (const route of routesOf(each).filter(isRead)) {
      const answer = await call(reader, route);
      assertAdmitted(route, answer);
      assert.equal(answer.headers.get('access-control-allow-origin'), null, route.id);
    }
  }
});

test('every route of members accepts the session of an owner', async () => {
  for (const each of SURFACES.slice(1)) {
    const client = page.with(each.headers);
    for (const route of routesOf(each).filter(({ method }) => method !== 'DELETE')) {
      assertAdmitted(route, await call(client, route));
    }
  }
});
