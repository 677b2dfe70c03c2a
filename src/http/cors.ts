/** CORS: the origins whose pages may call a route and read its response, declared by the route. */
import { AppError } from '../errors/app-error.ts';
import { FORBIDDEN } from '../errors/platform-errors.ts';
import type { RequestContext } from './context.ts';

/** The origins from which pages may call a route. */
export interface Cors<Params> {
  /**
   * Returns the allowed origins as browsers send them, or `*`; null if no page may call. A thrown error is the response
   * to a preflight; the call itself goes through the usual checks.
   */
  readonly origins: (ctx: RequestContext, params: Params) => Promise<readonly string[] | null>;
  /** Responses name `*` instead of the origin, so that shared caches store one response for all pages. */
  readonly isSameForAll?: true;
  /** Request headers that a page may send, in addition to the usual ones. */
  readonly requestHeaders?: readonly string[];
}

/** A route that pages may call. */
interface CorsRoute {
  readonly method: string;
  readonly cors?: Cors<unknown>;
}

/** The answer to a preflight request. */
interface PreflightReply {
  readonly status: 204;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: '';
}

const USUAL_REQUEST_HEADERS: readonly string[] = [
  ...['authorization', 'content-type', 'idempotency-key', 'prefer', 'tessera-challenge', 'x-business-unit'],
];

/** CORS of calls with a token: pages of the origins that the operator configured (CORS_ORIGINS). */
export const configuredOrigins: Cors<unknown> = {
  origins: async ({ platform }) => platform.config.corsOrigins,
};

/** How long browsers may cache a preflight response. */
const PREFLIGHT_SECONDS = '600';

/**
 * Lets a page of another origin read the response and these `headers` of it. @throws AppError FORBIDDEN if the origin
 * is not allowed.
 */
export async function allowCall(
  cors: Cors<unknown>,
  ctx: RequestContext,
  readParams: () => unknown,
  headers: readonly { readonly name: string }[] = [],
): Promise<void> {
  if (!isForeignOrigin(ctx)) return;
  const readOrigins = async () => cors.origins(ctx, readParams());
  const origins = await readOrigins().catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  if (origins === null) return;
  allowOrigin(ctx, cors, origins);
  const readable = ['retry-after', 'warning', ...headers.map(({ name }) => name.toLowerCase())];
  ctx.setHeader('access-control-expose-headers', readable.join(', '));
}

/** Answers a browser's preflight request for routes that share a path. */
export async function answerPreflight(
  routes: readonly CorsRoute[],
  ctx: RequestContext,
  params: unknown,
): Promise<PreflightReply> {
  for (const { cors } of routes) {
    const origins = (await cors?.origins(ctx, params)) ?? null;
    if (cors && origins !== null) allowOrigin(ctx, cors, origins);
  }
  const headers = {
    'access-control-allow-methods': routes.map(({ method }) => method).join(', '),
    'access-control-allow-headers': [
      ...USUAL_REQUEST_HEADERS,
      ...routes.flatMap(({ cors }) => cors?.requestHeaders ?? []),
    ].join(', '),
    'access-control-max-age': PREFLIGHT_SECONDS,
  };
  return { status: 204, headers, body: '' };
}

function allowOrigin(ctx: RequestContext, cors: Cors<unknown>, origins: readonly string[]): void {
  const { origin } = ctx.client;
  if (cors.isSameForAll) ctx.setHeader('access-control-allow-origin', '*');
  if (cors.isSameForAll || origin === null) return;
  if (isForeignOrigin(ctx) && !origins.includes('*') && !origins.includes(origin))
    throw new AppError(FORBIDDEN, { message: 'Pages of this origin may not call this route.' });
  ctx.setHeader('access-control-allow-origin', origin);
  ctx.setHeader('vary', 'Origin');
}

/** True if the request comes from a page of another origin than the service's own. */
function isForeignOrigin({ client, platform }: RequestContext): boolean {
  const { origin, host } = client;
  if (origin === null) return false;
  const isOwn = URL.canParse(origin) && new URL(origin).host === host;
  return !isOwn && origin !== new URL(platform.publicUrl()).origin;
}
