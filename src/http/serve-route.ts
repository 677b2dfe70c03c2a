/** Serves one route on one surface, from the credential to the response. */

import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { runAs } from '../db/work-kind.ts';
import { invalidRequest } from '../errors/platform-errors.ts';
import { CHAIN_HEADER, readChainHeader } from '../flows/chain.ts';
import type { Platform } from '../platform.ts';
import { reserveBodyMemory } from './body-memory.ts';
import { inBodyTurn } from './body-turns.ts';
import { TaggedResponse, tagReply } from './conditional-reads.ts';
import type { AnyContext, RequestContext } from './context.ts';
import { allowCall, answerPreflight } from './cors.ts';
import { observedError } from './error-reply.ts';
import { ERROR_SHAPES } from './error-shapes.ts';
import { sendEvents } from './event-stream.ts';
import { runOnce, takesKey } from './idempotency.ts';
import { JsonText } from './json-text.ts';
import { readDespiteUnknown, type UnknownNamesFinder, wantsStrict } from './known-names.ts';
import { LargeResponse } from './large-response.ts';
import { rateLimits } from './rate-limits.ts';
import { inputReader, paramsReader } from './request-input.ts';
import type { RawReply, Route, RouteInput, StreamReply } from './route.ts';
import { servesHead } from './route-paths.ts';
import { runRoute, type WriteHooks } from './run-route.ts';
import type { Surface } from './surface.ts';
import { requireResponseMemory } from './unsent-responses.ts';
import { updateRunner } from './updates.ts';

const CHAIN = CHAIN_HEADER.toLowerCase();

/** Returns the Fastify options that serve a route on a surface. */
export function serveRoute(
  platform: Platform,
  route: Route,
  surface: Surface,
  findUnknown: UnknownNamesFinder,
): RouteOptions {
  return {
    method: route.method,
    url: toUrl(route),
    config: { route, surface },
    exposeHeadRoute: servesHead(route),
    ...(route.maxBodyBytes === undefined ? {} : { bodyLimit: route.maxBodyBytes }),
    // A route without a credential accepts every request, whatever credential it carries.
    ...(surface.security === null ? {} : { constraints: { surface: surface.name } }),
    ...(route.reply ? { schema: { response: { [successOf(route)]: route.reply } } } : {}),
    ...(isUnrestricted(route, surface)
      ? serveDirectly(platform, route)
      : serveInSteps(platform, route, surface, findUnknown)),
  };
}

/** Returns the Fastify options that response preflight requests for routes that share a path. */
export function servePreflight(platform: Platform, routes: readonly [Route, ...Route[]]): RouteOptions {
  const [first] = routes;
  const readParams = paramsReader(first);
  return {
    method: 'OPTIONS',
    url: toUrl(first),
    config: { route: { ...first, id: `${first.id} preflight`, ignoresBody: true } },
    handler: async (request, reply) => {
      const ctx = baseContext(platform, request, reply);
      return sendRaw(reply, await answerPreflight(routes, ctx, readParams(request)));
    },
  };
}

/** The context of a request before authentication. */
export function baseContext(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
): RequestContext {
  return {
    platform,
    requestId: request.id,
    now: platform.clock(),
    method: request.method,
    url: request.url,
    headers: request.headers,
    client: {
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
      origin: request.headers.origin ?? null,
      host: request.host,
    },
    setHeader: (name, value) => {
      reply.header(name, value);
    },
    disconnectSignal: () => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      if (reply.raw.destroyed) gone.abort();
      return gone.signal;
    },
  };
}

/** The status of a success. */
function successOf({ status }: Route): number {
  return status ?? 200;
}

function toUrl({ path, endsWithRest }: Route): string {
  const start = endsWithRest ? path.replace(/\{\w+\}$/, '*') : path;
  return start.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** True for a page or an image without credential, limit and body. */
function isUnrestricted({ raw, cors, rateLimit, body }: Route, { security }: Surface): boolean {
  return security === null && raw !== undefined && !cors && !rateLimit && !body;
}

/** For routes on the hot path, such as the pixel of every opened message: avoids unnecessary promises. */
function serveDirectly(platform: Platform, route: Route): Pick<RouteOptions, 'handler'> {
  const readInput = inputReader(route);
  return {
    handler: (request, reply) => {
      const ctx = baseContext(platform, request, reply);
      requireResponseMemory(platform, request);
      const result = runRoute(route, ctx, readInput(request, ctx.now));
      if (result instanceof Promise) return result.then((later) => toResponse(ctx, reply, route, later));
      toResponse(ctx, reply, route, result);
    },
  };
}

function serveInSteps(
  platform: Platform,
  route: Route,
  surface: Surface,
  findUnknown: UnknownNamesFinder,
): Pick<RouteOptions, 'onRequest' | 'handler'> {
  const { cors, rateLimit } = route;
  const readParams = paramsReader(route);
  const readInput = inputReader(route);
  const countCall = rateLimits(platform);
  const run = route.updates?.current
    ? updateRunner(route)
    : (ctx: AnyContext, input: RouteInput, hooks: WriteHooks) => runRoute(route, ctx, input, hooks);
  const { workKind = 'request', isForSessions = false } = surface;
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const ctx = request.tessera;
    if (ctx === null) throw new Error(`Route ${route.id} ran without a context.`);
    if (route.returnsSecrets) reply.header('cache-control', 'no-store');
    const before = () => requireResponseMemory(platform, request);
    before();
    if (wantsStrict(request)) reply.header('preference-applied', 'handling=strict');
    const read = () => readInput(request, ctx.now);
    const found = await inBodyTurn(platform, request, () => findUnknown(request));
    const input =
      found.length === 0
        ? await inBodyTurn(platform, request, read)
        : await readDespiteUnknown({ route, ctx, request, reply, found }, read);
    if (wantsEvents(route, request)) return answerWithEvents(route, surface, ctx, input, request, reply);
    const key = request.headers['idempotency-key'];
    if (!takesKey(route) || key === undefined)
      return toResponse(ctx, reply, route, await run(ctx, input, { before }));
    const call = { key: String(key), url: `POST ${request.url}`, identity: surface.identify(ctx), before };
    return toResponse(ctx, reply, route, await runOnce(route, ctx, input, call));
  };
  return {
    onRequest: async (request, reply) => {
      const base = baseContext(platform, request, reply);
      // First, so that a page can read an authentication error, too.
      if (cors && base.client.origin !== null && !isForSessions)
        await allowCall(cors, base, () => readParams(request), surface.responseHeaders?.described);
      const ctx = await surface.authenticate(request, base, route);
      if (rateLimit) {
        const identity = surface.identify(ctx);
        const { ip: address, params } = request;
        await countCall(route.id, rateLimit, { identity, address, params, isOfSession: isForSessions });
      }
      const { tenantId } = surface.identify(ctx);
      if (route.maxBodyBytes !== undefined && tenantId)
        await reserveBodyMemory(platform, route.maxBodyBytes, tenantId, request, reply);
      request.tessera = ctx;
    },
    handler: (request, reply) => {
      const cause = readChainHeader(platform.tokens, request.headers[CHAIN], platform.clock());
      return runAs(workKind, () => answer(request, reply), cause);
    },
  };
}

function wantsEvents({ events, reply }: Route, { headers }: FastifyRequest): boolean {
  return (
    events !== undefined && (reply === undefined || headers.accept?.includes('text/event-stream') === true)
  );
}

/** @throws AppError INVALID_REQUEST for an Idempotency-Key, as a stream cannot be stored and repeated. */
async function answerWithEvents(
  { id, events, envelope, eventsEnd }: Route,
  surface: Surface,
  ctx: AnyContext,
  input: RouteInput,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!events) throw new Error(`Route ${id} has no events.`);
  if (request.headers['idempotency-key'] !== undefined)
    throw invalidRequest([{ field: 'Idempotency-Key', message: 'is not allowed for a stream of events' }]);
  const describe = (thrown: unknown) =>
    ERROR_SHAPES[envelope ?? surface.envelope].toBody(
      observedError(ctx.platform, thrown, request),
      request.id,
    );
  const open = (signal: AbortSignal) => events(ctx, input, signal);
  return sendEvents(ctx.platform, reply, { open, describe, endsByItself: eventsEnd === true });
}

/** Sends raw responses unchanged and large responses in chunks; Fastify serializes the rest. */
function toResponse(ctx: RequestContext, reply: FastifyReply, route: Route, result: unknown): unknown {
  if (result instanceof LargeResponse) return result.send(ctx.platform, reply);
  if (result instanceof TaggedResponse && tagReply(ctx, reply, result)) return reply.status(304).send();
  const body = result instanceof TaggedResponse ? result.body : result;
  reply.status(successOf(route));
  if (body instanceof JsonText)
    return reply.header('content-type', 'application/json; charset=utf-8').send(body.text);
  return isRawReply(route, body) ? sendRaw(reply, body) : body;
}

function isRawReply(route: Route, _response: unknown): _response is RawReply | StreamReply {
  return route.raw !== undefined;
}

function sendRaw(reply: FastifyReply, raw: RawReply | StreamReply): FastifyReply {
  reply.status(raw.status).headers(raw.headers);
  // An empty body would get a Content-Length of 0 instead of the whole response's length (RFC 9110, section 8.6).
  return raw.status === 304 ? reply.send() : reply.send(raw.body);
}
