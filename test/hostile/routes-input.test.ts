/** Malformed requests to every route of the table: a clear 400, 413 or 415, never an unexpected error. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { MAX_BODY_BYTES } from '../../src/http/body-limit.ts';
import { takesKey } from '../../src/http/idempotency.ts';
import type { Route } from '../../src/http/route.ts';
import {
  announceBody,
  assertDeclared,
  assertError,
  callRoute,
  clientsOf,
  inTurn,
  ownerOf,
  targetOf,
} from '../contract/route-calls.ts';
import { allRoutes, createWorld, type RouteRequest, requestTo } from '../contract/world.ts';
import { createMember } from '../harness/members.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp } from '../harness/test-app.ts';

export const runsOn = ['embedded'];
export const neverRunsOn = ['cluster'];

const app = await startTestApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
const names = await createWorld(tenant, receiver.url);

const bodyRoutes = allRoutes.filter((route) => route.body !== undefined);
const MIB = 1024 * 1024;

/** Returns a client with a credential that the route accepts. */
const clientOf = clientsOf(app, await ownerOf(tenant));
/** The same for tests that need a session that no other test ends. */
const lastingClientOf = clientsOf(app, await ownerOf(tenant));

/**
 * Returns the code for a malformed body (docs/specification/conventions.md#errors: the area's own, else
 * INVALID_REQUEST).
 */
const codeOf = (route: Route) => route.invalid?.code ?? 'INVALID_REQUEST';

/** Sends this as the body of an otherwise valid request. */
function sendBody(route: Route, rawBody: string | Buffer, headers: Record<string, string> = {}) {
  const { body, ...request } = requestTo(route, names);
  return callRoute(clientOf(route), route, request, { rawBody, headers });
}

/**
 * Returns every fourth route, others for each index: all routes share the code that reads requests, so that each needs
 * only some of the malformed ones.
 */
function routesInTurn(routes: readonly Route[], index: number): Route[] {
  return routes.filter((_, nth) => (nth + index) % 4 === 0);
}

const NOTHING_USABLE: Readonly<Record<string, string | Buffer>> = {
  'no JSON': '{"name": ',
  'a word': 'name',
  'two values': '{} {}',
  'broken UTF-8': Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
  'a byte order mark in UTF-16': Buffer.from('\ufeff{}', 'utf16le'),
  'an array': '[{"name":"x"}]',
  'a string': '"name"',
  'a number': '1e999',
  null: 'null',
  'an empty body': '',
  'depth 10,000': `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  'depth 10,000 in a field': `{"name":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
  'U+0000 in an unknown field': '{"unknown_field":"a\\u0000b"}',
  'an unpaired surrogate in an unknown field': '{"unknown_field":["\\ud800"]}',
  'U+0000 in a field name': '{"a\\u0000b":1}',
  'an unpaired surrogate in a field name': '{"a\\udfff":1}',
  'a prototype key': '{"__proto__":{"admin":true}}',
  'a prototype key in depth': '{"unknown_field":[{"__proto__":null}]}',
};

for (const [index, [kind, rawBody]] of Object.entries(NOTHING_USABLE).entries()) {
  test(`${kind} as the body answers 400 with the area's code`, async () => {
    for (const route of routesInTurn(bodyRoutes, index))
      if (rawBody !== '' || !route.mayLackBody)
        assertError(route, await sendBody(route, rawBody), 400, codeOf(route));
  });
}

test('a valid body with an added prototype key, U+0000 or unpaired surrogate is rejected', async () => {
  const extras = ['"__proto__":{}', '"x":"\\u0000"', '"x":{"y":["\\udc00"]}'];
  for (const [route, extra] of inTurn(bodyRoutes, extras)) {
    const text = JSON.stringify(requestTo(route, names).body).slice(1);
    assertError(route, await sendBody(route, `{${extra},${text}`), 400, codeOf(route));
  }
});

test('a body of another or missing content type answers 415', async () => {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'nonsense',
  ];
  for (const [route, type] of inTurn(bodyRoutes, types)) {
    const text = JSON.stringify(requestTo(route, names).body);
    const answer = await sendBody(route, text, { 'content-type': type });
    assertError(route, answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  }
});

test('a body 1 MiB over the limit of a route answers 413, also if it is announced but not sent', async () => {
  // At once: each response waits for the body for a while, because most clients send it before they read.
  await Promise.all(
    bodyRoutes.map(async (route) =>
      assertError(
        route,
        await announceBody(
          clientOf(route),
          route,
          requestTo(route, names),
          (route.maxBodyBytes ?? MAX_BODY_BYTES) + MIB,
        ),
        413,
        'PAYLOAD_TOO_LARGE',
      ),
    ),
  );
});

test('an unexpected body is ignored or rejected with a declared error', async () => {
  const routes = allRoutes.filter(({ body, method }) => !body && method !== 'GET');
  const bodies = [
    ...['{}', 'null', '[', '"\\u0000"', '{"__proto__":1}'].map((rawBody) => ({ rawBody })),
    { rawBody: 'x', headers: { 'content-type': 'text/plain' } },
  ];
  for (const [route, body] of inTurn(routes, bodies)) {
    const absent = {
      params: Object.fromEntries(Object.keys(route.params?.properties ?? {}).map((name) => [name, 'x'])),
    };
    await callRoute(clientOf(route), route, absent, body);
  }
});

const BAD_TEXTS: Readonly<Record<string, string>> = {
  'U+0000': 'a%00b',
  'an unpaired surrogate': '%ED%A0%80',
  'broken UTF-8': '%ff%fe',
  'a broken escape': '%zz',
};

for (const [index, [kind, text]] of Object.entries(BAD_TEXTS).entries()) {
  test(`${kind} in a path answers 400`, async () => {
    const routes = allRoutes.filter(({ params }) => params);
    for (const route of routesInTurn(routes, index)) {
      const { body } = requestTo(route, names);
      for (const name of Object.keys(route.params?.properties ?? {})) {
        const params = { ...requestTo(route, names).params, [name]: text };
        const target = targetOf(route, { params }, (value) => value);
        const answer = await lastingClientOf(route).send(route.method, target, body ? { body } : {});
        assertDeclared(route, answer);
        assertError(route, answer, 400, 'INVALID_REQUEST');
      }
    }
  });

  test(`${kind} in a query answers 400`, async () => {
    const routes = allRoutes.filter(({ query }) => query);
    for (const route of routesInTurn(routes, index)) {
      for (const name of Object.keys(route.query?.properties ?? {})) {
        const request = requestTo(route, names);
        const query = { ...request.query, [name]: text };
        const target = targetOf(route, { ...request, query }, (value) => value);
        const answer = await clientOf(route).send(route.method, target);
        assertDeclared(route, answer);
        assertError({ ...route, id: `${route.id} ?${name}` }, answer, 400, 'INVALID_REQUEST');
      }
    }
  });
}

const ODD_NAMES = [
  ...["' or 1=1 --", '../../etc/passwd', '..%2f', '__proto__', 'constructor', 'toString', '%', '*', ' '],
  ...[
    'a'.repeat(499),
    'a'.repeat(4000),
    '٣',
    'ǅ',
    '🙂',
    '\r\nX-Header: 1',
    '${7*7',
    '{{7*7}}',
    '-1',
    'NaN',
    'null',
  ],
  ...['00000000-0000-0000-0000-000000000000', '99999999999999999999', '1e400', '{', '<script>'],
];

/** Number of odd names per place; they take turns, so that all routes together get each of them often. */
const ODD_NAMES_EACH = 3;

test('no odd name in a path or query causes an unexpected error', async () => {
  let turn = 0;
  const nextNames = () => {
    turn += ODD_NAMES_EACH - 1;
    return Array.from({ length: ODD_NAMES_EACH }, (_, n) => ODD_NAMES[(turn + n) % ODD_NAMES.length] ?? '');
  };
  for (const route of allRoutes.filter(({ params, query }) => params || query)) {
    const { body, params = {}, query = {} } = requestTo(route, names);
    const call = (request: RouteRequest) =>
      callRoute(clientOf(route), route, { ...(body ? { body } : {}), params, query, ...request });
    await Promise.all([
      ...Object.keys(params).flatMap((name) =>
        nextNames().map((odd) => call({ params: { ...params, [name]: odd } })),
      ),
      ...Object.keys(route.query?.properties ?? {}).flatMap((name) =>
        nextNames().map((odd) => call({ query: { ...query, [name]: odd } })),
      ),
    ]);
  }
});

test('a repeated query parameter causes no unexpected error', async () => {
  for (const route of allRoutes.filter(({ query }) => query)) {
    const { params } = requestTo(route, names);
    for (const name of Object.keys(route.query?.properties ?? {})) {
      const target = `${targetOf(route, params ? { params } : {})}?${name}=1&${name}=2&${name}[x]=3&__proto__=4`;
      assertDeclared(route, await clientOf(route).send(route.method, target));
    }
  }
});

test('an Idempotency-Key that cannot be stored answers 400', async () => {
  for (const route of allRoutes.filter(takesKey)) {
    for (const key of ['', 'x'.repeat(256)]) {
      const answer = await callRoute(clientOf(route), route, requestTo(route, names), {
        headers: { 'idempotency-key': key },
      });
      assertError(route, answer, 400, 'INVALID_REQUEST');
    }
  }
});

test('malformed requests changed nothing', async () => {
  const member = await createMember(tenant, [{ bu_id: names('unit'), role: 'viewer' }]);
  for (const path of [
    `/api/forms/${names('form')}`,
    `/api/form_themes/${names('theme')}`,
    `/api/webhooks/${names('webhook')}`,
  ])
    assert.equal((await member.api.get(path)).body.version, 1, path);
});
