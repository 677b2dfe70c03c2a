/**
 * A website that takes its content from Tessera. A request goes through four steps, and the first that has an answer gives it: a
 * file, a preview, a redirect, a document.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { renderDocument, renderMessage } from './page.ts';
import { Tessera, type TesseraOptions } from './tessera.ts';

/** What a step answers. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A step on a request's way; null: the next one may have an answer. */
type Step = (tessera: Tessera, url: URL) => Promise<Answer | null>;

const FILES: Readonly<Record<string, string>> = { '/site.css': 'text/css; charset=utf-8' };

const answerFile: Step = async (_tessera, { pathname }) => {
  const type = FILES[pathname];
  if (type === undefined) return null;
  const body = await readFile(`${import.meta.dirname}/public${pathname}`, 'utf8');
  return { status: 200, headers: { 'content-type': type, 'cache-control': 'max-age=3600' }, body };
};

const answerPreview: Step = async (tessera, { pathname }) => {
  const [, token] = /^\/preview\/([^/]+)$/.exec(pathname) ?? [];
  if (token === undefined) return null;
  const [draft, settings] = await Promise.all([tessera.readPreview(token), tessera.readSettings()]);
  if (draft === null) return page(404, renderMessage('This preview is over', settings));
  const answer = page(200, renderDocument(draft, settings, 'Preview: this is not published.'));
  // Nobody finds an unpublished page by chance.
  return {
    ...answer,
    headers: { ...answer.headers, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' },
  };
};

const answerRedirect: Step = async (tessera, { pathname, search }) => {
  const led = await tessera.checkRedirect(`${pathname}${search}`);
  if (led === null) return null;
  return { status: Number(led.redirect_type), headers: { location: led.target_url }, body: '' };
};

const answerDocument: Step = async (tessera, { pathname }) => {
  const uid = pathname === '/' ? 'home' : pathname.slice(1).replace(/\/$/, '');
  const [document, settings] = await Promise.all([
    /^[a-z0-9_-]+$/.test(uid) ? tessera.findDocument(uid) : null,
    tessera.readSettings(),
  ]);
  return document === null
    ? page(404, renderMessage('There is no such page', settings))
    : page(200, renderDocument(document, settings));
};

const STEPS: readonly Step[] = [answerFile, answerPreview, answerRedirect, answerDocument];

/** The website as a server that does not listen yet. */
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
    for (const step of STEPS) {
      const found = await step(tessera, url);
      if (found) return found;
    }
  } catch {
    // Nothing is kept of what was asked for, and Tessera does not answer.
  }
  return page(503, renderMessage('Please come back in a moment', {}));
}

function page(status: number, body: string): Answer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
    body,
  };
}
