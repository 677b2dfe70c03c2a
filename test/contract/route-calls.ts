import assert from 'node:assert/strict';
import { errorsOf } from '../../src/http/openapi.ts';
import type { Route } from '../../src/http/route.ts';
import type { Answer, CallOptions, Client } from '../harness/client.ts';
import type { RouteRequest } from './samples.ts';

/** Whether a call changes nothing: some that change something are GETs (docs/specification/campaigns.md#states). */
export function isRead({ method, handler }: Route): boolean {
  return method === 'GET' && handler !== undefined;
}

/** The path and query of a request to a route; `encode` writes each value. */
export function targetOf(
  route: Route,
  { params = {}, query = {} }: RouteRequest,
  encode: (value: string) => string = encodeURIComponent,
): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name) => encode(params[name] ?? 'absent'));
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encode(value)}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** Sends a request to a route; whatever comes back must be declared by the route's OpenAPI entry. */
export async function callRoute(
  client: Client,
  route: Route,
  request: RouteRequest = {},
  options: CallOptions = {},
): Promise<Answer> {
  const { body, upload } = request;
  const headers = { ...(upload ? { 'content-type': upload.type } : {}), ...options.headers };
  const sent = upload ? { rawBody: upload.text } : body && { body };
  const answer = await client.send(route.method, targetOf(route, request), { ...sent, ...options, headers });
  assertDeclared(route, answer);
  return answer;
}

/** The facts of an error body, in whichever envelope its route has. */
function errorIn(route: Pick<Route, 'envelope'>, answer: Answer): { code?: unknown; message?: unknown } {
  return (route.envelope === 'wrapped' ? answer.body?.error : answer.body) ?? {};
}

/** Fails for an answer that the route's OpenAPI entry does not declare, and for any unexpected error. */
export function assertDeclared(route: Route, answer: Answer): void {
  const told = `${route.id} answered ${answer.status}: ${answer.text.slice(0, 500)}`;
  assert.ok(answer.status < 500, told);
  if (answer.status === 200) return;
  const isPage = route.raw?.contentType === 'text/html' && answer.status === 404;
  const isDeclared = errorsOf(route).some(
    ({ status, code }) => status === answer.status && code === errorIn(route, answer).code,
  );
  assert.ok(isPage || isDeclared, `${told}, which is not declared`);
}

/** Fails unless the answer is this error in the route's shape (docs/specification/conventions.md#errors). */
export function assertError(
  route: Pick<Route, 'id' | 'envelope'>,
  answer: Answer,
  status: number,
  code: string,
): void {
  const told = `${route.id}: ${answer.text.slice(0, 500)}`;
  assert.equal(answer.status, status, told);
  const { code: found, message } = errorIn(route, answer);
  assert.equal(found, code, told);
  assert.equal(typeof message, 'string', told);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/, told);
}
