/** The specification, its pages' links to each other, and the comments that cite it. */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import test from 'node:test';
import { listFiles, listPages, readText } from '../harness/repository.ts';

const FOLDER = 'docs/specification';
/** Files whose comments may cite the specification. */
const CITING = [
  ['src', '.ts'],
  ['src', '.sql'],
  ['web', '.ts'],
  ['test', '.ts'],
  ['bench', '.ts'],
  ['migrations', '.sql'],
] as const;
/** Code and its blocks in a page hold no headings. */
const FENCED = /^```[\s\S]*?^```/gm;

/** The anchors of a page: its headings as sites show them, lower-case, punctuation left out, spaces as hyphens. */
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

test('every citation of the specification names a page and one of its headings', async () => {
  const wrong: string[] = [];
  let citations = 0;
  for (const [folder, ending] of CITING) {
    for (const path of await listFiles(folder, ending)) {
      for (const [citation, page = '', heading = ''] of (await readText(path)).matchAll(
        /docs\/specification\/([\w-]+\.md)(?:#([\w-]+))?/g,
      )) {
        citations += 1;
        if (!anchors.get(`${FOLDER}/${page}`)?.has(heading)) wrong.push(`${path}: ${citation}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(citations > 100);
});

test('every link to a heading of a page leads to one', async () => {
  const wrong: string[] = [];
  for (const page of pages) {
    for (const [, path = '', heading = ''] of (await readText(page)).matchAll(
      /\]\(((?:[\w./-]+\.md)?)#([^)\s]+)\)/g,
    )) {
      const target = path === '' ? page : posix.join(posix.dirname(page), path);
      if (!anchors.get(target)?.has(heading)) wrong.push(`${page}: ${path}#${heading}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('every page of the specification stands in its table of contents', async () => {
  const contents = await readText(`${FOLDER}/README.md`);
  const unlisted = pages
    .filter((page) => page.startsWith(`${FOLDER}/`) && !page.endsWith('/README.md'))
    .filter((page) => !contents.includes(`](${posix.basename(page)})`));
  assert.deepEqual(unlisted, []);
});
