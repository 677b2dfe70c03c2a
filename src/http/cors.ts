/** Which pages of other origins may call a route and read its answer: a fact of the route. */
import { AppError } from '../errors/app-error.ts';
import { FORBIDDEN } from '../errors/platform-errors.ts';
import type { RequestContext } from './context.ts';
import type { RawReply, Route } from './route.ts';

/** From where pages may call a route. */
export interface Cors<Params> {
  /**
   * The origins as browsers write them, or `*`; null when no page may, and browsers are told nothing. What it throws is told to a
   * browser that asks beforehand; the call itself comes to it in its own turn.
   */
  readonly origins: (ctx: RequestContext, params: Params) => Promise<readonly string[] | null>;
  /** Answers name no origin, so that shared caches keep one for all pages. Only for `*`. */
  readonly isSameForAll?: true;
  /** Headers that a page may send, beyond the usual ones. */
  readonly requestHeaders?: readonly string[];
}

const USUAL_REQUEST_HEADERS: readonly string[] = [
  ...['authorization', 'content-type', 'idempotency-key', 'prefer', 'tessera-challenge', 'x-business-unit'],
];

/** For calls that bring a token: pages of the origins that the operator has named. */
export const operatorsOrigins: Cors<unknown> = {
  origins: async ({ platform }) => platform.config.corsOrigins,
};

/** Browsers keep what a preflight told them for so long. */
const PREFLIGHT_SECONDS = '600';

/**
 * Lets a page of another origin read whatever the call is answered, with `headers` of it. @throws AppError FORBIDDEN when it may not.
 */
export async function allowCall(
  cors: Cors<unknown>,
  ctx: RequestContext,
  readParams: () => unknown,
  headers: readonly { readonly name: string }[] = [],
): Promise<void> {
  if (!isForeignOrigin(ctx)) return;
  const ask = async () => cors.origins(ctx, readParams());
  const origins = await ask().catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  if (origins === null) return;
  allowOrigin(ctx, cors, origins);
  const readable = ['retry-after', 'warning', ...headers.map(({ name }) => name.toLowerCase())];
  ctx.setHeader('access-control-expose-headers', readable.join(', '));
}

/** Answers a browser that asks whether a page may call these routes, which share a path. */
export async function answerPreflight(
  routes: readonly Route[],
  ctx: RequestContext,
  params: unknown,
): Promise<RawReply> {
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
    throw new AppError(FORBIDDEN, { message: 'Pages of this origin may not call this.' });
  ctx.setHeader('access-control-allow-origin', origin);
  ctx.setHeader('vary', 'Origin');
}

/** Whether a page of another origin than the service's own asks. */
function isForeignOrigin({ client, platform }: RequestContext): boolean {
  const { origin, host } = client;
  if (origin === null) return false;
  const isOwn = URL.canParse(origin) && new URL(origin).host === host;
  return !isOwn && origin !== new URL(platform.publicUrl()).origin;
}
