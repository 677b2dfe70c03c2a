import Type from 'typebox';
import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import type { RequestContext } from '../../http/context.ts';
import { definePage } from '../../http/page.ts';
import { defineRawRoute, type RawReply, type Route } from '../../http/route.ts';
import { TOKEN_INVALID } from './errors.ts';
import { findUnsubscribeSubject, noteVisit, unsubscribe } from './service.ts';
import { readTrackingToken } from './tracking-tokens.ts';
import { askPage, badLinkPage, donePage, UNSUBSCRIBE_HEADERS } from './unsubscribe-page.ts';

const tag = 'E-mail tracking';
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

/** What recipients' mail programs ask for: pixels, links, unsubscribing (decisions section 6). */
export const routes: readonly Route[] = [
  defineRawRoute({
    id: 'email_tracking.open',
    method: 'GET',
    path: '/t/o/{token}',
    summary: 'The pixel that tells that a message was opened',
    tag,
    access: 'public',
    errors: [NOT_FOUND],
    params,
    raw: { contentType: 'image/gif', description: 'One transparent pixel.' },
    handler: (ctx, input) => noteAndAnswer(ctx, 'open', input.params.token, () => PIXEL_REPLY),
  }),
  defineRawRoute({
    id: 'email_tracking.click',
    method: 'GET',
    path: '/t/c/{token}',
    summary: 'Leads on to where a link of a message goes',
    description: 'Only to addresses that this system signed itself: an altered token answers 404.',
    tag,
    access: 'public',
    errors: [NOT_FOUND],
    params,
    raw: { contentType: 'text/html', description: 'To the address of the link.', status: 302 },
    handler: (ctx, input) => noteAndAnswer(ctx, 'click', input.params.token, redirectTo),
  }),
  definePage({
    id: 'email_tracking.unsubscribe_page',
    method: 'GET',
    path: '/u/{token}',
    summary: 'A page with a button that unsubscribes; changes nothing by itself',
    tag,
    access: 'public',
    params,
    page: 'The page.',
    handler: async (ctx, input) => {
      const claims = readTrackingToken(ctx.platform, 'unsubscribe', input.params.token);
      if (claims === null) return { status: 404, headers: UNSUBSCRIBE_HEADERS, html: badLinkPage() };
      return { headers: UNSUBSCRIBE_HEADERS, html: askPage(await findUnsubscribeSubject(ctx, claims)) };
    },
  }),
  definePage({
    id: 'email_tracking.unsubscribe',
    method: 'POST',
    path: '/u/{token}',
    summary: 'Unsubscribes with one click (RFC 8058)',
    description:
      'For mail programs (`List-Unsubscribe=One-Click`, as a form of either kind) and for the button of the page; whatever the body says, the answer is the same.',
    tag,
    access: 'public',
    errors: [TOKEN_INVALID],
    ignoresBody: true,
    params,
    page: 'A page that confirms.',
    handler: async (ctx, input) => {
      const claims = readTrackingToken(ctx.platform, 'unsubscribe', input.params.token);
      if (claims === null) throw new AppError(TOKEN_INVALID);
      await unsubscribe(ctx, claims);
      return { headers: UNSUBSCRIBE_HEADERS, html: donePage(await findUnsubscribeSubject(ctx, claims)) };
    },
  }),
];

/** @throws AppError NOT_FOUND for a token that is not ours. */
function noteAndAnswer(
  ctx: RequestContext,
  kind: 'open' | 'click',
  token: string,
  answer: (url: string) => RawReply,
): RawReply | Promise<RawReply> {
  const claims = readTrackingToken(ctx.platform, kind, token);
  if (claims === null) throw new AppError(NOT_FOUND);
  const noted = noteVisit(ctx, kind, claims);
  return noted === undefined ? answer(claims.url) : noted.then(() => answer(claims.url));
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

/** As it was written in the message, unless a header could not carry that. */
function toHeader(url: string): string {
  return /^[\x21-\x7e]+$/.test(url) ? url : new URL(url).href;
}
