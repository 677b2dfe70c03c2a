import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Type from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { ACCOUNT_FONT_PATH, accountFont } from '../../../http/account-page.ts';
import type { RequestContext } from '../../../http/context.ts';
import { ICON_SVG } from '../../../http/icon.ts';
import { pageReply, readingPolicy } from '../../../http/page.ts';
import { defineRawRoute, type RawReply, type Route } from '../../../http/route.ts';
import { compressFile, fileReply } from '../../../http/static-file.ts';
import { oncePerPlatform } from '../../../platform.ts';
import { findGuides, INDEX_PAGE } from './guides.ts';
import { homePage } from './home-page.ts';
import { relativeUrl } from './page-links.ts';
import { findReadinessProblem } from './readiness.ts';
import { loadReferenceAssets, referencePage } from './reference.ts';
import { referenceOutline } from './reference-outline.ts';

const tag = 'Operations';
const OPENAPI = join(import.meta.dirname, '../../../../openapi.json');

const document = oncePerPlatform(async () =>
  compressFile('application/json; charset=utf-8', await readFile(OPENAPI)),
);
const reference = oncePerPlatform(async (platform) => {
  const { body } = await document(platform);
  const page = referencePage(referenceOutline(JSON.parse(body.toString())));
  return compressFile('text/html; charset=utf-8', page.toString());
});
const guides = oncePerPlatform(findGuides);
const referenceAssets = oncePerPlatform(loadReferenceAssets);
const icon = oncePerPlatform(() => compressFile('image/svg+xml', ICON_SVG));

/** Pages of the service: front page, reference and guides. */
export const pageRoutes: readonly Route[] = [
  defineRawRoute({
    id: 'operations.home',
    method: 'GET',
    path: '/',
    summary: 'Front page with status and first steps',
    tag,
    access: 'public',
    raw: { contentType: 'text/html', description: 'The page.' },
    handler: async ({ platform }) => {
      const isReady = (await findReadinessProblem(platform)) === null;
      const { console: isConsoleOn, consoleUrl: ownUrl } = platform.config;
      const address = ownUrl === null ? 'console' : `${ownUrl}/console`;
      const consoleUrl = isConsoleOn ? address : null;
      return pageReply(homePage({ publicUrl: platform.publicUrl(), consoleUrl, isReady }), readingPolicy());
    },
  }),
  defineRawRoute({
    id: 'operations.guides',
    method: 'GET',
    path: '/guides',
    summary: 'All guides, with search',
    tag,
    access: 'public',
    query: Type.Object({
      q: Type.Optional(Type.String({ maxLength: 200, description: 'Words to search for.' })),
    }),
    raw: { contentType: 'text/html', description: 'The page.' },
    handler: (ctx) => sendGuide(ctx, INDEX_PAGE),
  }),
  defineRawRoute({
    id: 'operations.guide',
    method: 'GET',
    path: '/guides/{page}',
    endsWithRest: true,
    summary: 'A guide, page of the specification, or file',
    tag,
    access: 'public',
    errors: [NOT_FOUND],
    params: Type.Object({ page: Type.String() }),
    raw: { contentType: 'text/html', description: 'The page.' },
    handler: (ctx, { params }) => sendGuide(ctx, params.page),
  }),
  defineRawRoute({
    id: 'operations.icon',
    method: 'GET',
    path: '/favicon.ico',
    summary: 'Favicon',
    tag,
    access: 'public',
    raw: { contentType: 'image/svg+xml', description: 'The icon.' },
    handler: async (ctx) => fileReply(ctx, await icon(ctx.platform)),
  }),
  defineRawRoute({
    id: 'operations.account_font',
    method: 'GET',
    path: ACCOUNT_FONT_PATH,
    summary: 'Font of the pages about accounts',
    tag,
    access: 'public',
    raw: { contentType: 'font/woff2', description: 'The font.' },
    // The pages refer to it by a digest of its content.
    handler: async (ctx) => fileReply(ctx, await accountFont(ctx.platform), 365 * 24 * 3600),
  }),
  defineRawRoute({
    id: 'operations.openapi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This API as an OpenAPI 3.1 document',
    tag,
    access: 'public',
    raw: { contentType: 'application/json', description: 'The document.' },
    handler: async (ctx) => fileReply(ctx, await document(ctx.platform), 0),
  }),
  defineRawRoute({
    id: 'operations.reference',
    method: 'GET',
    path: '/docs',
    summary: 'API reference page',
    tag,
    access: 'public',
    raw: { contentType: 'text/html', description: 'The reference page; it works offline.' },
    handler: async (ctx) => {
      const reply = fileReply(ctx, await reference(ctx.platform), 0);
      return { ...reply, headers: { ...reply.headers, ...readingPolicy(true) } };
    },
  }),
  defineRawRoute({
    id: 'operations.reference_asset',
    method: 'GET',
    path: '/docs/assets/{file}',
    summary: 'Script or stylesheet of the reference',
    tag,
    access: 'public',
    errors: [NOT_FOUND],
    params: Type.Object({ file: Type.String() }),
    raw: { contentType: 'text/plain', description: 'The file.' },
    handler: async (ctx, { params }) => {
      const file = (await referenceAssets(ctx.platform)).get(params.file);
      if (file === undefined) throw new AppError(NOT_FOUND);
      return fileReply(ctx, file);
    },
  }),
  defineRawRoute({
    id: 'operations.moved_guide',
    method: 'GET',
    path: '/docs/{page}',
    endsWithRest: true,
    summary: 'Former address of a guide',
    tag,
    access: 'public',
    errors: [NOT_FOUND],
    params: Type.Object({ page: Type.String() }),
    raw: { contentType: 'text/html', description: 'Redirect.', status: 301 },
    handler: async ({ platform }, { params: { page } }) => {
      if (!(await guides(platform)).has(page)) throw new AppError(NOT_FOUND);
      const location = relativeUrl(`docs/${page}`, `guides/${page}`);
      return { status: 301, headers: { location }, body: '' };
    },
  }),
];

/** The `Content-Security-Policy` of the guides: only our own files, nothing inline, images also from `data:`. */
const GUIDE_POLICY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** Sends a page or a file of the guides. @throws AppError NOT_FOUND. */
async function sendGuide(ctx: RequestContext, name: string): Promise<RawReply> {
  const guide = (await guides(ctx.platform)).get(name);
  if (guide === undefined) throw new AppError(NOT_FOUND);
  const reply = fileReply(ctx, await guide.read(), guide.maxAgeSeconds);
  return { ...reply, headers: { ...reply.headers, ...GUIDE_POLICY } };
}
