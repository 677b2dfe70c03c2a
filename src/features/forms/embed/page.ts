import type { ITheme } from 'survey-core';
import type { Brand } from '../../../http/brand.ts';
import { isDark } from '../../../http/color.ts';
import { type Html, html, scriptJson } from '../../../http/html.ts';
import { messagePage } from '../../../http/page.ts';
import { originsOf } from '../forms/index.ts';
import { withButtonText } from './button-texts.ts';
import { renderFirstPage } from './first-page.ts';
import type { PageLanguage } from './language.ts';
import type { EmbeddedForm, EmbedPageData, PlainEmbeddedForm } from './page-data.ts';
import { drawPlainForm } from './plain-form/draw-form.ts';
import { type PlainForm, readPlainForm, toScriptForm } from './plain-form/read-plain-form.ts';
import { toSurveyTheme } from './theme.ts';
import { textsIn } from './translations.ts';

/** Returns the title that visitors see: that of the form, else its internal name. */
function titleOf(data: EmbedPageData): string {
  const { title } = data.formBuilderOptions;
  return typeof title === 'string' && title.trim() !== '' ? title : data.name;
}

/**
 * Returns CSS with a theme's colors. It also sets the color scheme, because browsers draw their own controls, such as
 * date pickers, for light pages by default.
 */
function styleOf(variables: Readonly<Record<string, string>>): string {
  const scheme = isDark(variables['--sjs-general-backcolor'] ?? '#ffffff') ? 'dark' : 'light';
  const declarations = Object.entries(variables).map(([name, value]) => `${name}:${value}`);
  return [`color-scheme:${scheme}`, ...declarations].join(';');
}

/** The HTML of a form, and what the page needs to run it. */
interface ShownForm {
  /** Links to the files that the page loads. */
  readonly files: Html;
  readonly content: Html;
  /** True if the form's title is the heading of the page. */
  readonly hasHeading: boolean;
  readonly pageData: PlainEmbeddedForm | EmbeddedForm;
}

function assetsOf({ assetBase }: EmbedPageData): string {
  return `${assetBase}/embed/assets`;
}

/** Renders a form for SurveyJS: only its first page is drawn in advance. */
function showWithSurvey(data: EmbedPageData, theme: ITheme): ShownForm {
  const { public_code, formBuilderOptions, email_question, challenge, language } = data;
  const assets = assetsOf(data);
  const { locale, textsFile } = language;
  const texts = textsIn(language.tag);
  const addedQuestion = email_question === null ? texts.emailAddress : null;
  return {
    files: html`<link rel="stylesheet" href="${assets}/embed-page.css">
${textsFile === null ? null : html`<script src="${assets}/locale-${textsFile}.js" defer></script>\n`}<script src="${assets}/embed-page.js" defer></script>`,
    content: renderFirstPage({ definition: formBuilderOptions, locale, addedQuestion }),
    hasHeading: false,
    pageData: { public_code, formBuilderOptions, email_question, theme, challenge, locale, texts },
  };
}

/** Renders all of a plain form. */
function showPlain(data: EmbedPageData, form: PlainForm, isPanelless: boolean): ShownForm {
  const { public_code, challenge, language } = data;
  const assets = assetsOf(data);
  const texts = textsIn(language.tag);
  return {
    // A module, which loads another script for the few forms that need it.
    files: html`<link rel="stylesheet" href="${assets}/plain-form.css">
<script src="${assets}/plain-form.js" type="module"></script>`,
    content: drawPlainForm(form, { pageOf: texts.pageOf, isPanelless }),
    hasHeading: form.title !== '',
    pageData: { public_code, locale: language.locale, texts, challenge, plain: toScriptForm(form) },
  };
}

/** A plain form whose theme only sets colors and sizes is shown without SurveyJS. */
function showForm(data: EmbedPageData, theme: ITheme): ShownForm {
  const { isPanelless = false, ...others } = theme;
  const plain =
    Object.keys(others).length > 0
      ? null
      : readPlainForm({
          definition: data.formBuilderOptions,
          locale: data.language.locale,
          emailQuestion: data.email_question,
          emailTitle: textsIn(data.language.tag).emailAddress,
        });
  return plain === null ? showWithSurvey(data, theme) : showPlain(data, plain, isPanelless);
}

/**
 * Renders the HTML document of `GET /embed/{public_code}` (docs/specification/forms.md#embedding). It contains no
 * inline script and complies with `embedContentSecurityPolicy`; its script reads the form from `#tessera-form`. All
 * texts of the form are escaped.
 */
export function renderEmbedPage(data: EmbedPageData): Html {
  const { language, purpose } = data;
  const { cssVariables = {}, ...theme } = toSurveyTheme(data.theme?.formBuilderThemeOptions ?? null);
  const formBuilderOptions = withButtonText(data.formBuilderOptions, purpose, language);
  const { files, content, hasHeading, pageData } = showForm({ ...data, formBuilderOptions }, theme);
  const heading = html`<h1 id="tessera-title" class="tessera-unseen">${titleOf(data)}</h1>
`;
  // A honeypot for bots that fill in everything; people cannot see or reach it. Browsers choose autofill values by
  // name, id and label, and may ignore `off`; no browser has a saved value for a one-time code. The data attributes are
  // for password managers.
  return html`<!doctype html>
<html lang="${language.tag}" dir="${language.direction}" class="${theme.isPanelless ? 'tessera-panelless' : ''}" style="${styleOf(cssVariables)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${titleOf(data)}</title>
${files}
</head>
<body>
<main>
${hasHeading ? null : heading}<div id="tessera-survey" tabindex="-1">${content}</div>
<div id="tessera-notices">
<p id="tessera-status" role="status"></p>
<div id="tessera-alert" role="alert" tabindex="-1"></div>
<p id="tessera-continue"></p>
</div>
</main>
<div class="tessera-website" aria-hidden="true">
<label for="tessera-unused">Leave this empty</label>
<input id="tessera-unused" name="tessera-unused" type="text" tabindex="-1" autocomplete="one-time-code" data-1p-ignore data-lpignore="true" data-bwignore data-form-type="other">
</div>
<noscript><p class="tessera-noscript">${textsIn(language.tag).needsScript}</p></noscript>
<script type="application/json" id="tessera-form">${scriptJson(pageData)}</script>
</body>
</html>
`;
}

/**
 * Renders the page of an unknown or inactive form, the latter with its tenant's brand. It is sent with status 404 and
 * `embedContentSecurityPolicy(['*'])`, so that it also shows inside a frame. Its script reports to the parent page that
 * it has loaded.
 */
export function renderFormNotFoundPage(
  language: PageLanguage,
  assetBase: string,
  brand: Brand | undefined,
): Html {
  const { absentTitle, absentText } = textsIn(language.tag);
  return messagePage(
    absentTitle,
    html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" aria-hidden="true">
<path d="M6 3h8l4 4v14H6zM14 3v4h4M9.5 12.5l5 5M14.5 12.5l-5 5"/>
</svg>
<h1>${absentTitle}</h1>
<p>${absentText}</p>
<script src="${assetBase}/embed/assets/embed-absent.js" defer></script>`,
    { language, ...(brand ? { brand } : {}) },
  );
}

/** Returns the sources of `frame-ancestors` for a list of allowed origins (W3C CSP 3, section 6.4.2). */
function frameAncestors(allowedOrigins: readonly string[]): string {
  const origins = originsOf(allowedOrigins);
  if (origins.includes('*')) return '*';
  return origins.length === 0 ? "'none'" : origins.join(' ');
}

/**
 * Returns the `Content-Security-Policy` of the form page: only our own scripts run, data is sent only to us, and only
 * `allowed_origins` may frame it (`*` means all, an empty list none). Entries that are not `http(s)` origins are left
 * out, so that no entry can add a directive or a header.
 */
export function embedContentSecurityPolicy(allowedOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // SurveyJS sets inline styles on its elements.
    "style-src 'self' 'unsafe-inline'",
    'img-src https: http: data:',
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors(allowedOrigins)}`,
  ].join('; ');
}
