import Type from 'typebox';
import { AppError } from '../../../../errors/app-error.ts';
import { TOKEN_INVALID } from '../../../../errors/platform-errors.ts';
import { badLinkReply } from '../../../../http/bad-link-page.ts';
import type { RequestContext } from '../../../../http/context.ts';
import { RENDERINGS_PER_MINUTE, requestDeadline } from '../../../../http/request-deadline.ts';
import { defineRawRoute, defineRoute, type RawReply, type Route } from '../../../../http/route.ts';
import type { MessageRef } from '../../../../mail/message-token.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import { renderAgain, type Viewer } from '../../../mail/api.ts';
import { readViewToken, tenantOfView } from './view-token.ts';

const params = Type.Object({ token: Type.String() });
const tag = 'Campaign emails';

/** Mail may load styles and images; scripts and forms in it are blocked. */
const MAIL_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store, private',
  'content-security-policy':
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src * data:; style-src 'unsafe-inline' *; font-src * data:; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const;

/** Routes that show a message in a browser. They render it again from its snapshot, without tracking. */
export const previewRoutes: readonly Route[] = [
  defineRoute({
    id: 'campaign_emails.preview',
    method: 'GET',
    path: '/api/subscribers/email/{token}/preview',
    summary: 'HTML of a message, by the token of its `view_in_browser_url`',
    description:
      'Its links to preferences, unsubscribe and browser view have no effect; those of `PUBLIC_URL/view/{token}` do.',
    tag,
    access: 'member',
    rateLimit: { limit: RENDERINGS_PER_MINUTE, windowSeconds: 60, per: 'caller' },
    errors: [TOKEN_INVALID],
    params,
    reply: Type.Object({ html_content: Type.String() }, { title: 'CampaignEmailPreview' }),
    handler: async (ctx, input) => {
      const message = readViewToken(ctx.platform, input.params.token);
      if (message?.tenantId !== ctx.db.tenantId) throw new AppError(TOKEN_INVALID);
      const content = await findHtml(ctx, message, 'preview');
      if (content === null) throw new AppError(TOKEN_INVALID);
      ctx.setHeader('cache-control', 'no-store');
      return { html_content: content };
    },
  }),
  defineRawRoute({
    id: 'campaign_emails.view',
    method: 'GET',
    path: '/view/{token}',
    summary: 'Page of `view_in_browser_url`',
    tag,
    access: 'public',
    params,
    raw: { contentType: 'text/html', description: 'The message.' },
    handler: async (ctx, input): Promise<RawReply> => {
      const message = readViewToken(ctx.platform, input.params.token);
      const content = message && (await findHtml(ctx, message, 'recipient'));
      if (content === null)
        return badLinkReply(ctx, 'badViewLink', tenantOfView(ctx.platform, input.params.token));
      return { status: 200, headers: MAIL_HEADERS, body: content };
    },
  }),
];

/** Returns the HTML of a message; null if the message or its recipient was deleted, or the address has changed. */
function findHtml(
  ctx: RequestContext,
  { tenantId, messageId }: MessageRef,
  viewer: Viewer,
): Promise<string | null> {
  const { platform } = ctx;
  const db = platform.scoped(wholeTenant(tenantId));
  return renderAgain(platform, db, messageId, viewer, requestDeadline(ctx));
}
