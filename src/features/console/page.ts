/** The only HTML page of the console. Its scripts show the screen that belongs to the address. */
import { randomBytes } from 'node:crypto';
import { html, scriptJson } from '../../http/html.ts';
import { iconLink } from '../../http/icon.ts';
import { cardHeaders, messagePage, pageReply } from '../../http/page.ts';
import type { RawReply } from '../../http/route.ts';
import type { Manifest } from './files.ts';

/** Input of the page. */
interface ConsolePage {
  readonly manifest: Manifest;
  /** Files of the screen, which its scripts would request later, one after the other. */
  readonly preloads: readonly string[];
  /** Path of `CONSOLE_URL`, without a trailing slash. */
  readonly base: string;
  /** URL of the API for programs, which the scripts show in examples. */
  readonly apiUrl: string;
  /** The user's session, for the scripts. */
  readonly session: object;
  /** Adds screens for developers. */
  readonly isDevelopment: boolean;
}

/** Returns the page with the user's session. */
export function consolePage(input: ConsolePage): RawReply {
  const { manifest, preloads, base, apiUrl, session, isDevelopment } = input;
  const nonce = randomBytes(16).toString('base64url');
  const url = (file: string) => `${base}/console/assets/${file}`;
  const page = html`<!doctype html>
<html lang="en" data-api="${apiUrl}"${isDevelopment ? html` data-development` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta property="csp-nonce" nonce="${nonce}">
<title>Tessera</title>
${iconLink()}
${manifest.styles.map((file) => html`<link rel="stylesheet" href="${url(file)}">\n`)}
${manifest.preload.map((file) => html`<link rel="modulepreload" href="${url(file)}">\n`)}
<script type="application/json" id="session">${scriptJson(session)}</script>
${manifest.scripts.map((file) => html`<script type="module" src="${url(file)}"></script>\n`)}
${preloads.map((file) => html`<link rel="modulepreload" href="${url(file)}">\n`)}
${manifest.fonts.map((file) => html`<link rel="preload" as="font" type="font/woff2" crossorigin fetchpriority="low" href="${url(file)}">\n`)}
</head>
<body>
<div id="root"></div>
<noscript>The console needs JavaScript. Die Konsole braucht JavaScript.</noscript>
</body>
</html>
`;
  return pageReply(page, consoleHeaders(nonce));
}

/** Headers of the page: it loads only files of this origin, needs the nonce in style elements, and cannot be framed. */
function consoleHeaders(nonce: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  };
}

/** Returns the page that explains how to build the console, if it was not built. */
export function notBuiltPage(): RawReply {
  const content = html`<h1>The console is not built</h1>
<p>This installation has only the packages of the server. Run <code>npm ci &amp;&amp; npm run build:console</code> in
its folder, then reload this page. The API works without the console.</p>`;
  return pageReply(messagePage('The console is not built', content), cardHeaders(), 503);
}
