/** Routes that answer with a page, and pages that tell a visitor one thing. */
import type { TObject, TSchema } from 'typebox';
import { type Html, html } from './html.ts';
import type { Access, AnyContext, RawReply, RawRoute, Route, RouteInput } from './route.ts';

/** A page as an answer. */
export interface Page {
  /** Default: 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly html: Html;
}

type PageRoute<A extends Access, P extends TObject, Q extends TObject, B extends TSchema> = Omit<
  RawRoute<A, P, Q, B>,
  'raw' | 'handler'
> & {
  /** What the page is, for the reference. */
  readonly page: string;
  readonly handler: (...args: Parameters<RawRoute<A, P, Q, B>['handler']>) => Promise<Page> | Page;
};

interface ErasedPageRoute extends Omit<Route, 'handler'> {
  readonly page: string;
  handler(ctx: AnyContext, input: RouteInput): Promise<Page> | Page;
}

/** A page is nobody's to keep or to guess the type of, unless its own headers say otherwise. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** Declares a route that answers with a page. */
export function definePage<
  const A extends Access,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(route: PageRoute<A, P, Q, B>): Route;
export function definePage({ page, handler, ...facts }: ErasedPageRoute): Route {
  return {
    ...facts,
    raw: { contentType: 'text/html', description: page },
    handler: async (ctx, input) => toReply(await handler(ctx, input)),
  };
}

function toReply({ status = 200, headers, html }: Page): RawReply {
  return { status, headers: { ...HEADERS, ...headers }, body: html.toString() };
}

/**
 * A whole page with one card: plain HTML that needs no other file, so that it shows wherever mail and sites do.
 * `content`: headings, paragraphs, one picture, one form with a button.
 */
export function messagePage(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f5f5f4; color: #1c1917;
    font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
  main { box-sizing: border-box; max-width: 30rem; margin: 1.5rem; padding: 2rem; text-align: center;
    background: #fff; border-radius: 12px; box-shadow: 0 1px 3px rgb(0 0 0 / 12%); overflow-wrap: anywhere; }
  svg { width: 48px; height: 48px; margin-bottom: .75rem; color: #78716c; }
  h1 { margin: 0 0 .5rem; font-size: 1.25rem; line-height: 1.3; }
  p { margin: 0; color: #57534e; }
  button { margin-top: 1.5rem; padding: .75rem 1.5rem; border: 0; border-radius: 8px; background: #1c1917;
    color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
  button:hover { background: #44403c; }
  button:focus-visible { outline: 3px solid #2563eb; outline-offset: 2px; }
</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}
