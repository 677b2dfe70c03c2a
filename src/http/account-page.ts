/**
 * Pages about accounts (sign-in, passwords, invitations): one card with a form, in English or German, without scripts.
 */
import { createHash, randomBytes } from 'node:crypto';
import { oncePerPlatform } from '../platform.ts';
import { acceptedLanguages } from './accepted-languages.ts';
import { type Brand, brandHeader } from './brand.ts';
import { readBuiltFile } from './built-files.ts';
import { basePath } from './console-paths.ts';
import type { RequestContext } from './context.ts';
import { Html, html } from './html.ts';
import { ICON_SVG, iconLink } from './icon.ts';
import { pageReply } from './page.ts';
import type { RawReply } from './route.ts';
import { compressedReply, compressFile } from './static-file.ts';

/** The path of the font of these pages. */
export const ACCOUNT_FONT_PATH = '/account-pages.woff2';

/** The languages of these pages. */
export type AccountLanguage = 'en' | 'de';

/** Texts in each language. */
export type AccountTexts<T> = Readonly<Record<AccountLanguage, T>>;

/** Returns the language that the reader prefers, English if it is neither. */
export function accountLanguage({ headers }: Pick<RequestContext, 'headers'>): AccountLanguage {
  for (const tag of acceptedLanguages(String(headers['accept-language'] ?? ''))) {
    const [primary] = tag.toLowerCase().split('-');
    if (primary === 'en' || primary === 'de') return primary;
  }
  return 'en';
}

/** The font, which is loaded by all of these pages. */
export const accountFont = oncePerPlatform(async () =>
  compressFile('font/woff2', await readBuiltFile('account-pages.woff2')),
);

const styleSheet = oncePerPlatform(async (platform) => {
  const [sheet, { body }] = await Promise.all([readBuiltFile('account-pages.css'), accountFont(platform)]);
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 8);
  const font = `@font-face{font-family:Inter;src:url("${basePath(platform.consoleUrl())}${ACCOUNT_FONT_PATH}?v=${digest}") format("woff2");font-weight:400 600;font-display:swap}`;
  return new Html(`${sheet}\n${font}`);
});

/** The content of a page. */
export interface AccountPage {
  readonly language: AccountLanguage;
  readonly title: string;
  /** A heading, an introduction, a form, links. */
  readonly content: Html;
  /** The brand of the page; without one it has that of Tessera. */
  readonly brand?: Brand;
  readonly status?: number;
}

/** Answers with a page. No other site learns its address, which may contain a token. */
export async function accountPageReply(
  ctx: RequestContext,
  { language, title, content, brand, status = 200 }: AccountPage,
): Promise<RawReply> {
  const nonce = randomBytes(16).toString('base64url');
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${iconLink()}
<style nonce="${nonce}">${await styleSheet(ctx.platform)}
${brand === undefined ? null : brandColors(brand)}</style>
</head>
<body>
<main>
${brand === undefined ? PRODUCT : brandHeader(brand)}
${content}
</main>
</body>
</html>
`;
  return compressedReply(ctx, pageReply(page, accountHeaders(nonce, brand), status));
}

const PRODUCT = html`<p class="brand">${new Html(ICON_SVG.replace('<svg', '<svg aria-hidden="true"'))}Tessera</p>`;

/** The colours of a brand in place of the accent; links keep the colour of the text. */
function brandColors({ colors }: Brand): Html | null {
  if (colors === null) return null;
  const { fill, onFill, accentLight, accentDark } = colors;
  const away = onFill === '#ffffff' ? 'black' : 'white';
  return new Html(
    `:root{--accent:${fill};--on-accent:${onFill};--accent-hover:color-mix(in srgb,${fill} 88%,${away});--edge:light-dark(${accentLight},${accentDark});--accent-text:var(--text)}:focus-visible{outline-color:light-dark(${accentLight},${accentDark})}`,
  );
}

/** Headers of a page: no scripts, no frames, no foreign files except a brand's logo, and forms only to ourselves. */
function accountHeaders(nonce: string, brand: Brand | undefined): Readonly<Record<string, string>> {
  const images = brand?.logo ? `data: ${brand.logo.origin}` : 'data:';
  return {
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; font-src 'self'; img-src ${images}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    // Forms must send their origin, which they do not with `no-referrer`.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'x-robots-tag': 'noindex',
    vary: 'Accept-Language',
  };
}
