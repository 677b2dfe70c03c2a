import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { bearerSurface } from '../../src/http/bearer-surface.ts';
import { errorsOf } from '../../src/http/error-responses.ts';
import { ERROR_SHAPES } from '../../src/http/error-shapes.ts';
import type { Route } from '../../src/http/route.ts';
import { sessionSurface } from '../../src/http/session-surface.ts';
import { surfacesOf } from '../../src/http/surfaces.ts';
import { errorsBehind } from '../harness/app-errors.ts';
import { signInBrowser } from '../harness/browser-session.ts';
import type { Answer, CallOptions, Client } from '../harness/client.ts';
import { signIn } from '../harness/members.ts';
import type { TestApp, TestTenant } from '../harness/test-app.ts';
import type { RouteRequest } from './world.ts';

/** Returns true if a call changes nothing. Some GETs do change something (docs/specification/campaigns.md#states). */
export function isRead({ method, handler }: Route): boolean {
  return method === 'GET' && handler !== undefined;
}

/** Returns the path and query of a request to a route; `encode` writes each value. */
export function targetOf(
  route: Route,
  { params = {}, query = {} }: RouteRequest,
  encode: (value: string) => string = encodeURIComponent,
): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name) => encode(params[name] ?? 'absent'));
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encode(value)}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/**
 * Returns pairs of a route and one of these values, such as credentials. Code that all routes share checks them: if
 * there are many routes, each gets one value in turn.
 */
export function inTurn<T>(routes: readonly Route[], values: readonly T[]): (readonly [Route, T])[] {
  const isLarge = routes.length > 2 * values.length;
  return routes.flatMap((route, index) =>
    values.filter((_, n) => !isLarge || n === index % values.length).map((value) => [route, value] as const),
  );
}

/** Sends a request to a route and checks that the route's OpenAPI entry declares the response. */
export async function callRoute(
  client: Client,
  route: Route,
  request: RouteRequest = {},
  options: CallOptions = {},
): Promise<Answer> {
  const { body, upload } = request;
  const headers = {
    ...(upload ? { 'content-type': upload.type } : {}),
    ...request.headers,
    ...options.headers,
  };
  const sent = upload ? { rawBody: upload.text } : body && { body };
  const answer = await client.send(route.method, targetOf(route, request), { ...sent, ...options, headers });
  assertDeclared(route, answer);
  return answer;
}

/**
 * Sends the head of a request with a Content-Length, and nothing of the body. Returns the response, which must be JSON.
 */
export async function announceBody(
  { url, headers }: Client,
  route: Route,
  request: RouteRequest,
  bytes: number,
): Promise<Answer> {
  const call = http.request(url + targetOf(route, request), {
    method: route.method,
    headers: {
      'content-type': route.upload?.contentTypes[0] ?? 'application/json',
      ...headers,
      ...request.headers,
      'content-length': bytes,
    },
  });
  call.flushHeaders();
  const [response] = await once(call, 'response');
  const answered = await text(response);
  call.destroy();
  const { 'content-type': type = '' } = response.headers;
  return {
    status: response.statusCode,
    headers: new Headers({ 'content-type': type }),
    text: answered,
    body: JSON.parse(answered),
  };
}

/** Clients of one member: with an API key, and with an access token. */
export interface Credentials {
  readonly api: Client;
  readonly bearer: Client;
}

/** All clients of one member: also in a browser. */
export interface SignedInCredentials extends Credentials {
  readonly session: Client;
}

/** Signs in the user of an API key. */
export async function credentialsOf(user: {
  readonly api: Client;
  readonly email: string;
}): Promise<SignedInCredentials> {
  const { bearer } = await signIn(user.api, user.email);
  const { page: session } = await signInBrowser(user.api, user.email);
  return { api: user.api, bearer, session };
}

/** Returns the clients of a tenant's owner. */
export function ownerOf({ api, ownerEmail: email }: TestTenant): Promise<SignedInCredentials> {
  return credentialsOf({ api, email });
}

/** Returns true if the route is for signed-in users. */
export function isForPeople(route: Route): boolean {
  return surfacesOf(route).includes(bearerSurface);
}

/** Returns the client with the credential that the route requires. */
export function clientOf(route: Route, { api, bearer }: Credentials): Client {
  return isForPeople(route) ? bearer : api;
}

/** Returns a function that picks the client for a route: a member's, the operator's, or one without a credential. */
export function clientsOf(
  { anonymous, admin }: Pick<TestApp, 'anonymous' | 'admin'>,
  member: SignedInCredentials,
): (route: Route) => Client {
  return (route) => {
    if (surfacesOf(route).includes(sessionSurface)) return member.session;
    if (route.access === 'public') return anonymous;
    return route.access === 'operator' ? admin : clientOf(route, member);
  };
}

/** The part of a route that determines the shape of its errors. */
type Shaped = Pick<Route, 'envelope'> & Partial<Pick<Route, 'access' | 'surfaces'>>;

function shapeOf({ envelope, access = 'public', surfaces }: Shaped) {
  const [surface] = surfacesOf(surfaces ? { access, surfaces } : { access });
  return envelope ?? surface?.envelope ?? 'plain';
}

/** Returns the fields of an error body, in the route's envelope. */
function errorIn(route: Shaped, { body }: Answer): { code?: unknown; message?: unknown } {
  switch (shapeOf(route)) {
    case 'wrapped':
      return body?.error ?? {};
    case 'entity':
      return { code: body?.error, message: body?.message };
    default:
      return body ?? {};
  }
}

/** Fails if the route's OpenAPI entry does not declare the response, and for any unexpected error. */
export function assertDeclared(route: Route, answer: Answer): void {
  const details = `${route.id} answered ${answer.status}: ${answer.text.slice(0, 500)}`;
  assert.ok(answer.status < 500, `${details}\n${errorsBehind(answer)}`);
  if (answer.status === (route.status ?? 200)) return;
  // A page may lead to another one, such as the sign-in.
  const isPage = route.raw?.contentType === 'text/html' && [303, 404].includes(answer.status);
  const { codeOf } = ERROR_SHAPES[shapeOf(route)];
  const isDeclared = errorsOf(route).some(
    (error) => error.status === answer.status && codeOf(error) === errorIn(route, answer).code,
  );
  assert.ok(isPage || isDeclared, `${details}, which is not declared`);
}

/** Fails unless the response is this error in the route's shape (docs/specification/conventions.md#errors). */
export function assertError(
  route: Pick<Route, 'id'> & Shaped,
  answer: Answer,
  status: number,
  code: string,
): void {
  const details = `${route.id}: ${answer.text.slice(0, 500)}`;
  assert.equal(answer.status, status, details);
  const { code: found, message } = errorIn(route, answer);
  assert.equal(found, ERROR_SHAPES[shapeOf(route)].codeOf({ code, status, message: '' }), details);
  assert.equal(typeof message, 'string', details);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/, details);
}
