import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import test, { after, suite } from 'node:test';
import { startBucket } from '../../test/harness/bucket.ts';
import { bucketUrl } from '../config-values.ts';
import { createFileStorage } from './create-storage.ts';
import type { FileStorage, OpenFile } from './storage.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'tessera-storage-'));
const bucket = await startBucket();
after(() => rm(dataDir, { recursive: true, force: true }));

async function keep(storage: FileStorage, name: string, bytes: Buffer | string): Promise<void> {
  const draft = await storage.draft();
  await writeFile(draft.path, bytes);
  await storage.store(name, draft);
}

async function bytesOf(file: OpenFile | null): Promise<Buffer> {
  assert.ok(file);
  return Buffer.isBuffer(file.body) ? file.body : buffer(file.body);
}

for (const [where, s3Url] of [
  ['the data folder', null],
  ['a bucket', bucketUrl(bucket.url)],
] as const) {
  suite(`files in ${where}`, () => {
    const storage = createFileStorage({ dataDir: join(dataDir, where), s3Url });
    after(() => storage.close());
    const large = Buffer.alloc(300_000, 'abcdefghij');

    test('are read as stored, completely and in parts, of any size', async () => {
      for (const bytes of [large, Buffer.from('short'), Buffer.alloc(0)]) {
        await keep(storage, 'tenant/one/original', bytes);
        assert.equal(await storage.sizeOf('tenant/one/original'), bytes.length);
        const whole = await storage.open('tenant/one/original');
        assert.equal(whole?.size, bytes.length);
        assert.deepEqual(await bytesOf(whole), bytes);
      }
      await keep(storage, 'tenant/one/original', large);
      for (const [start, end] of [
        [0, 9],
        [1000, 299_999],
        [299_999, 299_999],
      ] as const) {
        const part = await storage.open('tenant/one/original', { start, end });
        assert.equal(part?.size, large.length);
        assert.deepEqual(await bytesOf(part), large.subarray(start, end + 1));
      }
    });

    test('that are missing are null', async () => {
      assert.equal(await storage.sizeOf('tenant/none/original'), null);
      assert.equal(await storage.open('tenant/none/original'), null);
      assert.equal(await storage.local('tenant/none/original'), null);
    });

    test('are available at a local path', async () => {
      await keep(storage, 'tenant/local/original', large);
      const local = await storage.local('tenant/local/original');
      assert.ok(local);
      const copy = await storage.draft();
      await storage.store('tenant/local/copy', { path: local.path, discard: copy.discard });
      assert.deepEqual(await bytesOf(await storage.open('tenant/local/copy')), large);
      await local.release();
    });

    test('are deleted with their folder, and nothing else is', async () => {
      for (const name of ['tenant/two/original', 'tenant/two/a', 'tenant/two/b', 'tenant/two-more/original'])
        await keep(storage, name, name);
      await storage.removeFolder('tenant/two');
      await storage.removeFolder('tenant/two');
      for (const name of ['original', 'a', 'b'])
        assert.equal(await storage.sizeOf(`tenant/two/${name}`), null);
      assert.equal(await storage.sizeOf('tenant/two-more/original'), 24);
    });

    test('in progress are invisible, and are swept when abandoned', async () => {
      const drafts = join(dataDir, where, 'assets', '.drafts');
      const [old, young, given] = [await storage.draft(), await storage.draft(), await storage.draft()];
      for (const { path } of [old, young, given]) await writeFile(path, 'half');
      await utimes(old.path, new Date(1000), new Date(1000));
      await given.discard();
      await storage.removeDrafts(new Date(Date.now() - 60_000));
      assert.deepEqual(
        (await readdir(drafts)).map((name) => join(drafts, name)),
        [young.path],
      );
    });
  });
}

test('an unreachable bucket fails instead of appearing empty', async () => {
  const { url, stop } = await startBucket();
  await stop();
  const storage = createFileStorage({ dataDir, s3Url: bucketUrl(url) });
  await assert.rejects(storage.sizeOf('tenant/one/original'));
  await assert.rejects(keep(storage, 'tenant/one/original', 'bytes'));
  storage.close();
});

test('requests to a bucket are signed: another secret is rejected', async () => {
  const { url } = await startBucket({ checksSignatures: true });
  const other = url.replace('S3RVER:S3RVER', 'S3RVER:other');
  const [right, wrong] = [url, other].map((each) => createFileStorage({ dataDir, s3Url: bucketUrl(each) }));
  assert.ok(right && wrong);
  await keep(right, 'tenant/one/original', 'bytes');
  assert.equal((await bytesOf(await right.open('tenant/one/original'))).toString(), 'bytes');
  await assert.rejects(keep(wrong, 'tenant/one/original', 'others'), { name: 'SignatureDoesNotMatch' });
  await assert.rejects(wrong.open('tenant/one/original'), { name: 'SignatureDoesNotMatch' });
  assert.equal((await bytesOf(await right.open('tenant/one/original'))).toString(), 'bytes');
  right.close();
  wrong.close();
});
