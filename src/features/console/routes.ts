import Type from 'typebox';
import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { ACCOUNT_FORM, readForm } from '../../http/account-form.ts';
import { type AccountLanguage, accountLanguage } from '../../http/account-page.ts';
import { basePath } from '../../http/console-paths.ts';
import type { RequestContext } from '../../http/context.ts';
import { defineRawRoute, type RawReply, type Route } from '../../http/route.ts';
import { findSession } from '../../http/session-use.ts';
import { fileReply } from '../../http/static-file.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import { describeSession } from '../tenancy/api.ts';
import { consoleFiles, preloadsOf } from './files.ts';
import { forgotPasswordPage, submitForgotPassword } from './forgot-password.ts';
import { framePage } from './frame-page.ts';
import { readNext } from './next-path.ts';
import { consolePage, notBuiltPage } from './page.ts';
import { redirectTo, signInPage, submitSignIn } from './sign-in.ts';

const facts = { method: 'GET', tag: 'Console', access: 'public' } as const;
const redirect = { contentType: 'text/html', status: 303 } as const;
const page = { contentType: 'text/html', description: 'The page.' };

/** Browsers need not ask again for a file whose name changes with its content. */
const IMMUTABLE = { 'cache-control': 'public, max-age=31536000, immutable' };

/** The page of the console and its files (docs/specification/console.md#serving). */
export const routes: readonly Route[] = [
  defineRawRoute({
    ...facts,
    id: 'console.home',
    path: '/console',
    summary: 'The web console',
    raw: page,
    handler: (ctx) => showConsole(ctx, ''),
  }),
  defineRawRoute({
    ...facts,
    id: 'console.screen',
    path: '/console/{path}',
    endsWithRest: true,
    summary: 'A screen of the web console',
    params: Type.Object({ path: Type.String() }),
    raw: page,
    handler: (ctx, { params }) => showConsole(ctx, params.path),
  }),
  defineRawRoute({
    ...facts,
    id: 'console.sign_in',
    path: '/console/sign-in',
    summary: 'Page to sign in',
    query: Type.Object({ next: Type.Optional(Type.String({ maxLength: 4000 })) }),
    raw: page,
    handler: async (ctx, { query: { next = null } }) =>
      (await findSession(ctx)) === null ? signInPage(ctx, next) : redirectTo(ctx, readNext(next)),
  }),
  defineRawRoute({
    ...facts,
    id: 'console.submit_sign_in',
    method: 'POST',
    path: '/console/sign-in',
    summary: 'Signs in (form of the page)',
    upload: ACCOUNT_FORM,
    raw: { ...redirect, description: 'Redirect to the console.' },
    handler: async (ctx, { body }) => submitSignIn(ctx, await readForm(body)),
  }),
  defineRawRoute({
    ...facts,
    id: 'console.forgot_password',
    path: '/console/forgot-password',
    summary: 'Page to ask for a new password',
    raw: page,
    handler: (ctx) => forgotPasswordPage(ctx),
  }),
  defineRawRoute({
    ...facts,
    id: 'console.submit_forgot_password',
    method: 'POST',
    path: '/console/forgot-password',
    summary: 'Sends a password-reset link (form of the page)',
    upload: ACCOUNT_FORM,
    raw: page,
    handler: async (ctx, { body }) => submitForgotPassword(ctx, await readForm(body)),
  }),
  defineRawRoute({
    ...facts,
    id: 'console.frame',
    path: '/console/frame',
    summary: 'The page in which the console shows foreign HTML',
    raw: page,
    handler: async ({ platform }) => {
      const files = await consoleFiles(platform)();
      return files === null ? notBuiltPage() : framePage(files.manifest, basePath(platform.consoleUrl()));
    },
  }),
  defineRawRoute({
    ...facts,
    id: 'console.asset',
    path: '/console/assets/{file}',
    summary: 'A script, stylesheet or font of the console',
    errors: [NOT_FOUND],
    params: Type.Object({ file: Type.String() }),
    raw: { contentType: 'text/plain', description: 'The file.' },
    handler: async (ctx, { params }) => {
      const file = await (await consoleFiles(ctx.platform)())?.read(params.file);
      if (!file) throw new AppError(NOT_FOUND);
      const { status, headers, body } = fileReply(ctx, file);
      return { status, headers: { ...headers, ...IMMUTABLE }, body };
    },
  }),
];

/** Shows the console to a signed-in user, and the sign-in page to others. */
async function showConsole(ctx: RequestContext, path: string): Promise<RawReply> {
  const files = await consoleFiles(ctx.platform)();
  if (files === null) return notBuiltPage();
  const session = await findSession(ctx);
  if (session === null)
    return redirectTo(ctx, `/console/sign-in?${new URLSearchParams({ next: readNext(ctx.url) })}`);
  const db = ctx.platform.scoped(wholeTenant(session.tenantId));
  const info = await describeSession(ctx, db, session);
  return consolePage({
    manifest: files.manifest,
    preloads: preloadsOf(files.manifest, path, languageOf(ctx, info.user.locale)),
    base: basePath(ctx.platform.consoleUrl()),
    apiUrl: ctx.platform.publicUrl(),
    session: info,
    isDevelopment: ctx.platform.config.environment === 'Local',
  });
}

/** Returns the language in which the console appears, as its scripts choose it. */
function languageOf(ctx: RequestContext, chosen: string | null): AccountLanguage {
  const language = chosen?.toLowerCase().split('-')[0];
  return language === 'en' || language === 'de' ? language : accountLanguage(ctx);
}
