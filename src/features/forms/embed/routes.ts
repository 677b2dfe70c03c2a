import Type from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { FORBIDDEN, NOT_FOUND } from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import type { RequestContext } from '../../../http/context.ts';
import { pageReply } from '../../../http/page.ts';
import { defineRawRoute, defineRoute, type RawReply, type Route } from '../../../http/route.ts';
import { compressedReply, fileReply } from '../../../http/static-file.ts';
import { oncePerPlatform } from '../../../platform.ts';
import { INVALID_SUBMISSION, SubmissionInput } from '../form-submissions/index.ts';
import { FORM_NOT_FOUND, PostSubmitAction } from '../forms/index.ts';
import { loadEmbedAssets, localesOf } from './assets.ts';
import { Challenge, newChallenge } from './challenge.ts';
import { CHALLENGE_REQUIRED } from './errors.ts';
import { chooseLanguage } from './language.ts';
import { embedContentSecurityPolicy, renderEmbedPage, renderFormNotFoundPage } from './page.ts';
import {
  assetBase,
  openPage,
  originsOfForm,
  prepareVisitorSubmission,
  requireForm,
  submitEmbedded,
  viewForm,
} from './service.ts';

const tag = 'Embedding';
const params = Type.Object({ public_code: Type.String() });
const assets = oncePerPlatform(() => loadEmbedAssets());

/** Per IP address and form (docs/specification/forms.md#embedding). */
const SUBMISSIONS_PER_MINUTE = 60;

/** Routes for visitors' browsers (docs/specification/forms.md#embedding). */
export const routes: readonly Route[] = [
  defineRawRoute({
    id: 'embed.script',
    method: 'GET',
    path: '/embed.js',
    summary: 'Script that embeds a form: `Tessera.mount(element, {publicCode})`',
    tag,
    access: 'public',
    raw: { contentType: 'text/javascript', description: 'The script.' },
    handler: async (ctx) => sendAsset(ctx, 'embed.js'),
  }),
  defineRawRoute({
    id: 'embed.asset',
    method: 'GET',
    path: '/embed/assets/{file}',
    summary: 'Script or stylesheet of the form page',
    tag,
    access: 'public',
    errors: [NOT_FOUND],
    params: Type.Object({ file: Type.String() }),
    raw: { contentType: 'text/javascript', description: 'The file.' },
    handler: async (ctx, input) => sendAsset(ctx, input.params.file),
  }),
  defineRawRoute({
    id: 'embed.page',
    method: 'GET',
    path: '/embed/{public_code}',
    summary: 'The form as a page, for iframes',
    description: 'An inactive or unknown form returns a 404 page. An unknown theme is ignored.',
    tag,
    access: 'public',
    params,
    query: Type.Object({
      theme: Type.Optional(Type.String()),
      locale: Type.Optional(
        Type.String({ description: "Language tag such as `de`; overrides the form's language." }),
      ),
    }),
    raw: { contentType: 'text/html', description: 'The page.' },
    handler: async (ctx, input) => {
      const access = await openPage(ctx.platform, input.params.public_code);
      const preferences = {
        requested: input.query.locale,
        form: access.form?.formBuilderOptions.locale,
        accepted: String(ctx.headers['accept-language'] ?? ''),
      };
      const language = chooseLanguage(preferences, localesOf(await assets(ctx.platform)));
      if (access.form === null) {
        const page = renderFormNotFoundPage(language, assetBase(ctx.platform), access.brand);
        return pageReply(page, pageHeaders(['*']), 404);
      }
      const data = await viewForm(ctx, access, input.query.theme);
      const page = renderEmbedPage({ ...data, language });
      return compressedReply(ctx, pageReply(page, pageHeaders(access.form.allowed_origins)));
    },
  }),
  defineRoute({
    id: 'embed.challenge',
    method: 'GET',
    path: '/embed/{public_code}/challenge',
    summary: 'Creates a challenge, for forms that require one',
    description:
      'Find the number and send `<token>.<number>` as header `Tessera-Challenge` of one submission, within 10 minutes.',
    tag,
    access: 'public',
    errors: [FORM_NOT_FOUND, FORBIDDEN],
    rateLimit: { limit: SUBMISSIONS_PER_MINUTE, windowSeconds: 60, per: 'address-and-path' },
    params,
    reply: Challenge,
    cors: { origins: (ctx, { public_code }) => originsOfForm(ctx, public_code) },
    handler: async (ctx, { params: { public_code } }) => {
      await requireForm(ctx, public_code);
      ctx.setHeader('cache-control', 'no-store');
      return newChallenge(ctx, public_code);
    },
  }),
  defineRoute({
    id: 'embed.submit',
    method: 'POST',
    path: '/embed/{public_code}/submissions',
    summary: 'Submits an embedded form; needs no key',
    description:
      'A form with `challenge` requires a solved challenge in the header `Tessera-Challenge`, valid for one accepted submission.',
    tag,
    access: 'public',
    invalid: INVALID_SUBMISSION,
    errors: [FORM_NOT_FOUND, FORBIDDEN, CHALLENGE_REQUIRED],
    rateLimit: { limit: SUBMISSIONS_PER_MINUTE, windowSeconds: 60, per: 'address-and-path' },
    params,
    query: Type.Object({
      locale: Type.Optional(
        Type.String({
          maxLength: 35,
          description: 'Language tag for validation messages.',
        }),
      ),
    }),
    body: Type.Object(
      {
        ...SubmissionInput.properties,
        // Without the API's length limit, so that a long invalid address gets the same error as any other.
        email_address: Type.String({ description: 'Email address.' }),
        // Without a length limit: unknown time zones are ignored.
        time_zone: Type.Optional(Type.String({ description: "The visitor's IANA time zone." })),
        // Of any type, because a refusal would lose the submission.
        website: Type.Optional(Type.Unknown({ description: 'Honeypot: must be empty.' })),
      },
      { title: 'EmbedSubmission' },
    ),
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: Type.Object(
      { submission_id: Type.String(), actions: Type.Array(PostSubmitAction) },
      { title: 'EmbedSubmitted' },
    ),
    cors: { origins: (ctx, { public_code }) => originsOfForm(ctx, public_code) },
    prepare: (ctx, input) =>
      prepareVisitorSubmission(ctx, input.params.public_code, input.body, input.query.locale),
    oneStatement: true,
    write: (ctx, _input, visit) => submitEmbedded(ctx, visit),
  }),
];

async function sendAsset(ctx: RequestContext, name: string): Promise<RawReply> {
  const asset = (await assets(ctx.platform)).get(name);
  if (!asset) throw new AppError(NOT_FOUND);
  return fileReply(ctx, asset);
}

function pageHeaders(allowedOrigins: readonly string[]): Record<string, string> {
  return {
    'content-security-policy': embedContentSecurityPolicy(allowedOrigins),
    'referrer-policy': 'strict-origin-when-cross-origin',
    vary: 'Accept-Language',
  };
}
