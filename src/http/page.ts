/** HTML pages as responses: short message pages and pages to read. */
import { type Brand, brandHeader, brandStyle } from './brand.ts';
import { type Html, html } from './html.ts';
import { iconLink } from './icon.ts';
import type { RawReply } from './route.ts';

/** Pages are not cached, and their type is not guessed, unless their own headers say otherwise. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** Answers with a page. */
export function pageReply(
  page: Html,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): RawReply {
  return { status, headers: { ...HEADERS, ...headers }, body: page.toString() };
}

/** Colours of all pages, light and dark: text on each background has a contrast of 4.5 at least (WCAG 2.2, 1.4.3). */
const COLORS = html`:root { color-scheme: light dark; --ground: #f5f5f4; --card: #fff; --text: #1c1917; --soft: #57534e;
    --line: #d6d3d1; --strong: #1c1917; --on-strong: #fff; --hover: #44403c; --link: #0f766e; --focus: #2563eb;
    --code: #f5f5f4; }
  @media (prefers-color-scheme: dark) { :root { --ground: #0c0a09; --card: #1c1917; --text: #f5f5f4; --soft: #c4bfba;
    --line: #44403c; --strong: #f5f5f4; --on-strong: #1c1917; --hover: #d6d3d1; --link: #5eead4; --focus: #93c5fd;
    --code: #292524; } }
  :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
  a { color: var(--link); text-underline-offset: .15em; }`;

/** Optional parts of a page with one card. */
export interface CardStyle {
  /** English unless given. */
  readonly language?: { readonly tag: string; readonly direction: 'ltr' | 'rtl' };
  /** The brand of the page: name or logo above the content, and the colour of its button. */
  readonly brand?: Brand;
  /** Further CSS rules. */
  readonly style?: Html;
}

/**
 * Headers of pages with one card: no scripts, no frames, no foreign resources except a brand's logo, and forms only to
 * ourselves. No other site learns the address, which may contain a token.
 */
export function cardHeaders(brand?: Brand): Readonly<Record<string, string>> {
  const images = brand?.logo ? `data: ${brand.logo.origin}` : 'data:';
  return {
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src ${images}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  };
}

/**
 * A whole page with one card: plain HTML that needs no other file. `content`: headings, paragraphs, one picture, one
 * form with a button.
 */
export function messagePage(
  title: string,
  content: Html,
  { language = { tag: 'en', direction: 'ltr' }, brand, style }: CardStyle = {},
): Html {
  return html`<!doctype html>
<html lang="${language.tag}" dir="${language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${iconLink()}
<style>
  ${COLORS}
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground); color: var(--text);
    font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
  main { box-sizing: border-box; max-width: 30rem; margin: 1.5rem; padding: 2rem; text-align: center;
    background: var(--card); border-radius: 12px; box-shadow: 0 1px 3px rgb(0 0 0 / 12%); overflow-wrap: anywhere;
    --accent: var(--accent-light, var(--link)); }
  @media (prefers-color-scheme: dark) { main { --accent: var(--accent-dark, var(--link)); } }
  .brand { margin: 0 0 1.5rem; font-weight: 600; color: var(--text); }
  .brand img { max-width: 12rem; max-height: 4rem; vertical-align: middle; }
  @media (prefers-color-scheme: dark) { .brand img { padding: .5rem .75rem; border-radius: 8px; background: #fff; color: #1c1917; } }
  svg { width: 48px; height: 48px; margin-bottom: .75rem; color: var(--soft); }
  h1 { margin: 0 0 .5rem; font-size: 1.25rem; line-height: 1.3; }
  p { margin: 0; color: var(--soft); }
  p.more { margin-top: 1.5rem; }
  button { margin-top: 1.5rem; padding: .75rem 1.5rem; border: 1px solid var(--edge, var(--strong)); border-radius: 8px;
    background: var(--fill, var(--strong)); color: var(--on-fill, var(--on-strong)); font: inherit; font-weight: 600;
    cursor: pointer; }
  button:hover { background: var(--fill-hover, var(--hover)); }
  button.quiet { margin-top: .5rem; border-color: var(--strong); background: transparent; color: var(--text); }
  button.quiet:hover { background: var(--ground); }
  ${style ?? null}
</style>
</head>
<body>
<main${brand ? html` style="${brandStyle(brand)}"` : null}>
${brand ? brandHeader(brand) : null}
${content}
</main>
</body>
</html>
`;
}

/** A link at the top of a page to read. */
export interface PageLink {
  readonly href: string;
  readonly text: string;
  /** True if it leads to the page itself. */
  readonly isCurrentPage?: boolean;
}

/** The parts of a page to read. */
export interface ReadingPage {
  readonly title: string;
  readonly links: readonly PageLink[];
  readonly content: Html;
  /** Further elements of its head. */
  readonly head?: Html;
  /** True if the content has its own main landmark. */
  readonly hasMain?: boolean;
}

/** The `Content-Security-Policy` of pages to read: no foreign resources; our own scripts if `script`. */
export function readingPolicy(script = false): Record<string, string> {
  const scripts = script ? "script-src 'self'; connect-src 'self'; " : '';
  return {
    'content-security-policy': `default-src 'none'; ${scripts}style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
  };
}

/** A whole page to read: a line of links, then text with headings, lists, tables and code. It needs no other file. */
export function readingPage({ title, links, content, head, hasMain = false }: ReadingPage): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${iconLink()}
${head ?? null}
<style>
  ${COLORS}
  body { margin: 0; background: var(--card); color: var(--text);
    font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
  .skip { position: absolute; left: -100rem; padding: .5rem 1rem; background: var(--card); }
  .skip:focus { left: 0; }
  header nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .75rem 1.25rem; background: var(--ground);
    border-bottom: 1px solid var(--line); }
  header a { display: inline-block; padding: .25rem 0; color: var(--text); }
  header a[aria-current] { font-weight: 700; }
  main { display: block; }
  .text { box-sizing: border-box; max-width: 50rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; overflow-wrap: anywhere; }
  .text h1, .text h2, .text h3 { line-height: 1.25; }
  .text h2 { margin-top: 2.25rem; }
  .guides h2 { margin: 1.75rem 0 0; font-size: 1.25rem; }
  .guides p { margin: .25rem 0; }
  .text pre { overflow-x: auto; padding: .75rem 1rem; border-radius: 8px; background: var(--code); line-height: 1.45; }
  .text code { font: .875em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
  .text :not(pre) > code { padding: .1em .3em; border-radius: 4px; background: var(--code); }
  .text .table { overflow-x: auto; }
  .text table { border-collapse: collapse; }
  .text th, .text td { padding: .4rem .75rem; border: 1px solid var(--line); text-align: left; vertical-align: top;
    overflow-wrap: normal; }
  .text th:empty { padding: 0; border: 0; }
  .text summary { cursor: pointer; color: var(--link); }
  .search { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 1rem 0; }
  .search input { flex: 1 1 12rem; padding: .5rem .75rem; border: 1px solid var(--soft); border-radius: 8px;
    background: var(--card); color: var(--text); font: inherit; }
  .search button { padding: .5rem 1rem; border: 1px solid var(--strong); border-radius: 8px; background: var(--strong);
    color: var(--on-strong); font: inherit; cursor: pointer; }
  .state { display: inline-block; padding: .1rem .6rem; border: 1px solid currentColor; border-radius: 99px; }
</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><nav aria-label="Tessera">${links.map(toLink)}</nav></header>
${
  hasMain
    ? content
    : html`<main id="content" tabindex="-1">
${content}
</main>`
}
</body>
</html>
`;
}

function toLink({ href, text, isCurrentPage }: PageLink): Html {
  return isCurrentPage
    ? html`<a href="${href}" aria-current="page">${text}</a>`
    : html`<a href="${href}">${text}</a>`;
}
