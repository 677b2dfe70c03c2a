import Type from 'typebox';
import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { basePath } from '../../http/console-paths.ts';
import type { RequestContext } from '../../http/context.ts';
import { defineRawRoute, type RawReply, type Route } from '../../http/route.ts';
import { fileReply } from '../../http/static-file.ts';
import { consoleFiles } from './files.ts';
import { consolePage, notBuiltPage } from './page.ts';

const facts = { method: 'GET', tag: 'Console', access: 'public' } as const;
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
    handler: showConsole,
  }),
  defineRawRoute({
    ...facts,
    id: 'console.screen',
    path: '/console/{path}',
    endsWithRest: true,
    summary: 'A screen of the web console',
    params: Type.Object({ path: Type.String() }),
    raw: page,
    handler: showConsole,
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

async function showConsole({ platform }: RequestContext): Promise<RawReply> {
  const files = await consoleFiles(platform)();
  if (files === null) return notBuiltPage();
  return consolePage({
    manifest: files.manifest,
    base: basePath(platform.consoleUrl()),
    session: null,
    isDevelopment: platform.config.environment === 'Local',
  });
}
