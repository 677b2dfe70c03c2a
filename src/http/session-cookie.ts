/** The cookie of browser sessions (docs/specification/browser-sessions.md#cookie). */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Platform } from '../platform.ts';
import { parseToken, type TokenParts } from '../secrets/tenant-tokens.ts';
import type { RequestContext } from './context.ts';

/** Kind of the tokens in the cookie. */
export const SESSION_TOKEN = 'tsb';

/** Browsers accept it only over TLS (or from localhost), for one host and all of its paths. */
const NAME = '__Host-tessera';
/** Without TLS, on a developer's machine. */
const LOCAL_NAME = 'tessera';
const ANY_COOKIE = /(?:^|;\s*)(?:__Host-)?tessera=/;

/** Returns true if a request's only credential is the cookie. An API key or token in the request is used instead. */
export function isWithCookieOnly({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return (
    headers['x-api-key'] === undefined &&
    headers.authorization === undefined &&
    ANY_COOKIE.test(headers.cookie ?? '')
  );
}

/** Returns the token in a request's cookie; null: there is none, or it cannot be one. */
export function readSessionToken(
  platform: Platform,
  { cookie = '' }: IncomingHttpHeaders,
): TokenParts | null {
  const prefix = `${cookieName(platform)}=`;
  const found = cookie.split(/;\s*/).find((each) => each.startsWith(prefix));
  return found === undefined ? null : parseToken(SESSION_TOKEN, found.slice(prefix.length));
}

/** Sets the cookie; without `maxAgeMs` it ends with the browser. */
export function setSessionCookie(
  ctx: Pick<RequestContext, 'platform' | 'setHeader'>,
  token: string,
  maxAgeMs?: number,
): void {
  const age = maxAgeMs === undefined ? '' : `; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
  ctx.setHeader('set-cookie', `${cookieName(ctx.platform)}=${token}${age}${attributes(ctx.platform)}`);
}

/** Removes the cookie from the browser. */
export function clearSessionCookie({
  platform,
  setHeader,
}: Pick<RequestContext, 'platform' | 'setHeader'>): void {
  setHeader('set-cookie', `${cookieName(platform)}=; Max-Age=0${attributes(platform)}`);
}

function attributes(platform: Platform): string {
  return `; Path=/; HttpOnly; SameSite=Lax${isLocal(platform) ? '' : '; Secure'}`;
}

function cookieName(platform: Platform): string {
  return isLocal(platform) ? LOCAL_NAME : NAME;
}

/** True where the cookie may be sent without TLS. */
function isLocal({ config, consoleUrl }: Platform): boolean {
  return config.environment === 'Local' && consoleUrl().startsWith('http:');
}
