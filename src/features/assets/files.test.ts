import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import test, { suite } from 'node:test';
import {
  blobOf,
  fetchAsset,
  filesBelow,
  halfUpload,
  image,
  upload,
  uploadBytes,
} from '../../../test/harness/asset-files.ts';
import { startBucket } from '../../../test/harness/bucket.ts';
import { eventually } from '../../../test/harness/poll.ts';
import { startOwnApp } from '../../../test/harness/test-app.ts';
import { sweepFiles } from './removal.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 60 * 60 * 1000;

let clockMs = 0;
const app = await startOwnApp({}, { clock: () => new Date(Date.now() + clockMs) });
const { api } = await app.createTenant();
const folder = join(app.env.DATA_DIR ?? '', 'assets');
const { platform } = app.app;

/**
 * Sweeps as if two hours had passed. The clock goes back afterwards: the scheduled sweep, which the jump makes due,
 * would take the drafts of later uploads for old ones.
 */
async function sweepTwoHoursLater(): Promise<void> {
  clockMs = 2 * HOUR_MS;
  try {
    await sweepFiles.runChecked(platform, {});
  } finally {
    clockMs = 0;
  }
}

const countRemovals = async () => {
  const { query } = platform.database.everyTenant('tests');
  return (await query.selectFrom('asset_removals').select('asset_id').execute()).length;
};
const nothingIsLeft = () =>
  eventually('nothing to be left', async () => (await filesBelow(folder)).length === 0);

/** Sends a form with a file of this many bytes; returns the status of the response. */
function statusOfUpload(bytes: number): Promise<number> {
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="large"\r\n\r\n';
  const chunk = Buffer.alloc(MIB, 'x');
  const body = Readable.from(
    (function* () {
      yield head;
      for (let left = bytes; left > 0; left -= chunk.length)
        yield chunk.subarray(0, Math.min(left, chunk.length));
      yield '\r\n--b--\r\n';
    })(),
  );
  return new Promise((resolve, reject) => {
    const headers = { ...api.headers, 'content-type': 'multipart/form-data; boundary=b' };
    const sent = request(`${app.url}/api/assets`, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    body.pipe(sent);
  });
}

suite('files', () => {
  test('of 100 MiB are accepted, and of one byte more rejected', async () => {
    assert.equal(await statusOfUpload(100 * MIB), 200);
    assert.equal(await statusOfUpload(100 * MIB + 1), 413);
    const { body } = await api.post('/api/assets/list', { page: 1, limit: 10 });
    assert.deepEqual([body.total, body.results[0].size], [1, 100 * MIB]);
    await api.delete(`/api/assets/${body.results[0].id}`);
    await nothingIsLeft();
  });

  test('are readable on disk only by the operator', async () => {
    const id = await uploadBytes(api, 'text');
    const [file = ''] = await filesBelow(folder);
    assert.equal((await stat(join(folder, file))).mode & 0o077, 0);
    await api.delete(`/api/assets/${id}`);
    await nothingIsLeft();
  });

  test('of an upload that its client aborts are removed', async () => {
    const sent = halfUpload(api);
    await eventually('the draft to be written', async () => (await filesBelow(folder)).length === 1);
    sent.destroy();
    await nothingIsLeft();
    assert.equal((await api.post('/api/assets/list', { page: 1, limit: 10 })).body.total, 0);
  });

  test('of a rejected upload are removed', async () => {
    await upload(
      api,
      [
        ['file', blobOf('text')],
        ['folder', 'bad'],
      ],
      400,
    );
    const cut = (await image(50, 50).png().toBuffer()).subarray(0, 500);
    await upload(api, [['file', blobOf(cut)]], 400);
    assert.deepEqual(await filesBelow(folder), []);
  });

  test('of an asset are deleted with its variants, and a variant in progress is swept', async () => {
    const id = await uploadBytes(api, await image(50, 50).png().toBuffer());
    await fetchAsset(api, `/assets/${id}/a?w=10`);
    assert.equal((await filesBelow(folder)).length, 2);
    await api.delete(`/api/assets/${id}`);
    await nothingIsLeft();
    assert.ok((await countRemovals()) > 0);
    await sweepTwoHoursLater();
    assert.equal(await countRemovals(), 0);
  });

  test('of abandoned drafts are swept after an hour', async () => {
    const sent = halfUpload(api);
    await eventually('the draft to be written', async () => (await filesBelow(folder)).length === 1);
    await sweepFiles.runChecked(platform, {});
    assert.equal((await filesBelow(folder)).length, 1);
    await sweepTwoHoursLater();
    assert.deepEqual(await filesBelow(folder), []);
    sent.destroy();
  });

  test('of a tenant are removed by its reset, and those of others stay', async () => {
    const [mine, theirs] = [await app.createTenant(), await app.createTenant()];
    await uploadBytes(mine.api, 'mine');
    const kept = await upload(theirs.api, [['file', blobOf('theirs')]]);
    await app.admin.post(`/admin/tenants/${mine.code}/reset`, { confirm: mine.code });
    await eventually(
      'the files to go',
      async () => (await filesBelow(join(folder, mine.tenantId))).length === 0,
    );
    assert.equal((await fetchAsset(api, kept.body.url)).content.toString(), 'theirs');
  });

  test('missing from the storage are 404', async () => {
    const tenant = await app.createTenant();
    const { body } = await upload(tenant.api, [['file', blobOf('text')]]);
    await platform.storage.removeFolder(`${tenant.tenantId}/${body.id}`);
    assert.equal((await fetchAsset(tenant.api, body.url)).status, 404);
  });
});

test('in a bucket are uploaded, served, resized and deleted like local ones', async () => {
  const bucket = await startBucket();
  const other = await startOwnApp({ S3_URL: bucket.url });
  const tenant = await other.createTenant();
  const text = 'abcdefghij'.repeat(20_000);
  const { body } = await upload(tenant.api, [['file', blobOf(text)]]);
  const part = await fetchAsset(tenant.api, body.url, { headers: { range: 'bytes=10-12' } });
  assert.deepEqual([part.status, part.content.toString()], [206, 'abc']);
  assert.equal((await fetchAsset(tenant.api, body.url)).content.toString(), text);
  const id = await uploadBytes(tenant.api, await image(40, 40).png().toBuffer());
  const variant = await fetchAsset(tenant.api, `/assets/${id}/a?w=10&format=webp`);
  assert.deepEqual([variant.status, variant.headers.get('content-type')], [200, 'image/webp']);
  assert.deepEqual(
    (await fetchAsset(tenant.api, `/assets/${id}/a?w=10&format=webp`)).content,
    variant.content,
  );
  assert.deepEqual(await filesBelow(join(other.env.DATA_DIR ?? '', 'assets')), []);
  await tenant.api.delete(`/api/assets/${id}`);
  const { storage } = other.app.platform;
  await eventually(
    'the files to go',
    async () => (await storage.sizeOf(`${tenant.tenantId}/${id}/original`)) === null,
  );
  await bucket.stop();
  assert.equal((await fetchAsset(tenant.api, body.url)).status, 503);
  await upload(tenant.api, [['file', blobOf(text)]], 503);
});
