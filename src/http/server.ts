/**
 * The HTTP server: every route of every feature, from credential to response, in the order that ARCHITECTURE.md
 * describes.
 */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { NOT_FOUND, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE } from '../errors/platform-errors.ts';
import { lazy } from '../lazy.ts';
import type { Platform } from '../platform.ts';
import { parseAnyBody } from './any-body.ts';
import { MAX_BODY_BYTES } from './body-limit.ts';
import { inBodyTurn } from './body-turns.ts';
import { ACCEPTED_CODINGS, decodedBody } from './content-coding.ts';
import type { AnyContext } from './context.ts';
import { discardBody } from './discard-body.ts';
import { answerMalformedHttp, envelopeByPath, observedError, routeIdOf } from './error-reply.ts';
import { ERROR_SHAPES, type ErrorShape } from './error-shapes.ts';
import { MERGE_PATCH, parseJsonBody } from './json-body.ts';
import { unknownNamesFinders } from './known-names.ts';
import { sendMissingPage, wantsPage } from './missing-page.ts';
import type { Route } from './route.ts';
import { RoutePaths } from './route-paths.ts';
import { baseContext, servePreflight, serveRoute } from './serve-route.ts';
import { endStalledWrites } from './stalled-writes.ts';
import type { Surface } from './surface.ts';
import { publicSurface, SURFACES, servingSurfaces } from './surfaces.ts';
import { countUnsent } from './unsent-responses.ts';
import { explainUnserved, type RecordPathCheck } from './unserved-requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the credential is accepted. */
    tessera: AnyContext | null;
    /** Size of the body, 0 until it was read. */
    bodyBytes: number;
  }
  /** Unset on unknown paths. */
  interface FastifyContextConfig {
    route?: Route;
    surface?: Surface;
  }
}

/** As long as a whole request line may be: an overlong name gets the same 404 as any unknown one. */
const MAX_PARAM_LENGTH = 16 * 1024;

/** How long a client may take to send a request, in ms: Node's own default, which Fastify would lift. */
const REQUEST_TIMEOUT_MS = 300_000;

/** Optional parts of a server. */
export interface ServerOptions {
  /** In the order in which a request is matched. */
  readonly surfaces?: readonly Surface[];
  readonly isRecordPath?: RecordPathCheck;
}

/** Builds the server with all routes; the caller starts and closes it. */
export function buildServer(
  platform: Platform,
  routes: readonly Route[],
  { surfaces = SURFACES, isRecordPath = async () => false }: ServerOptions = {},
): FastifyInstance {
  const { trustProxy } = platform.config;
  const paths = new RoutePaths(routes);
  const served = { platform, paths, isRecordPath };
  const surfaceOf = (request: IncomingMessage) =>
    surfaces.find((surface) => surface.takes(request, paths)) ?? publicSurface;
  const envelopeOf = envelopeByPath(routes);
  const refuse = async (thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { route, surface = surfaceOf(request.raw) } = request.routeOptions?.config ?? {};
    if (surface === publicSurface && wantsPage(thrown, request)) return sendMissingPage(platform, reply);
    const error = await explainUnserved(served, thrown, { request, reply, surface });
    for (const [name, value] of Object.entries(
      surface.responseHeaders?.forUnauthenticated(platform, request.raw) ?? {},
    ))
      if (!reply.hasHeader(name)) reply.header(name, value);
    const envelope = route ? (route.envelope ?? surface.envelope) : envelopeOf(request.url, surface);
    return answerError(platform, error, request, reply, ERROR_SHAPES[envelope]);
  };
  const server = Fastify({
    logger: false,
    schemaController: { compilersFactory: { buildSerializer: buildLazySerializers } },
    genReqId: () => randomUUID(),
    rewriteUrl: originForm,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // `true` trusts only the proxy that connects. Trusting the whole header would trust values that the client wrote.
    trustProxy: trustProxy === true ? (_address, hop) => hop === 0 : trustProxy && [...trustProxy],
    routerOptions: {
      maxParamLength: MAX_PARAM_LENGTH,
      ignoreTrailingSlash: true,
      constraints: { surface: bySurface((request) => surfaceOf(request).name) },
    },
    // While draining, requests on open connections are still answered, with `Connection: close`.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      void refuse(error, request, reply);
    },
    clientErrorHandler: answerMalformedHttp,
  });
  server.decorateRequest('tessera', null);
  server.decorateRequest('bodyBytes', 0);
  parseBodies(platform, server);
  server.setErrorHandler(refuse);
  server.setNotFoundHandler((request, reply) => refuse(new AppError(NOT_FOUND), request, reply));
  // Callbacks, as a promise for each hook of each request would cost more than the hooks.
  server.addHook('onRequest', (request, reply, done) => {
    if (request.is404)
      authenticateUnknown(platform, surfaceOf(request.raw), request, reply).then(() => done(), done);
    else done();
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (platform.drain.started) reply.header('connection', 'close');
    done(null, payload);
  });
  // Last, as counted bytes must be sent.
  server.addHook('onSend', (request, reply, payload, done) => {
    const counted = countUnsent(platform, request, reply, payload);
    if (counted instanceof AppError) done(counted);
    else done(null, counted);
  });
  server.addHook('onResponse', (request, reply, done) => {
    observeResponse(platform, request, reply);
    done();
  });
  addRoutes(server, platform, routes);
  endStalledWrites(server.server, platform.config.stalledWriteSeconds * 1000);
  return server;
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)([^#]*)/i;

/**
 * Returns the path and query of a request line with an absolute URL, as clients of proxies send it (RFC 9112, section
 * 3.2.2).
 */
function originForm({ url = '/', headers }: IncomingMessage): string {
  const [, host, rest = ''] = ABSOLUTE_FORM.exec(url) ?? [];
  if (host === undefined) return url;
  headers.host = host;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const buildSerializers = SerializerSelector();

/** Fastify's own serializers, each compiled by the first response that needs it instead of at startup. */
function buildLazySerializers(...settings: Parameters<typeof buildSerializers>) {
  const compile = buildSerializers(...settings);
  return (route: Parameters<typeof compile>[0]) => {
    const serializer = lazy(() => compile(route));
    return (answer: unknown) => serializer()(answer);
  };
}

function addRoutes(server: FastifyInstance, platform: Platform, routes: readonly Route[]): void {
  const finderOf = unknownNamesFinders(routes);
  const add = (scope: FastifyInstance, route: Route) => {
    for (const surface of servingSurfaces(route))
      scope.route(serveRoute(platform, route, surface, finderOf(route, surface)));
  };
  for (const route of routes) if (!route.upload) add(server, route);
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const route of routes) if (route.upload) add(scope, route);
  });
  const corsRoutes = Map.groupBy(
    routes.filter(({ cors }) => cors),
    ({ path }) => path,
  );
  for (const [first, ...others] of corsRoutes.values())
    if (first) server.route(servePreflight(platform, [first, ...others]));
}

/** Lets several surfaces serve one path: a request matches only routes of the surface that takes it. */
function bySurface(surfaceOf: (request: IncomingMessage) => string) {
  return {
    name: 'surface',
    storage: <Handler>() => {
      const handlers = new Map<unknown, Handler>();
      return {
        get: (surface: unknown) => handlers.get(surface) ?? null,
        set: (surface: unknown, handler: Handler) => {
          handlers.set(surface, handler);
        },
      };
    },
    validate: () => {},
    deriveConstraint: surfaceOf,
  };
}

function parseBodies(platform: Platform, server: FastifyInstance): void {
  server.addHook('preParsing', (request, reply, payload, done) => {
    // Without a body there is nothing to decode.
    if (request.routeOptions.config.route?.upload || !hasBody(request.raw)) return done(null, payload);
    try {
      done(null, decodedBody(request.raw, request.headers['content-encoding']));
    } catch (error) {
      reply.header('accept-encoding', ACCEPTED_CODINGS);
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
  server.removeAllContentTypeParsers();
  const parse = (contentType: string, parser: BodyParser) =>
    server.addContentTypeParser(
      contentType,
      { parseAs: 'buffer' },
      (request: FastifyRequest, body: Buffer) => {
        request.bodyBytes = body.length;
        return inBodyTurn(platform, request, () => parser(request, body));
      },
    );
  parse('application/json', parseJson);
  parse('*', (request, body) => {
    const { route } = request.routeOptions.config;
    if (route?.method === 'PATCH' && isMergePatch(request)) return parseJson(request, body);
    if (route?.takesAnyBody) return parseAnyBody(body, request.headers['content-type']);
    // Clients name a type even when they send nothing.
    if (body.length > 0 && !route?.ignoresBody) throw new AppError(UNSUPPORTED_MEDIA_TYPE);
    return undefined;
  });
}

type BodyParser = (request: FastifyRequest, body: Buffer) => unknown;

function parseJson({ routeOptions, headers }: FastifyRequest, body: Buffer): unknown {
  return parseJsonBody(body, routeOptions.config.route?.invalid, headers['content-type']);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isMergePatch({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() === MERGE_PATCH;
}

/** An unknown path reveals no more to a stranger than a known one of the same surface: 401 first. */
async function authenticateUnknown(
  platform: Platform,
  surface: Surface,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  request.tessera = await surface.authenticate(request, baseContext(platform, request, reply), {
    access: 'member',
  });
}

async function answerError(
  platform: Platform,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  shape: ErrorShape,
): Promise<void> {
  const error = observedError(platform, thrown, request);
  if (error.definition === PAYLOAD_TOO_LARGE) await discardBody(request.raw);
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
  reply.status(error.definition.status).header('content-type', 'application/json; charset=utf-8');
  await reply.send(JSON.stringify(shape.toBody(error, request.id)));
}

function observeResponse(platform: Platform, request: FastifyRequest, reply: FastifyReply): void {
  const { tessera: ctx, id: requestId } = request;
  const tenantId = ctx && request.routeOptions.config.surface?.identify(ctx).tenantId;
  platform.observe({
    event: 'http.answered',
    route: routeIdOf(request),
    method: request.method,
    status: reply.statusCode,
    seconds: reply.elapsedTime / 1000,
    requestId,
    ...(tenantId ? { tenantId } : {}),
  });
}
