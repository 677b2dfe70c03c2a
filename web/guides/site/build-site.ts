/** Builds the guides: Markdown in, static pages with their scripts, styles and search data out. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import sharp from 'sharp';
import {
  layoutPage,
  overview,
  type PageEntry,
  rootFrom,
  type Site,
  type SiteFiles,
  type SitePage,
} from './layout.ts';
import { fileOfLink, type PageImage, type RenderedPage, renderPage } from './markdown.ts';
import { GROUPS, LABELS, pathOfFile } from './navigation.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const sourceOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Writes a file of the site. */
type Write = (path: string, content: string | Buffer) => Promise<void>;

interface Page extends PageEntry, RenderedPage {
  readonly group: string;
}

/** Builds the site into a folder, which is emptied first, and returns the paths of the files in it. */
export async function buildSite(folder: string): Promise<readonly string[]> {
  await rm(folder, { recursive: true, force: true });
  const written: string[] = [];
  const write: Write = async (path, content) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
    written.push(path);
  };
  const pages = await renderPages(write);
  const files = await writeFiles(pages, write);
  const groups = GROUPS.map(({ files: members, ...group }) => ({
    ...group,
    pages: pages.filter(({ file }) => members.includes(file)),
  }));
  const site: Site = { groups, files };
  for (const page of listSitePages(pages, site))
    await write(`${page.path.replace(/^guides\/?/, '') || 'index'}.html`, layoutPage(site, page).toString());
  return written;
}

function listSitePages(pages: readonly Page[], { groups }: Site): SitePage[] {
  const about = 'How to build with Tessera, reach people with it, and run it.';
  const first = { path: 'guides', title: 'Guides', about, content: overview(groups), sections: [] };
  const others = pages.map((page, index) => ({
    ...page,
    previous: pages[index - 1],
    next: pages[index + 1],
  }));
  return [first, ...others];
}

async function renderPages(write: Write): Promise<Page[]> {
  const descriptions = await readDescriptions();
  const listed = GROUPS.flatMap(({ title: group, files }) => files.map((file) => ({ group, file })));
  const served = new Set(listed.map(({ file }) => file));
  return Promise.all(
    listed.map(async ({ group, file }) => {
      const path = pathOfFile(file);
      const source = await readFile(join(ROOT, file), 'utf8');
      const rendered = await renderPage(source, {
        resolveLink: (href) => resolveLink(file, href, served),
        loadImage: (href) => loadImage(file, href, write),
      });
      const label = LABELS[file] ?? rendered.title;
      const about = descriptions.get(file) ?? `${rendered.title}: what callers can rely on.`;
      return { ...rendered, group, file, path, label, about };
    }),
  );
}

/** Resolves a link of a page; null for files that are not served. */
function resolveLink(file: string, href: string, served: ReadonlySet<string>): string | null {
  const target = fileOfLink(file, href);
  if (target === null) return href;
  if (target.file === file) return target.anchor;
  const root = '../'.repeat(pathOfFile(file).split('/').length - 1);
  if (target.file === 'openapi.json') return `${root}openapi.json`;
  return served.has(target.file) ? `${root}${pathOfFile(target.file)}${target.anchor}` : null;
}

/** Copies an image of a page into the site, under a name with a digest. */
async function loadImage(page: string, href: string, write: Write): Promise<PageImage> {
  const image = await readFile(join(ROOT, dirname(page), href));
  const { width, height } = await sharp(image).metadata();
  const name = `files/${basename(href, extname(href))}-${digestOf(image)}${extname(href)}`;
  await write(name, image);
  return { src: `${rootFrom(pathOfFile(page))}guides/${name}`, width, height };
}

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase();
}

/** Reads the descriptions of the guides from the README's table. */
async function readDescriptions(): Promise<ReadonlyMap<string, string>> {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const rows = readme.matchAll(/^\| \[[^\]]+\]\(([^)]+\.md)\) \| (.+) \|$/gm);
  const descriptions = [...rows].map(([, file = '', about = '']) => [file, toSentence(about)] as const);
  return new Map([...descriptions, ['README.md', 'In five minutes from a form to a delivered message']]);
}

function toSentence(about: string): string {
  return about.charAt(0).toUpperCase() + about.slice(1).replaceAll('`', '');
}

/** Writes scripts, styles, font and search data under names with a digest, so that browsers can cache them forever. */
async function writeFiles(pages: readonly Page[], write: Write): Promise<SiteFiles> {
  const bundled = await build({
    entryPoints: ['theme.ts', 'guides.ts', 'guides.css'].map(sourceOf),
    outdir: join(ROOT, 'files'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'eof',
    loader: { '.woff2': 'file' },
    logLevel: 'warning',
    write: false,
  });
  const names = bundled.outputFiles.map(({ path }) => basename(path));
  for (const { path, contents } of bundled.outputFiles)
    await write(`files/${basename(path)}`, Buffer.from(contents));
  const search = JSON.stringify(searchEntries(pages));
  const searchFile = `search-${digestOf(search)}.json`;
  await write(`files/${searchFile}`, search);
  const named = (start: string, ending: string): string => {
    const name = names.find((each) => each.startsWith(`${start}-`) && each.endsWith(ending));
    if (name === undefined) throw new Error(`The bundler wrote no ${start}*${ending}.`);
    return name;
  };
  return {
    theme: named('theme', '.js'),
    script: named('guides', '.js'),
    styles: named('guides', '.css'),
    font: named('inter', '.woff2'),
    search: searchFile,
  };
}

/** One entry per section: page, title of the page, anchor, heading, text. */
function searchEntries(pages: readonly Page[]): string[][] {
  return pages.flatMap(({ path, label, group, sections }) =>
    sections.map(({ anchor, heading, text, depth }) => [
      path,
      group === 'Specification' ? `Specification: ${label}` : label,
      depth === 1 ? '' : anchor,
      heading,
      text.replaceAll(/\s+/g, ' ').trim(),
    ]),
  );
}
