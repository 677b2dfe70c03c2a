import Type from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import type { RequestContext } from '../../../http/context.ts';
import { html } from '../../../http/html.ts';
import { messagePage, pageReply } from '../../../http/page.ts';
import { defineRawRoute, defineRoute, type RawReply, type Route } from '../../../http/route.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { TOKEN_INVALID } from '../../email-tracking/index.ts';
import { renderAgain } from '../../transmissions/index.ts';
import { readViewToken } from './view-token.ts';

const params = Type.Object({ token: Type.String() });
const tag = 'Campaign e-mails';

/** Mail brings its own styles and pictures; nothing in it may run or send. */
const MAIL_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store, private',
  'content-security-policy':
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src * data:; style-src 'unsafe-inline' *; font-src * data:; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const;

/** Reading a message in a browser; both make it anew from what was frozen, without tracking. */
export const previewRoutes: readonly Route[] = [
  defineRoute({
    id: 'campaign_emails.preview',
    method: 'GET',
    path: '/api/subscribers/email/{token}/preview',
    summary: 'The HTML of a message, for who holds its link',
    tag,
    access: 'public',
    errors: [TOKEN_INVALID],
    params,
    reply: Type.Object({ html_content: Type.String() }),
    handler: async (ctx, input) => {
      const content = await findHtml(ctx, input.params.token);
      if (content === null) throw new AppError(TOKEN_INVALID);
      return { html_content: content };
    },
  }),
  defineRawRoute({
    id: 'campaign_emails.view',
    method: 'GET',
    path: '/view/{token}',
    summary: 'The page that `view_in_browser_url` leads to',
    tag,
    access: 'public',
    params,
    raw: { contentType: 'text/html', description: 'The message.' },
    handler: async (ctx, input): Promise<RawReply> => {
      const content = await findHtml(ctx, input.params.token);
      if (content === null) return pageReply(badLink(), {}, 404);
      return { status: 200, headers: MAIL_HEADERS, body: content };
    },
  }),
];

/** Null: the link is none of ours or too old, or the message is gone. */
async function findHtml({ platform }: RequestContext, token: string): Promise<string | null> {
  const message = readViewToken(platform, token);
  if (message === null) return null;
  return renderAgain(platform, platform.scoped(wholeTenant(message.tenantId)), message.messageId);
}

function badLink() {
  return messagePage(
    'Link not valid',
    html`<h1>This link is not valid</h1>
<p>It may have been cut off on its way, or be older than 90 days. The message itself is still in your mailbox.</p>`,
  );
}
