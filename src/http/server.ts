/** The HTTP server: every route of every feature, from credential to answer, in the order ARCHITECTURE.md tells. */
import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteOptions,
} from 'fastify';
import { AppError, type ErrorDefinition } from '../errors/app-error.ts';
import {
  INVALID_REQUEST,
  invalidRequest,
  NOT_FOUND,
  PAYLOAD_TOO_LARGE,
  UNSUPPORTED_MEDIA_TYPE,
} from '../errors/platform-errors.ts';
import type { Platform } from '../platform.ts';
import type { RequestContext } from './context.ts';
import { discardBody } from './discard-body.ts';
import { answerBrokenHttp, envelopeByPath, toAppError, toErrorBody } from './error-reply.ts';
import { runOnce } from './idempotency.ts';
import { checkText, MAX_BODY_BYTES, parseJsonBody } from './json-body.ts';
import { rateLimits } from './rate-limits.ts';
import type { AnyContext, ErrorEnvelope, RawReply, Route, RouteInput } from './route.ts';
import { runRoute } from './run-route.ts';
import { authenticatorFor } from './surfaces.ts';
import { type Check, compileBodyCheck, compileParameterCheck } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the credential is accepted. */
    tessera: AnyContext | null;
  }
  interface FastifyContextConfig {
    routeId?: string;
    /** The code of a malformed body. */
    invalid?: ErrorDefinition;
    envelope?: ErrorEnvelope;
    ignoresBody?: boolean;
  }
}

/** As long as a whole request line may be: a route answers an overlong name as any other that does not exist. */
const MAX_PARAM_LENGTH = 16 * 1024;

/** How long a client may take to send a request, milliseconds: Node's own bound, which Fastify lifts unless told. */
const REQUEST_TIMEOUT_MS = 300_000;

/** Builds the server with all routes; the caller listens and closes. */
export function buildServer(platform: Platform, routes: readonly Route[]): FastifyInstance {
  const { trustProxy } = platform.config;
  const envelopeOf = envelopeByPath(routes);
  const refuse = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const envelope = request.routeOptions?.config?.envelope ?? envelopeOf(request.url);
    return answerError(platform, thrown, request, reply, envelope);
  };
  const server = Fastify({
    logger: false,
    genReqId: () => randomUUID(),
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // `true` is the one proxy that connects. Trusting all that the header names would trust what the client wrote there.
    trustProxy: trustProxy === true ? (_address, hop) => hop === 0 : trustProxy && [...trustProxy],
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: true },
    // While draining, requests on open connections are still answered, with `Connection: close`.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      refuse(error, request, reply);
    },
    clientErrorHandler: answerBrokenHttp,
  });
  server.decorateRequest('tessera', null);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => parseJsonBody(body, request.routeOptions.config.invalid),
  );
  server.setErrorHandler(refuse);
  server.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    // Clients name a type even when they send nothing.
    if (body.length > 0 && request.routeOptions.config.ignoresBody !== true)
      throw new AppError(UNSUPPORTED_MEDIA_TYPE);
  });
  server.setNotFoundHandler((request, reply) => refuse(new AppError(NOT_FOUND), request, reply));
  // With callbacks, as a promise for each hook of each request would cost more than the hooks.
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) authenticateUnknown(platform, request).then(() => done(), done);
    else done();
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (platform.drain.started) reply.header('connection', 'close');
    done(null, payload);
  });
  server.addHook('onResponse', (request, reply, done) => {
    observeAnswer(platform, request, reply);
    done();
  });
  for (const route of routes) register(server, platform, route);
  return server;
}

/** An unknown path under /api or /admin tells a stranger no more than a known one: 401 first. */
async function authenticateUnknown(platform: Platform, request: FastifyRequest): Promise<void> {
  const surface = /^\/(api|admin)(?:[/?]|$)/.exec(request.url)?.[1];
  if (surface === undefined) return;
  const access = surface === 'admin' ? 'operator' : 'member';
  await authenticatorFor(access)(request, baseContext(platform, request), access);
}

function register(server: FastifyInstance, platform: Platform, route: Route): void {
  const invalid = route.invalid ?? INVALID_REQUEST;
  server.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: {
      routeId: route.id,
      invalid,
      envelope: route.envelope ?? 'plain',
      ignoresBody: route.ignoresBody ?? false,
    },
    exposeHeadRoute: route.method === 'GET',
    ...(route.reply ? { schema: { response: { 200: route.reply } } } : {}),
    ...(asksForNothing(route) ? answerAtOnce(platform, route) : answerInTurn(platform, route, invalid)),
  });
}

/** Whether nothing stands before the handler of a page or an image: no credential, no limit, no body. */
function asksForNothing({ access, raw, before, rateLimit, body }: Route): boolean {
  return access === 'public' && raw !== undefined && !before && !rateLimit && !body;
}

/** For routes on the hot path, such as the pixel of every message that is opened: no promise that nobody needs. */
function answerAtOnce(platform: Platform, route: Route): Pick<RouteOptions, 'handler'> {
  const readInput = inputReader(route, INVALID_REQUEST);
  return {
    handler: (request, reply) => {
      const answer = runRoute(route, baseContext(platform, request, reply), readInput(request));
      if (answer instanceof Promise)
        return answer.then((later) => (isRawReply(route, later) ? sendRaw(reply, later) : later));
      if (isRawReply(route, answer)) sendRaw(reply, answer);
    },
  };
}

function answerInTurn(
  platform: Platform,
  route: Route,
  invalid: ErrorDefinition,
): Pick<RouteOptions, 'onRequest' | 'handler'> {
  const checkParams = route.params ? compileParameterCheck(route.params, INVALID_REQUEST) : null;
  const readInput = inputReader(route, invalid);
  const authenticate = authenticatorFor(route.access);
  const countCall = rateLimits(platform);
  return {
    onRequest: async (request, reply) => {
      const ctx = await authenticate(request, baseContext(platform, request, reply), firstAccess(route));
      if (route.before) await route.before(ctx, checkParams ? checkStrings(checkParams, request.params) : {});
      if (route.rateLimit) await countCall(route.id, route.rateLimit, ctx, request.params);
      request.tessera = ctx;
    },
    handler: async (request, reply) => {
      const ctx = request.tessera;
      if (ctx === null) throw new Error(`Route ${route.id} ran without a context.`);
      const input = readInput(request);
      const key = request.headers['idempotency-key'];
      const isOnce = route.method === 'POST' && key !== undefined && route.reply !== undefined;
      const answer = isOnce
        ? await runOnce(route, ctx, input, String(key), `${route.method} ${request.url}`)
        : await runRoute(route, ctx, input);
      return isRawReply(route, answer) ? sendRaw(reply, answer) : answer;
    },
  };
}

function inputReader(route: Route, invalid: ErrorDefinition): (request: FastifyRequest) => RouteInput {
  const checkParams = route.params ? compileParameterCheck(route.params, INVALID_REQUEST) : null;
  const checkQuery = route.query ? compileParameterCheck(route.query, INVALID_REQUEST) : null;
  const checkBody = route.body ? compileBodyCheck(route.body, invalid) : null;
  return (request) => ({
    params: checkParams ? checkStrings(checkParams, request.params) : {},
    query: checkQuery ? checkStrings(checkQuery, readQuery(request)) : {},
    body: checkBody ? checkBody(request.body) : undefined,
  });
}

/**
 * What is asked of the caller before anything is looked up. On a record's own path the role is a matter of the
 * record's unit, and only the use case knows whether the caller may know that the record exists.
 */
function firstAccess(route: Route): Route['access'] {
  const isRoleInUnit = route.access === 'editor' || route.access === 'admin';
  return isRoleInUnit && route.params !== undefined ? 'member' : route.access;
}

/** The query's values. What is no percent-encoded UTF-8 would stay as it was written, so it is refused here. */
function readQuery(request: FastifyRequest): unknown {
  const start = request.url.indexOf('?');
  try {
    if (start >= 0) decodeURIComponent(request.url.slice(start + 1));
  } catch {
    throw invalidRequest([{ message: 'The query is not percent-encoded UTF-8.' }]);
  }
  return request.query;
}

function checkStrings(check: Check, values: unknown): unknown {
  for (const [name, value] of Object.entries(values ?? {})) {
    for (const text of Array.isArray(value) ? value : [value]) checkText(String(text), name);
  }
  return check(values);
}

function isRawReply(route: Route, _answer: unknown): _answer is RawReply {
  return route.raw !== undefined;
}

function sendRaw(reply: FastifyReply, answer: RawReply): FastifyReply {
  return reply.status(answer.status).headers(answer.headers).send(answer.body);
}

function baseContext(platform: Platform, request: FastifyRequest, reply?: FastifyReply): RequestContext {
  return {
    platform,
    requestId: request.id,
    now: platform.clock(),
    method: request.method,
    headers: request.headers,
    client: {
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
      origin: request.headers.origin ?? null,
      host: request.host,
    },
    setHeader: (name, value) => {
      reply?.header(name, value);
    },
  };
}

async function answerError(
  platform: Platform,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  envelope: ErrorEnvelope,
): Promise<void> {
  const error = toAppError(thrown);
  if (error.definition === PAYLOAD_TOO_LARGE) await discardBody(request.raw);
  if (error.definition.status >= 500) {
    const route = request.routeOptions?.config?.routeId ?? 'unknown';
    platform.observe({ event: 'http.failed', route, requestId: request.id, error: thrown });
  }
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
  reply.status(error.definition.status).header('content-type', 'application/json; charset=utf-8');
  await reply.send(JSON.stringify(toErrorBody(error, request.id, envelope)));
}

function observeAnswer(platform: Platform, request: FastifyRequest, reply: FastifyReply): void {
  const ctx = request.tessera;
  platform.observe({
    event: 'http.answered',
    route: request.routeOptions.config.routeId ?? 'unknown',
    method: request.method,
    status: reply.statusCode,
    seconds: reply.elapsedTime / 1000,
    requestId: request.id,
    ...(ctx && 'caller' in ctx ? { tenantId: ctx.caller.tenantId } : {}),
  });
}
