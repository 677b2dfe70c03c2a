/** Guides and specification of this version, served by the process. */
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { type Html, html } from '../../../http/html.ts';
import { type PageLink, readingPage } from '../../../http/page.ts';
import { compressFile, type StaticFile } from '../../../http/static-file.ts';
import { anchorOf, fileOfLink, renderMarkdown } from './markdown.ts';

const TOP = join(import.meta.dirname, '../../../..');
/** Folders of the pages, both in the repository and in URLs. */
const FOLDERS = ['docs', 'docs/specification'];
/** Pages with fewer sections have no table of contents. */
const MIN_SECTIONS = 4;
const TOUR = { file: 'README.md', url: 'docs/tour' };

/** Returns the links at the top of every page. `here` is the page's path, relative to the root of the service. */
export function pageLinks(here: string): readonly PageLink[] {
  const links = [
    { url: '', text: 'Tessera' },
    { url: 'docs', text: 'API reference' },
    { url: TOUR.url, text: 'Tour' },
    { url: 'guides', text: 'Guides' },
    { url: 'docs/errors', text: 'Errors' },
    { url: 'docs/specification/README', text: 'Specification' },
  ];
  return links.map(({ url, text }) => ({ href: relativeUrl(here, url), text, isHere: url === here }));
}

/** Returns a page. Pages are rendered on first use, because compressing all of them at once takes 400 MiB. */
export type Guide = () => Promise<StaticFile>;

/** Returns all guides by path, relative to the root of the service (`docs/errors`). */
export async function findGuides(): Promise<ReadonlyMap<string, Guide>> {
  const urls = new Map([[TOUR.file, TOUR.url]]);
  for (const folder of FOLDERS) {
    for (const name of await readdir(join(TOP, folder)))
      if (name.endsWith('.md')) urls.set(`${folder}/${name}`, `${folder}/${name.slice(0, -3)}`);
  }
  return new Map([...urls].map(([file, url]) => [url, once(() => guideOf(file, url, urls))]));
}

function once(make: Guide): Guide {
  let made: Promise<StaticFile> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function guideOf(file: string, url: string, urls: ReadonlyMap<string, string>): Promise<StaticFile> {
  const text = await readFile(join(TOP, file), 'utf8');
  const content = renderMarkdown(text, (href) => {
    const named = fileOfLink(file, href);
    if (named === null) return href;
    if (named.file === file) return named.anchor;
    const target = named.file === 'openapi.json' ? named.file : urls.get(named.file);
    return target === undefined ? null : relativeUrl(url, target) + named.anchor;
  });
  const page = readingPage({
    title: `${/^# (.+)$/m.exec(text)?.[1] ?? url} - Tessera`,
    links: pageLinks(url),
    content: html`<article class="text">${contentsOf(text)}${content}</article>`,
  });
  return compressFile('text/html; charset=utf-8', page.toString());
}

/** Returns the table of contents of a long page. */
function contentsOf(text: string): Html | null {
  const fenced = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
  const headings = [...fenced.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading.replaceAll('`', ''));
  if (headings.length < MIN_SECTIONS) return null;
  const links = headings.map((heading) => html`<li><a href="#${anchorOf(heading)}">${heading}</a></li>`);
  return html`<nav aria-label="Contents"><details><summary>Contents</summary><ul>${links}</ul></details></nav>`;
}

/** Returns the relative URL from one path to another, independent of the mount path. */
function relativeUrl(from: string, to: string): string {
  const folder = posix.relative(posix.dirname(`/${from}`), posix.dirname(`/${to}`));
  return posix.join(folder, posix.basename(to)) || '.';
}
