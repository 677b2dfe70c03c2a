/** The page `/guides`: a list of all guides with their tables of contents, and a search in their sections. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Html, html } from '../../../http/html.ts';
import { readingPage } from '../../../http/page.ts';
import { pageLinks } from './guides.ts';
import { anchorOf } from './markdown.ts';

const TOP = join(import.meta.dirname, '../../../..');
/** Maximum number of search results. */
const MAX_RESULTS = 50;
/** Maximum length of an excerpt, in characters. */
const MAX_EXCERPT = 220;

/** A section of a guide below one heading. */
interface Section {
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
}

/** A guide that the README's table lists. */
export interface ListedGuide {
  /** Path from the root of the service. */
  readonly url: string;
  readonly title: string;
  readonly about: string;
  readonly sections: readonly Section[];
}

/** Lists the guides in the order of the README's table. */
export async function listGuides(): Promise<readonly ListedGuide[]> {
  const readme = await readFile(join(TOP, 'README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| \[(docs\/[\w-]+)\.md\]\([^)]+\) \| (.+) \|$/gm)];
  return Promise.all(
    rows.map(async ([, url = '', about = '']) => {
      const text = await readFile(join(TOP, `${url}.md`), 'utf8');
      const title = /^# (.+)$/m.exec(text)?.[1] ?? url;
      return { url, title, about, sections: sectionsOf(text) };
    }),
  );
}

/** Returns the page with search results, or with all guides. */
export function guidesPage(guides: readonly ListedGuide[], query: string): Html {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const content = html`<div class="text guides">
<h1>Guides</h1>
${searchForm(query)}
${words.length === 0 ? guides.map(toEntry) : toResults(guides, words)}
</div>`;
  return readingPage({ title: 'Guides - Tessera', links: pageLinks('guides'), content });
}

/** Returns the search form. */
export function searchForm(query = ''): Html {
  return html`<form class="search" action="guides" role="search">
<label for="q">Search the guides</label>
<input id="q" name="q" type="search" maxlength="200" value="${query}">
<button>Search</button>
</form>`;
}

/** Renders the entry of a guide with its table of contents. */
function toEntry({ url, title, about, sections }: ListedGuide): Html {
  const named = sections.filter(({ heading }) => heading !== title);
  const contents = html`<ul>${named.map(
    ({ heading, anchor }) => html`<li><a href="${url}#${anchor}">${heading}</a></li>`,
  )}</ul>`;
  return html`<h2><a href="${url}">${title}</a></h2>
<p>${about.charAt(0).toUpperCase()}${about.slice(1)}</p>
${named.length === 0 ? null : html`<details><summary>Contents</summary>${contents}</details>`}`;
}

/** Renders sections that contain all words; those with all words in the heading come first. */
function toResults(guides: readonly ListedGuide[], words: readonly string[]): Html {
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = guides
    .flatMap(({ url, title, sections }) => sections.map((section) => ({ url, title, ...section })))
    .filter(({ title, heading, text }) => has(`${title} ${heading} ${text}`))
    .map((section) => ({ ...section, isNamed: has(`${section.title} ${section.heading}`) }))
    .sort((one, other) => Number(other.isNamed) - Number(one.isNamed));
  const shown = found.slice(0, MAX_RESULTS);
  const count = found.length === 1 ? '1 section' : `${found.length} sections`;
  return html`<p role="status">${count} found.</p>
${shown.map(
  ({ url, title, heading, anchor, text }) => html`<h2><a href="${url}#${anchor}">${title}: ${heading}</a></h2>
<p>${excerptOf(text, words)}</p>`,
)}
<p><a href="guides">All guides</a></p>`;
}

/** Returns the text around the first search word. */
function excerptOf(text: string, words: readonly string[]): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  const at = plain.toLowerCase().indexOf(words[0] ?? '');
  const from = Math.max(0, at - MAX_EXCERPT / 3);
  const excerpt = plain.slice(from, from + MAX_EXCERPT).toWellFormed();
  return `${from > 0 ? '…' : ''}${excerpt}${from + MAX_EXCERPT < plain.length ? '…' : ''}`;
}

/** Splits a guide into sections at first and second level headings. Code blocks lose only their fences. */
function sectionsOf(text: string): Section[] {
  const fenced = text.replaceAll(/^ *```.*$/gm, '');
  return fenced.split(/^(?=##? )/m).flatMap((part) => {
    const [, heading] = /^##? (.+)$/m.exec(part) ?? [];
    if (heading === undefined) return [];
    const plain = heading.replaceAll('`', '');
    return [{ heading: plain, anchor: anchorOf(plain), text: part.slice(part.indexOf('\n')) }];
  });
}
