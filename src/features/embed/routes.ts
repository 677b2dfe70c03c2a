import Type from 'typebox';
import { AppError } from '../../errors/app-error.ts';
import { FORBIDDEN, NOT_FOUND } from '../../errors/platform-errors.ts';
import type { RequestContext } from '../../http/context.ts';
import { definePage } from '../../http/page.ts';
import { defineRawRoute, defineRoute, type RawReply, type Route } from '../../http/route.ts';
import { oncePerPlatform } from '../../platform.ts';
import { INVALID_SUBMISSION, RespondentAddress } from '../form-submissions/index.ts';
import { FORM_NOT_FOUND, findFormOfPage, PostSubmitAction } from '../forms/index.ts';
import { loadEmbedAssets } from './assets.ts';
import { embedContentSecurityPolicy, renderEmbedPage, renderFormNotFoundPage } from './page.ts';
import { openForm, originsOfForm, prepareVisit, submitEmbedded, viewForm } from './service.ts';

const tag = 'Embedding';
const params = Type.Object({ public_code: Type.String() });
const assets = oncePerPlatform(() => loadEmbedAssets());

/** Per network address and form (decisions section 7). */
const SUBMISSIONS_PER_MINUTE = 60;

/** What a visitor's browser asks for (document 3, Embedding; decisions section 7). */
export const routes: readonly Route[] = [
  defineRawRoute({
    id: 'embed.script',
    method: 'GET',
    path: '/embed.js',
    summary: 'The script that puts a form into a page: `Tessera.mount(element, {publicCode})`',
    tag,
    access: 'public',
    raw: { contentType: 'text/javascript', description: 'The script.' },
    handler: async (ctx) => sendAsset(ctx, 'embed.js'),
  }),
  defineRawRoute({
    id: 'embed.asset',
    method: 'GET',
    path: '/embed/assets/{file}',
    summary: 'A script or stylesheet of the embedded form page',
    tag,
    access: 'public',
    errors: [NOT_FOUND],
    params: Type.Object({ file: Type.String() }),
    raw: { contentType: 'text/javascript', description: 'The file.' },
    handler: async (ctx, input) => sendAsset(ctx, input.params.file),
  }),
  definePage({
    id: 'embed.page',
    method: 'GET',
    path: '/embed/{public_code}',
    summary: 'The form as a page, for inline frames',
    description:
      'An inactive or unknown form is a friendly page with status 404. An unknown theme is ignored.',
    tag,
    access: 'public',
    params,
    query: Type.Object({ theme: Type.Optional(Type.String()) }),
    page: 'The page.',
    handler: async (ctx, input) => {
      const access = await openForm(ctx.platform, input.params.public_code, findFormOfPage);
      if (access === null) {
        return { status: 404, headers: pageHeaders(['*']), html: renderFormNotFoundPage() };
      }
      const page = renderEmbedPage(await viewForm(ctx, access, input.query.theme));
      return { headers: pageHeaders(access.form.allowed_origins), html: page };
    },
  }),
  defineRoute({
    id: 'embed.submit',
    method: 'POST',
    path: '/embed/{public_code}/submissions',
    summary: 'Submits an embedded form; the visitor needs no key',
    tag,
    access: 'public',
    invalid: INVALID_SUBMISSION,
    errors: [FORM_NOT_FOUND, FORBIDDEN],
    rateLimit: { limit: SUBMISSIONS_PER_MINUTE, windowSeconds: 60, per: 'address-and-path' },
    params,
    body: Type.Object({
      email_address: RespondentAddress,
      form_data: Type.Record(Type.String(), Type.Unknown(), { description: 'Answers by question.' }),
      website: Type.Optional(Type.String({ description: 'Stays empty: people do not see it.' })),
    }),
    reply: Type.Object({ submission_id: Type.String(), actions: Type.Array(PostSubmitAction) }),
    cors: { origins: (ctx, { public_code }) => originsOfForm(ctx, public_code) },
    prepare: (ctx, input) => prepareVisit(ctx, input.params.public_code, input.body),
    oneStatement: true,
    write: (ctx, _input, visit) => submitEmbedded(ctx, visit),
  }),
];

async function sendAsset(ctx: RequestContext, name: string): Promise<RawReply> {
  const asset = (await assets(ctx.platform)).get(name);
  if (!asset) throw new AppError(NOT_FOUND);
  const headers = {
    'content-type': asset.contentType,
    'cache-control': 'public, max-age=3600',
    etag: asset.etag,
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  };
  if (ctx.headers['if-none-match'] === asset.etag) return { status: 304, headers, body: '' };
  const encoding = chooseEncoding(String(ctx.headers['accept-encoding'] ?? ''));
  if (encoding === null) return { status: 200, headers, body: asset.body };
  return {
    status: 200,
    headers: { ...headers, 'content-encoding': encoding.name },
    body: asset[encoding.file],
  };
}

const ENCODINGS = [
  { name: 'br', file: 'brotli' },
  { name: 'gzip', file: 'gzip' },
] as const;

/** The smallest of our encodings that the client names; one named with `q=0` is refused (RFC 9110, 12.5.3). */
function chooseEncoding(acceptEncoding: string): (typeof ENCODINGS)[number] | null {
  const accepted = acceptEncoding
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*/))
    .filter(([, quality]) => quality === undefined || !/^q=0(?:\.0*)?$/.test(quality))
    .map(([coding]) => coding);
  return ENCODINGS.find(({ name }) => accepted.includes(name)) ?? null;
}

function pageHeaders(allowedOrigins: readonly string[]): Record<string, string> {
  return {
    'content-security-policy': embedContentSecurityPolicy(allowedOrigins),
    'referrer-policy': 'strict-origin-when-cross-origin',
  };
}
