/** The HTML around a page of the guides. */
import { type Html, html } from '../../../src/http/html.ts';
import { ICON_SVG, iconLink } from '../../../src/http/icon.ts';
import type { Section } from './markdown.ts';
import { pathOfFile, SPECIFICATION_FILE } from './navigation.ts';

/** A page as other pages link to it. */
export interface PageEntry {
  readonly file: string;
  /** From the root of the service. */
  readonly path: string;
  readonly title: string;
  readonly label: string;
  readonly about: string;
}

/** A group of the navigation with its pages. */
export interface NavigationGroup {
  readonly title: string;
  readonly about: string;
  readonly isFolded?: true;
  readonly pages: readonly PageEntry[];
}

/** Names of the built scripts, styles and data below `guides/files/`. */
export interface SiteFiles {
  readonly theme: string;
  readonly script: string;
  readonly styles: string;
  readonly font: string;
  readonly search: string;
}

/** All pages of the site, for links between them. */
export interface Site {
  readonly groups: readonly NavigationGroup[];
  readonly files: SiteFiles;
}

/** The parts of one page. */
export interface SitePage {
  readonly path: string;
  readonly title: string;
  readonly about: string;
  readonly group?: string;
  readonly content: Html;
  readonly sections: readonly Section[];
  readonly previous?: PageEntry | undefined;
  readonly next?: PageEntry | undefined;
}

/** Pages with fewer sections have no table of contents. */
const MIN_SECTIONS = 3;

/** Returns the relative URL from a page to the root of the service: '', '../' or '../../'. */
export function rootFrom(path: string): string {
  return '../'.repeat(path.split('/').length - 1);
}

/** Returns the HTML of a page. */
export function layoutPage(site: Site, page: SitePage): Html {
  const root = rootFrom(page.path);
  const file = (name: string) => `${root}guides/files/${name}`;
  const { theme, script, styles, font, search } = site.files;
  const contents = page.sections.filter(({ depth }) => depth === 2);
  const hasContents = contents.length >= MIN_SECTIONS;
  return html`<!doctype html>
<html lang="en" data-root="${root}" data-search="${file(search)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${page.about}">
<title>${page.title} - Tessera</title>
${iconLink()}
<link rel="preload" href="${file(font)}" as="font" type="font/woff2" crossorigin>
<script src="${file(theme)}"></script>
<link rel="stylesheet" href="${file(styles)}">
<script type="module" src="${file(script)}"></script>
</head>
<body>
<a class="skip" href="#site-content">Skip to the content</a>
${topBar(root, page.path)}
<div class="frame${hasContents ? '' : ' narrow'}">
<nav class="pages" id="site-pages" aria-label="Guides" popover>
<div class="sites">${siteLinks(root, page.path)}</div>
${site.groups.map((group) => navigationGroup(group, root, page.path))}
</nav>
<main id="site-content" tabindex="-1">
${page.group === undefined ? null : html`<p class="group">${page.group}</p>`}
${hasContents ? html`<details class="contents"><summary>On this page</summary>${contentsList(contents)}</details>` : null}
${page.content}
${neighbours(root, page)}
</main>
${hasContents ? html`<nav class="contents" aria-label="On this page"><p>On this page</p>${contentsList(contents)}</nav>` : null}
</div>
${searchDialog()}
</body>
</html>
`;
}

function topBar(root: string, path: string): Html {
  return html`<header class="top">
<button class="icon menu" type="button" popovertarget="site-pages" aria-label="All guides"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4.5h12M2 8h12M2 11.5h12"/></svg></button>
<a class="brand" href="${root || '.'}">${tesseraIcon()}Tessera</a>
<nav class="sites" aria-label="Tessera">${siteLinks(root, path)}</nav>
<button class="search-button" type="button" data-search-open aria-keyshortcuts="/ Control+K"><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/></svg><span>Search</span><kbd>/</kbd></button>
<button class="icon theme" type="button" data-theme-switch aria-label="Dark theme" aria-pressed="false"><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="5.5"/><path class="half" d="M8 2.5a5.5 5.5 0 0 1 0 11z"/></svg></button>
</header>`;
}

function siteLinks(root: string, path: string): Html[] {
  const specification = pathOfFile(SPECIFICATION_FILE);
  const isSpecification = path.startsWith('guides/specification/');
  const links = [
    { to: 'guides', text: 'Guides', isHere: !isSpecification },
    { to: 'docs', text: 'API reference', isHere: false },
    { to: specification, text: 'Specification', isHere: isSpecification },
  ];
  return links.map(
    ({ to, text, isHere }) =>
      html`<a href="${root}${to}"${isHere ? html` aria-current="true"` : null}>${text}</a>`,
  );
}

function tesseraIcon(): Html {
  return html`<img src="data:image/svg+xml,${encodeURIComponent(ICON_SVG)}" width="20" height="20" alt="">`;
}

function navigationGroup({ title, pages, isFolded }: NavigationGroup, root: string, path: string): Html {
  const list = html`<ul>${pages.map(
    (page) =>
      html`<li><a href="${root}${page.path}"${page.path === path ? html` aria-current="page"` : null}>${page.label}</a></li>`,
  )}</ul>`;
  if (!isFolded) return html`<section><h2>${title}</h2>${list}</section>`;
  const isOpen = pages.some((page) => page.path === path);
  return html`<details${isOpen ? html` open` : null}><summary>${title}</summary>${list}</details>`;
}

function contentsList(sections: readonly Section[]): Html {
  return html`<ul>${sections.map(({ heading, anchor }) => html`<li><a href="#${anchor}">${heading}</a></li>`)}</ul>`;
}

function neighbours(root: string, { previous, next }: SitePage): Html | null {
  if (!previous && !next) return null;
  const link = (page: PageEntry | undefined, name: string, word: string) =>
    page && html`<a class="${name}" href="${root}${page.path}"><span>${word}</span> ${page.label}</a>`;
  return html`<nav class="neighbours" aria-label="Previous and next guide">${link(previous, 'previous', 'Previous') ?? null}${link(next, 'next', 'Next') ?? null}</nav>`;
}

function searchDialog(): Html {
  return html`<dialog id="site-search" aria-label="Search the guides">
<form role="search" method="dialog">
<input type="search" aria-label="Search the guides" placeholder="Search the guides" maxlength="200" autocomplete="off" autocapitalize="none" spellcheck="false">
<button type="button" data-search-close>Close</button>
</form>
<p role="status"></p>
<ol></ol>
</dialog>`;
}

/** Returns the content of the page `guides`: every page by group. */
export function overview(groups: readonly NavigationGroup[]): Html {
  const folded = groups.filter(({ isFolded }) => isFolded);
  const open = groups.filter(({ isFolded }) => !isFolded);
  const [start, ...others] = open;
  const tour = start?.pages[0];
  return html`<div class="lead"><h1>Guides</h1>
<p>Each guide ends with something that works. Its commands run as they stand, after those of the tour.</p>
${tour ? html`<a class="button" href="${tour.path}#five-minutes">Take the tour</a>` : null}
<button class="button quiet" type="button" data-search-open>Search the guides</button></div>
<div class="groups">${others.map(overviewGroup)}</div>
${folded.map(
  ({ title, about, pages }) => html`<section class="folded"><h2>${title}</h2><p>${about}</p>
<ul>${pages.map(({ path, label }) => html`<li><a href="${path}">${label}</a></li>`)}</ul></section>`,
)}`;
}

function overviewGroup({ title, about, pages }: NavigationGroup): Html {
  return html`<section><h2>${title}</h2><p>${about}</p>
<ul>${pages.map(({ path, label, about: text }) => html`<li><a href="${path}"><strong>${label}</strong><span>${text}</span></a></li>`)}</ul></section>`;
}
