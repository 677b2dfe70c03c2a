/**
 * A website with its content in Tessera. A request tries four handlers in order: file, preview, redirect, document. The
 * first one with a response wins.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { renderDocument, renderMessage } from './page.ts';
import { Tessera, type TesseraOptions } from './tessera.ts';

/** Response of the website. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Handles a request; null if the next handler should try. */
type Handler = (tessera: Tessera, url: URL) => Promise<Answer | null>;

const FILES: Readonly<Record<string, string>> = { '/site.css': 'text/css; charset=utf-8' };

const answerFile: Handler = async (_tessera, { pathname }) => {
  const type = FILES[pathname];
  if (type === undefined) return null;
  const body = await readFile(`${import.meta.dirname}/public${pathname}`, 'utf8');
  return { status: 200, headers: { 'content-type': type, 'cache-control': 'max-age=3600' }, body };
};

const answerPreview: Handler = async (tessera, { pathname }) => {
  const [, token] = /^\/preview\/([^/]+)$/.exec(pathname) ?? [];
  if (token === undefined) return null;
  const [draft, settings] = await Promise.all([tessera.readPreview(token), tessera.readSettings()]);
  if (draft === null) return page(404, renderMessage('This preview has expired', settings));
  const answer = page(200, renderDocument(draft, settings, 'Preview: this is not published.'));
  // Keep unpublished pages out of caches and search engines.
  return {
    ...answer,
    headers: { ...answer.headers, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' },
  };
};

const answerRedirect: Handler = async (tessera, { pathname, search }) => {
  const redirect = await tessera.checkRedirect(`${pathname}${search}`);
  if (redirect === null) return null;
  return { status: Number(redirect.redirect_type), headers: { location: redirect.target_url }, body: '' };
};

const answerDocument: Handler = async (tessera, { pathname }) => {
  const uid = pathname === '/' ? 'home' : pathname.slice(1).replace(/\/$/, '');
  const [document, settings] = await Promise.all([
    /^[a-z0-9_-]+$/.test(uid) ? tessera.findDocument(uid) : null,
    tessera.readSettings(),
  ]);
  return document === null
    ? page(404, renderMessage('Page not found', settings))
    : page(200, renderDocument(document, settings));
};

const HANDLERS: readonly Handler[] = [answerFile, answerPreview, answerRedirect, answerDocument];

/** Creates the website's server, which does not listen yet. */
export function createSite(options: TesseraOptions): Server {
  const tessera = new Tessera(options);
  return createServer(async (request, response) => {
    const { status, headers, body } = await answer(tessera, request.url ?? '/');
    response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : body);
  });
}

async function answer(tessera: Tessera, target: string): Promise<Answer> {
  try {
    // A target such as `//evil.example` is a path, not a host.
    const url = new URL(`http://site${target.startsWith('/') ? target : '/'}`);
    for (const handle of HANDLERS) {
      const found = await handle(tessera, url);
      if (found) return found;
    }
  } catch {
    // Tessera is unavailable and the content is not cached.
  }
  return page(503, renderMessage('Please try again in a moment', {}));
}

function page(status: number, body: string): Answer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
    body,
  };
}
