import Type from 'typebox';
import { badLinkReply } from '../../../../http/bad-link-page.ts';
import type { RequestContext } from '../../../../http/context.ts';
import { cardHeaders, pageReply } from '../../../../http/page.ts';
import { recipientLanguage } from '../../../../http/recipient-texts/recipient-language.ts';
import { defineRawRoute, type RawReply, type Route } from '../../../../http/route.ts';
import { confirm, findConfirmation } from './confirm.ts';
import { type ConfirmationSubject, confirmationPage, confirmedPage } from './confirmation-pages.ts';
import { tenantOfConfirmation } from './confirmation-tokens.ts';

const path = '/confirm/{token}';
const tag = 'Subscribers';
const params = Type.Object({ token: Type.String() });

/** Routes that confirm a subscription (docs/specification/subscribers.md#from-forms). */
export const confirmationRoutes: readonly Route[] = [
  defineRawRoute({
    id: 'subscribers.confirm_page',
    method: 'GET',
    path,
    summary: 'Page with a confirmation button; read-only',
    description: 'An invalid link, or one older than 7 days, returns a 404 page.',
    tag,
    access: 'public',
    params,
    raw: { contentType: 'text/html', description: 'The page.' },
    handler: async (ctx, input) =>
      answer(ctx, input.params.token, await findConfirmation(ctx, input.params.token)),
  }),
  defineRawRoute({
    id: 'subscribers.confirm',
    method: 'POST',
    path,
    summary: 'Confirms a subscription (button of the page)',
    description: 'Activates a subscriber with the inactive reason `unconfirmed`. Idempotent.',
    tag,
    access: 'public',
    ignoresBody: true,
    params,
    raw: { contentType: 'text/html', description: 'Confirmation page.' },
    handler: async (ctx, input) => answer(ctx, input.params.token, await confirm(ctx, input.params.token)),
  }),
];

async function answer(
  ctx: RequestContext,
  token: string,
  subject: ConfirmationSubject | null,
): Promise<RawReply> {
  if (subject === null) return badLinkReply(ctx, 'badConfirmLink', tenantOfConfirmation(ctx.platform, token));
  const language = recipientLanguage(ctx.headers['accept-language'], subject.locale);
  const page = subject.isConfirmed ? confirmedPage(subject, language) : confirmationPage(subject, language);
  return pageReply(page, cardHeaders(subject.brand));
}
