/**
 * Protection against calls that other sites make with a user's cookie (docs/specification/browser-sessions.md#csrf).
 */
import { createHmac } from 'node:crypto';
import { AppError } from '../errors/app-error.ts';
import { CSRF_REJECTED } from '../errors/platform-errors.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { digestsEqual } from '../secrets/api-keys.ts';
import { decodeBase64Url } from '../secrets/base64url.ts';
import { deriveKeys } from '../secrets/derived-key.ts';
import type { RequestContext } from './context.ts';
import type { AuthenticatedRoute } from './surface.ts';

const keysOf = oncePerPlatform(({ config }) => deriveKeys(config, 'csrf'));

/** Returns the token that calls of a session send as `X-CSRF-Token`. */
export function csrfTokenOf(platform: Platform, sessionId: string): string {
  return createHmac('sha256', keysOf(platform)[0]).update(sessionId).digest('base64url');
}

/**
 * Requires that a call with side effects comes from a page of this origin that knows the session's token.
 * @throws AppError CSRF_REJECTED
 */
export function requireCsrfToken(
  ctx: RequestContext,
  sessionId: string,
  route: Pick<AuthenticatedRoute, 'write'>,
): void {
  const isRead = ['GET', 'HEAD'].includes(ctx.method) && route.write === undefined;
  if (isRead) return;
  requireSameOrigin(ctx);
  const given = decodeBase64Url(String(ctx.headers['x-csrf-token'] ?? ''));
  const isKnown =
    given !== null &&
    keysOf(ctx.platform).some((key) =>
      digestsEqual(given, createHmac('sha256', key).update(sessionId).digest()),
    );
  if (!isKnown) throw new AppError(CSRF_REJECTED);
}

/** Requires that a call comes from a page of this origin. @throws AppError CSRF_REJECTED */
export function requireSameOrigin(ctx: RequestContext): void {
  const site = ctx.headers['sec-fetch-site'];
  // Browsers without this header send the origin of the page with every call that may have side effects.
  const isSame = site === undefined ? hasOwnOrigin(ctx) : site === 'same-origin';
  if (!isSame) throw new AppError(CSRF_REJECTED);
}

function hasOwnOrigin({ client: { origin, host }, platform }: RequestContext): boolean {
  if (origin === null || !URL.canParse(origin)) return false;
  return new URL(origin).host === host || origin === new URL(platform.consoleUrl()).origin;
}
