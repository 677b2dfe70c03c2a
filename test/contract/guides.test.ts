/** The built guides: every page is in the navigation, and every link leads to a page and a heading. */
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import test from 'node:test';
import { buildSite } from '../../web/guides/site/build-site.ts';
import { GROUPS, pathOfFile } from '../../web/guides/site/navigation.ts';
import { freshFolder } from '../harness/fresh-database.ts';
import { listFiles } from '../harness/repository.ts';

export const neverRunsOn = ['cluster'];
export const changesWith = ['docs/', 'README.md', 'web/'];

/** Pages of the service outside the guides. */
const OTHERS = ['.', 'docs', 'openapi.json'];

const folder = await freshFolder();
const written = await buildSite(folder);
const pages = new Map(
  await Promise.all(
    written
      .filter((path) => path.endsWith('.html'))
      .map(async (path) => {
        const name = path === 'index.html' ? 'guides' : `guides/${path.slice(0, -'.html'.length)}`;
        return [name, await readFile(join(folder, path), 'utf8')] as const;
      }),
  ),
);

function idsOf(page: string): string[] {
  return [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
}

test('the navigation contains every guide and every specification page once', async () => {
  const listed = GROUPS.flatMap(({ files }) => files);
  const docs = await listFiles('docs', '.md');
  const guides = docs.filter((path) => !path.startsWith('docs/decisions/'));
  assert.deepEqual(listed.toSorted(), ['README.md', 'sdk/README.md', ...guides].sort());
  assert.deepEqual([...pages.keys()].sort(), ['guides', ...listed.map(pathOfFile)].sort());
});

test('every link of the guides leads to an existing page, heading or file', () => {
  const broken: string[] = [];
  for (const [path, page] of pages)
    for (const [, address = ''] of page.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^(?:data|https?):/.test(address)) continue;
      const [target = '', anchor] = address.split('#');
      const to = target === '' ? path : posix.join(posix.dirname(path), target).replace(/^\.\/$/, '.');
      const isFile = written.includes(to.slice('guides/'.length));
      const found = pages.get(to);
      const hasAnchor = anchor === undefined || (found !== undefined && idsOf(found).includes(anchor));
      if ((!found && !isFile && !OTHERS.includes(to)) || !hasAnchor) broken.push(`${path}: ${address}`);
    }
  assert.deepEqual(broken, []);
});

test('every image of the guides has a text and a size, and all of a page are small', async () => {
  for (const [path, page] of pages) {
    let bytes = 0;
    for (const [tag, name = ''] of page.matchAll(/<img src="[./]*guides\/([^"]+)"[^>]*>/g)) {
      assert.match(tag, / width="\d+" height="\d+" alt="[^"]+"/, path);
      const { size } = await stat(join(folder, name));
      assert.ok(size < 60_000, `${path}: ${name}`);
      bytes += size;
    }
    assert.ok(bytes < 500_000, path);
  }
  assert.match(pages.get('guides/console') ?? '', /<img src="\.\.\/guides\/files\/members-\w{8}\.webp"/);
});

test('no guide page has duplicate ids or inline code that the policy forbids', () => {
  for (const [path, page] of pages) {
    const ids = idsOf(page);
    assert.deepEqual(ids.toSorted(), [...new Set(ids)].sort(), path);
    assert.doesNotMatch(page, /<style|<script(?![^>]* src=)|<[^>]* (?:style|on\w+)="/, path);
  }
});
