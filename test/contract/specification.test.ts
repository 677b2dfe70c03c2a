/** The specification: links between its pages, and comments that cite it. */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import test from 'node:test';
import { listFiles, listPages, readText } from '../harness/repository.ts';

const FOLDER = 'docs/specification';
/** Folders whose comments may cite the specification. */
const CITING = [
  ['src', '.ts'],
  ['src', '.sql'],
  ['web', '.ts'],
  ['test', '.ts'],
  ['bench', '.ts'],
  ['migrations', '.sql'],
] as const;
/** Matches code, which contains no headings. */
const FENCED = /^```[\s\S]*?^```/gm;

/** Returns the anchors of a page: its headings in lower case, without punctuation, with hyphens for spaces. */
async function anchorsOf(page: string): Promise<Set<string>> {
  const text = (await readText(page)).replace(FENCED, '');
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const pages = await listPages();
const anchors = new Map(await Promise.all(pages.map(async (page) => [page, await anchorsOf(page)] as const)));

test('every citation of the specification names an existing page and heading', async () => {
  const broken: string[] = [];
  let citations = 0;
  for (const [folder, ending] of CITING) {
    for (const path of await listFiles(folder, ending)) {
      for (const [citation, page = '', heading = ''] of (await readText(path)).matchAll(
        /docs\/specification\/([\w-]+\.md)(?:#([\w-]+))?/g,
      )) {
        citations += 1;
        if (!anchors.get(`${FOLDER}/${page}`)?.has(heading)) broken.push(`${path}: ${citation}`);
      }
    }
  }
  assert.deepEqual(broken, []);
  assert.ok(citations > 100);
});

test('every link to a heading resolves', async () => {
  const broken: string[] = [];
  for (const page of pages) {
    for (const [, path = '', heading = ''] of (await readText(page)).matchAll(
      /\]\(((?:[\w./-]+\.md)?)#([^)\s]+)\)/g,
    )) {
      const target = path === '' ? page : posix.join(posix.dirname(page), path);
      if (!anchors.get(target)?.has(heading)) broken.push(`${page}: ${path}#${heading}`);
    }
  }
  assert.deepEqual(broken, []);
});

test('the table of contents lists every page of the specification', async () => {
  const contents = await readText(`${FOLDER}/README.md`);
  const unlisted = pages
    .filter((page) => page.startsWith(`${FOLDER}/`) && !page.endsWith('/README.md'))
    .filter((page) => !contents.includes(`](${posix.basename(page)})`));
  assert.deepEqual(unlisted, []);
});
