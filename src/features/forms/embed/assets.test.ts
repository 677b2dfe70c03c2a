import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { loadEmbedAssets } from './assets.ts';

const names = [
  'embed-absent.js',
  'embed-page.css',
  'embed-page.js',
  'embed.js',
  'locale-de.js',
  'plain-form.css',
  'plain-form.js',
  'sanitize-html.js',
];

async function withFolder(use: (folder: string, url: URL) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-assets-'));
  try {
    await use(folder, pathToFileURL(`${folder}/`));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function build(folder: string, content: string): Promise<void> {
  for (const name of names) {
    await writeFile(join(folder, name), content);
    await writeFile(join(folder, `${name}.gz`), `${content} gzip`);
    await writeFile(join(folder, `${name}.br`), `${content} brotli`);
  }
}

test('every built file is read with its encodings and type', async () => {
  await withFolder(async (folder, url) => {
    await build(folder, 'content');
    const assets = await loadEmbedAssets(url);
    assert.deepEqual([...assets.keys()], names);
    const style = assets.get('embed-page.css');
    assert.equal(style?.body.toString(), 'content');
    assert.equal(style?.gzip.toString(), 'content gzip');
    assert.equal(style?.brotli.toString(), 'content brotli');
    assert.equal(style?.contentType, 'text/css; charset=utf-8');
  });
});

test('the entity tag changes only with the content', async () => {
  await withFolder(async (folder, url) => {
    const tags: unknown[] = [];
    for (const content of ['one', 'one', 'two']) {
      await build(folder, content);
      tags.push((await loadEmbedAssets(url)).get('embed.js')?.etag);
    }
    assert.match(String(tags[0]), /^W\/"[\w-]{22}"$/);
    assert.equal(tags[0], tags[1]);
    assert.notEqual(tags[1], tags[2]);
  });
});

test('files that were not built are reported with the command that builds them', async () => {
  await withFolder(async (_folder, url) => {
    await assert.rejects(loadEmbedAssets(url), /run npm run build:web/);
  });
});

test('the size of a form page stays below its limit', async () => {
  const assets = await loadEmbedAssets();
  const sizeOf = (name: string): number => assets.get(name)?.brotli.length ?? Number.POSITIVE_INFINITY;
  assert.ok(sizeOf('plain-form.css') < 6_000, 'styles of plain forms');
  assert.ok(sizeOf('plain-form.js') < 6_000, 'the script of plain forms');
  assert.ok(sizeOf('sanitize-html.js') < 12_000, 'what makes HTML safe');
  assert.ok(sizeOf('embed-page.css') < 30_000, 'styles');
  assert.ok(sizeOf('embed-page.js') < 290_000, 'SurveyJS and the page');
  assert.ok(sizeOf('locale-de.js') < 5_000, 'one language');
  assert.ok(sizeOf('embed.js') < 2_500, 'the script of the site');
});
