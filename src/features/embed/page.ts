import { type Html, html, scriptJson } from '../../http/html.ts';
import { messagePage } from '../../http/page.ts';
import { originsOf } from '../forms/index.ts';
import type { EmbeddedForm, EmbedPageData } from './page-data.ts';

/** The language of the form's own texts; SurveyJS reads `locale` the same way. */
function languageOf(definition: EmbeddedForm['formBuilderOptions']): string {
  const { locale } = definition;
  return typeof locale === 'string' && /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(locale) ? locale : 'en';
}

/** What a visitor knows the form by: its title, else the name its owner gave it. */
function titleOf(data: EmbedPageData): string {
  const { title } = data.formBuilderOptions;
  return typeof title === 'string' && title.trim() !== '' ? title : data.name;
}

/**
 * The complete HTML document of `GET /embed/{public_code}` (decisions section 7). It holds no inline script and fits
 * under `embedContentSecurityPolicy`; the script `embed-page.js` reads the form from `#tessera-form`. No text of the
 * form can break out of its place.
 */
export function renderEmbedPage(data: EmbedPageData): Html {
  const assets = `${data.assetBase}/embed/assets`;
  const form: EmbeddedForm = {
    public_code: data.public_code,
    formBuilderOptions: data.formBuilderOptions,
    email_question: data.email_question,
    theme: data.theme,
  };
  // The field "website" is a trap for programs that fill in everything: people neither see nor reach it, and the
  // data attributes keep password managers from filling it.
  return html`<!doctype html>
<html lang="${languageOf(data.formBuilderOptions)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${titleOf(data)}</title>
<link rel="stylesheet" href="${assets}/embed-page.css">
<script src="${assets}/embed-page.js" defer></script>
</head>
<body>
<main id="tessera-survey" tabindex="-1"></main>
<div id="tessera-notices">
<p id="tessera-status" role="status"></p>
<div id="tessera-alert" role="alert" tabindex="-1"></div>
<p id="tessera-continue"></p>
</div>
<div class="tessera-website" aria-hidden="true">
<label for="tessera-website">Website</label>
<input id="tessera-website" name="website" type="text" tabindex="-1" autocomplete="off" data-1p-ignore data-lpignore="true">
</div>
<noscript><p class="tessera-noscript">This form needs JavaScript. Please turn it on and load the page again.</p></noscript>
<script type="application/json" id="tessera-form">${scriptJson(form)}</script>
</body>
</html>
`;
}

/**
 * The page of an unknown or inactive form: answered with status 404 and `embedContentSecurityPolicy(['*'])`, so that
 * it also shows inside a frame. It needs no other file.
 */
export function renderFormNotFoundPage(): Html {
  return messagePage(
    'Form not available',
    html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" aria-hidden="true">
<path d="M6 3h8l4 4v14H6zM14 3v4h4M9.5 12.5l5 5M14.5 12.5l-5 5"/>
</svg>
<h1>This form is not available</h1>
<p>It may have been closed, or the address may be wrong. Please ask the site that led you here.</p>`,
  );
}

/** The sources of `frame-ancestors` for a list of allowed origins (W3C CSP 3, section 6.4.2). */
function frameAncestors(allowedOrigins: readonly string[]): string {
  const origins = originsOf(allowedOrigins);
  if (origins.includes('*')) return '*';
  return origins.length === 0 ? "'none'" : origins.join(' ');
}

/**
 * The `Content-Security-Policy` of the form page: only our own script runs, nothing is sent elsewhere, and only
 * `allowed_origins` may frame it (`*` means all, an empty list means none). Entries that are no `http(s)` origin are
 * left out, so no entry can add a directive or a header.
 */
export function embedContentSecurityPolicy(allowedOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // SurveyJS sets styles on its elements while it draws.
    "style-src 'self' 'unsafe-inline'",
    'img-src https: http: data:',
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors(allowedOrigins)}`,
  ].join('; ');
}
