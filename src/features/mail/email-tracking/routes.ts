import Type from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { NOT_FOUND, TOKEN_INVALID } from '../../../errors/platform-errors.ts';
import { badLinkReply } from '../../../http/bad-link-page.ts';
import type { RequestContext } from '../../../http/context.ts';
import { cardHeaders, pageReply } from '../../../http/page.ts';
import { recipientLanguage } from '../../../http/recipient-texts/recipient-language.ts';
import { defineRawRoute, type RawReply, type Route } from '../../../http/route.ts';
import { findTenantBrand } from '../../../http/tenant-brand.ts';
import { findUnsubscribeSubject, recordVisit, resubscribe, unsubscribe } from './service.ts';
import {
  type PageStyle,
  resubscribedPage,
  type UnsubscribeSubject,
  unsubscribedPage,
  unsubscribePage,
} from './tracking-pages.ts';
import { readTrackingToken, type TrackingClaims } from './tracking-tokens.ts';

const tag = 'Email tracking';
const params = Type.Object({ token: Type.String() });

/** One transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const PIXEL_REPLY: RawReply = {
  status: 200,
  headers: {
    'content-type': 'image/gif',
    'cache-control': 'no-store, private',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
  },
  body: PIXEL,
};

/**
 * Routes for recipients' mail programs: pixels, links, unsubscribing
 * (docs/specification/email-events.md#tracking).
 */
export const routes: readonly Route[] = [
  defineRawRoute({
    id: 'email_tracking.open',
    method: 'GET',
    path: '/t/o/{token}',
    summary: 'Tracking pixel; records an open',
    tag,
    access: 'public',
    errors: [NOT_FOUND],
    params,
    raw: { contentType: 'image/gif', description: 'A transparent pixel.' },
    handler: async (ctx, input) => {
      const claims = readTrackingToken(ctx.platform, 'open', input.params.token);
      if (claims === null) throw new AppError(NOT_FOUND);
      await recordVisit(ctx, 'open', claims);
      return PIXEL_REPLY;
    },
  }),
  defineRawRoute({
    id: 'email_tracking.click',
    method: 'GET',
    path: '/t/c/{token}',
    summary: 'Redirects to the target of a link; records a click',
    description: 'Redirects only to signed URLs; an invalid token returns a 404 page.',
    tag,
    access: 'public',
    params,
    raw: { contentType: 'text/html', description: "Redirect to the link's URL.", status: 302 },
    handler: async (ctx, input) => {
      const claims = readTrackingToken(ctx.platform, 'click', input.params.token);
      if (claims === null) return badLinkReply(ctx, 'badClickLink', null);
      await recordVisit(ctx, 'click', claims);
      return redirectTo(claims.url);
    },
  }),
  defineRawRoute({
    id: 'email_tracking.unsubscribe_page',
    method: 'GET',
    path: '/u/{token}',
    summary: 'Page with an unsubscribe button; read-only',
    description: 'For an unsubscribed address, the page offers to resubscribe.',
    tag,
    access: 'public',
    params,
    raw: { contentType: 'text/html', description: 'The page.' },
    handler: async (ctx, input) => {
      const claims = readTrackingToken(ctx.platform, 'unsubscribe', input.params.token);
      if (claims === null) return badLinkReply(ctx, 'badUnsubscribeLink', null);
      const subject = await findUnsubscribeSubject(ctx, claims);
      const style = await findPageStyle(ctx, claims, subject);
      const page = subject?.isUnsubscribed
        ? unsubscribedPage(subject, input.params.token, style)
        : unsubscribePage(subject, style);
      return pageReply(page, cardHeaders(style.brand));
    },
  }),
  defineRawRoute({
    id: 'email_tracking.unsubscribe',
    method: 'POST',
    path: '/u/{token}',
    summary: 'Unsubscribes with one click (RFC 8058)',
    description:
      'For mail clients (`List-Unsubscribe=One-Click`) and the button of the page. The body is ignored.',
    tag,
    access: 'public',
    errors: [TOKEN_INVALID],
    ignoresBody: true,
    params,
    raw: { contentType: 'text/html', description: 'Confirmation page.' },
    handler: async (ctx, input) => {
      const claims = requireUnsubscribeClaims(ctx, input.params.token);
      await unsubscribe(ctx, claims);
      const subject = await findUnsubscribeSubject(ctx, claims);
      const style = await findPageStyle(ctx, claims, subject);
      return pageReply(unsubscribedPage(subject, input.params.token, style), cardHeaders(style.brand));
    },
  }),
  defineRawRoute({
    id: 'email_tracking.resubscribe',
    method: 'POST',
    path: '/u/{token}/resubscribe',
    summary: 'Resubscribes (button of the confirmation page)',
    description: 'Suppressions by bounces and complaints stay.',
    tag,
    access: 'public',
    errors: [TOKEN_INVALID],
    ignoresBody: true,
    params,
    raw: { contentType: 'text/html', description: 'Confirmation page.' },
    handler: async (ctx, input) => {
      const claims = requireUnsubscribeClaims(ctx, input.params.token);
      const subject = await resubscribe(ctx, claims);
      const style = await findPageStyle(ctx, claims, subject);
      return pageReply(resubscribedPage(subject, input.params.token, style), cardHeaders(style.brand));
    },
  }),
];

/** Returns the brand of the tenant, and the language of the visitor's browser, else of the tenant. */
async function findPageStyle(
  { platform, headers }: RequestContext,
  { tenantId }: TrackingClaims,
  subject: UnsubscribeSubject | null,
): Promise<PageStyle> {
  const { brand, locale } = subject ?? (await findTenantBrand(platform, tenantId)) ?? {};
  return { language: recipientLanguage(headers['accept-language'], locale), ...(brand ? { brand } : {}) };
}

/** Reads an unsubscribe token. @throws AppError TOKEN_INVALID when it is not valid. */
function requireUnsubscribeClaims({ platform }: RequestContext, token: string) {
  const claims = readTrackingToken(platform, 'unsubscribe', token);
  if (claims === null) throw new AppError(TOKEN_INVALID);
  return claims;
}

function redirectTo(url: string): RawReply {
  const headers = {
    location: toHeader(url),
    'cache-control': 'no-store, private',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  };
  return { status: 302, headers, body: '' };
}

/** Returns the URL as written in the message, or percent-encoded if a header cannot contain it. */
function toHeader(url: string): string {
  return /^[\x21-\x7e]+$/.test(url) ? url : new URL(url).href;
}
