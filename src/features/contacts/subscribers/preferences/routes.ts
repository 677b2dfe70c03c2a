import Type from 'typebox';
import { NOT_FOUND, TOKEN_INVALID, VALIDATION_ERROR } from '../../../../errors/platform-errors.ts';
import { badLinkReply } from '../../../../http/bad-link-page.ts';
import { CONTENT_BODY_BYTES } from '../../../../http/body-limit.ts';
import type { RequestContext } from '../../../../http/context.ts';
import { defineRawRoute, defineRoute, type Route } from '../../../../http/route.ts';
import { settingsReadOptions } from '../../../email-settings/api.ts';
import { INVALID_SUBSCRIBER } from '../errors.ts';
import { preferencesPage } from './page.ts';
import { previewPreferences } from './preview.ts';
import { Preferences, PreferencesPreview, PreferencesUpdate } from './schema.ts';
import { findPageSubject, readPreferences, savePage, updatePreferences } from './service.ts';
import { tenantOfPreferences } from './token.ts';

const tag = 'Subscribers';
const params = Type.Object({ token: Type.String() });
/** Limits of the form: it fits a thousand types with the longest ids. */
const FORM = { contentTypes: ['application/x-www-form-urlencoded'], maxBytes: 2 * 1024 * 1024 };

/**
 * Routes of preferences by a link of a message (docs/specification/subscribers.md#preferences). The token of the link
 * is the credential of the pages. No cookie is involved, so other sites cannot choose for the recipient. The API routes
 * are for a tenant's own pages and also need its key.
 */
export const preferencesRoutes: readonly Route[] = [
  defineRoute({
    id: 'preferences.get',
    method: 'GET',
    path: '/api/subscribers/preferences/{token}',
    summary: "Reads the preferences of a link's owner",
    description: 'For your own preferences page; the token is the end of `preferences_url`.',
    tag,
    access: 'member',
    errors: [TOKEN_INVALID],
    params,
    reply: Preferences,
    handler: (ctx, input) => {
      ctx.setHeader('cache-control', 'no-store');
      return readPreferences(ctx, input.params.token);
    },
  }),
  defineRoute({
    id: 'preferences.update',
    method: 'PUT',
    path: '/api/subscribers/preferences/{token}',
    summary: "Saves the preferences of a link's owner",
    description: 'For your own preferences page; the token is the end of `preferences_url`.',
    tag,
    access: 'member',
    invalid: INVALID_SUBSCRIBER,
    errors: [TOKEN_INVALID],
    params,
    body: PreferencesUpdate,
    reply: Type.Object({ success: Type.Boolean() }, { title: 'PreferencesUpdated' }),
    handler: (ctx, { params: { token }, body }) => updatePreferences(ctx, token, body),
  }),
  defineRoute({
    ...settingsReadOptions,
    id: 'preference_page.preview',
    readsOnly: true,
    method: 'POST',
    path: '/api/email_settings/preference_page/preview',
    summary: 'Renders the preference page without saving anything',
    description:
      'With the given types and brand instead of the saved ones, for a sample recipient. The form sends nothing.',
    errors: [NOT_FOUND, VALIDATION_ERROR],
    body: PreferencesPreview,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: Type.Object({ html: Type.String() }, { title: 'PreferencesRendered' }),
    handler: (ctx, { body }) => previewPreferences(ctx, body),
  }),
  defineRawRoute({
    id: 'preferences.page',
    method: 'GET',
    path: '/preferences/{token}',
    summary: 'Preferences page; read-only',
    tag,
    access: 'public',
    params,
    raw: { contentType: 'text/html', description: "The page, with the tenant's brand." },
    handler: async (ctx, input) => {
      const subject = await findPageSubject(ctx, input.params.token);
      return subject === null
        ? badLink(ctx, input.params.token)
        : preferencesPage(subject, false, ctx.headers['accept-language']);
    },
  }),
  defineRawRoute({
    id: 'preferences.save',
    method: 'POST',
    path: '/preferences/{token}',
    summary: 'Saves preferences (form of the page)',
    description: '`shown`: types in the form; `type`: checked types; `nothing`: stop all marketing mail.',
    tag,
    access: 'public',
    params,
    upload: FORM,
    raw: { contentType: 'text/html', description: 'The updated page.' },
    handler: async (ctx, input) => {
      const subject = await savePage(ctx, input.params.token, input.body);
      return subject === null
        ? badLink(ctx, input.params.token)
        : preferencesPage(subject, true, ctx.headers['accept-language']);
    },
  }),
];

/** Page with status 404 for a link that is invalid or expired, or whose subscriber was erased. */
function badLink(ctx: RequestContext, token: string) {
  return badLinkReply(ctx, 'badPreferencesLink', tenantOfPreferences(ctx.platform, token));
}
