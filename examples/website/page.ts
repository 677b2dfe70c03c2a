/**
 * Renders documents as HTML. Site and editors agree on the content of a document: here a title, paragraphs and links.
 */
import type { Document, Settings } from './tessera.ts';

interface Content {
  readonly title?: string;
  readonly paragraphs?: readonly string[];
  readonly links?: readonly { readonly text: string; readonly url: string }[];
}

/** Renders the page of a document. */
export function renderDocument(document: Document, settings: Settings, notice = ''): string {
  const { title = document.name ?? '', paragraphs = [], links = [] } = readContent(document.data);
  const items = links.map(
    ({ text, url }) => `<li><a href="${toHtml(safeUrl(url))}">${toHtml(text)}</a></li>`,
  );
  return renderPage(title, settings, [
    ...(notice === '' ? [] : [`<p class="notice">${toHtml(notice)}</p>`]),
    `<h1>${toHtml(title)}</h1>`,
    ...paragraphs.map((text) => `<p>${toHtml(text)}</p>`),
    ...(items.length === 0 ? [] : [`<ul>${items.join('')}</ul>`]),
  ]);
}

/** Renders a page with a single message. */
export function renderMessage(message: string, settings: Settings): string {
  return renderPage(message, settings, [`<h1>${toHtml(message)}</h1>`]);
}

function renderPage(title: string, settings: Settings, parts: readonly string[]): string {
  const { website_name = 'Website', default_meta_description = '', typography } = settings;
  const family = (typography?.body?.family ?? 'sans-serif').replaceAll(/[^\w -]/g, '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${toHtml(default_meta_description)}">
<title>${toHtml(title)} · ${toHtml(website_name)}</title>
<link rel="stylesheet" href="/site.css">
</head>
<body style="font-family: '${family}', sans-serif">
<header><a href="/">${toHtml(website_name)}</a></header>
<main>
${parts.join('\n')}
</main>
</body>
</html>
`;
}

/** Parses the content of a document. A preview may be incomplete, so invalid content is empty. */
function readContent(data: string): Content {
  try {
    const content: unknown = JSON.parse(data);
    return typeof content === 'object' && content !== null ? content : {};
  } catch {
    return {};
  }
}

/** Returns the URL if it is a path or a web address; `#` for others, such as `javascript:`. */
function safeUrl(url: string): string {
  return /^(?:\/(?!\/)|https?:\/\/)/.test(url) ? url : '#';
}

function toHtml(text: string): string {
  return String(text).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
