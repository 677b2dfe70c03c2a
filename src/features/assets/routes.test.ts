import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test, { suite } from 'node:test';
import { blobOf, fetchAsset, image, upload, uploadBytes } from '../../../test/harness/asset-files.ts';
import { createMember } from '../../../test/harness/members.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';

const app = await startTestApp();
const { api } = await app.createTenant();
const list = async (more: object) =>
  (await api.post('/api/assets/list', { page: 1, limit: 100, ...more })).body;
const names = ({ results }: { results: { name: string }[] }) => results.map(({ name }) => name);

suite('assets', () => {
  test('an upload returns its id and URL, and reads as it was given', async () => {
    const png = await image(40, 30).png().toBuffer();
    const { body } = await upload(api, [
      ['folder', '/brand/logos'],
      ['file', blobOf(png), 'Logo größer.png'],
      ['alt', 'The logo'],
      ['tags', 'brand'],
      ['tags', 'logo'],
    ]);
    assert.deepEqual(Object.keys(body), ['id', 'url']);
    const read = (await api.get(`/api/assets/${body.id}`)).body;
    const { created_at, updated_at, ...others } = read;
    assert.equal(created_at, updated_at);
    assert.deepEqual(others, {
      id: body.id,
      name: 'Logo größer.png',
      folder: '/brand/logos',
      alt: 'The logo',
      tags: ['brand', 'logo'],
      mime_type: 'image/png',
      size: png.length,
      width: 40,
      height: 30,
      sha256: createHash('sha256').update(png).digest('hex'),
      url: body.url,
      version: 1,
    });
    const downloaded = await fetchAsset(api, body.url);
    assert.deepEqual(downloaded.content, png);
    assert.equal(downloaded.headers.get('content-type'), 'image/png');
  });

  test('omitted fields of an upload have their defaults', async () => {
    const id = await uploadBytes(api, 'Just a text.', 'notes.txt');
    const { name, folder, alt, tags, mime_type, width, height } = (await api.get(`/api/assets/${id}`)).body;
    assert.deepEqual(
      { name, folder, alt, tags, mime_type, width, height },
      {
        name: 'notes.txt',
        folder: '/',
        alt: null,
        tags: [],
        mime_type: 'text/plain',
        width: null,
        height: null,
      },
    );
  });

  test('the type is detected from the bytes, whatever the client declares', async () => {
    const file = new Blob([new Uint8Array(await image(4, 4).gif().toBuffer())], { type: 'text/html' });
    const { body } = await upload(api, [['file', file, 'page.html']]);
    assert.equal((await api.get(`/api/assets/${body.id}`)).body.mime_type, 'image/gif');
  });

  test("an image's width and height are those after rotation", async () => {
    const turned = await image(40, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { width, height } = (await api.get(`/api/assets/${await uploadBytes(api, turned)}`)).body;
    assert.deepEqual([width, height], [30, 40]);
  });

  test('all errors of a form are reported together', async () => {
    const { body } = await upload(
      api,
      [
        ['name', 'a\u0001b'],
        ['folder', 'brand/'],
        ['tags', ''],
      ],
      400,
    );
    assert.equal(body.code, 'INVALID_REQUEST');
    const fields = body.issues.map(({ field }: { field: string }) => field).sort();
    assert.deepEqual(fields, ['file', 'folder', 'name', 'tags[0]']);
  });

  test('a second file, and a file under another name, are rejected', async () => {
    const file = blobOf('text');
    await upload(
      api,
      [
        ['file', file],
        ['file', file],
      ],
      400,
    );
    const { body } = await upload(
      api,
      [
        ['file', file],
        ['image', file],
      ],
      400,
    );
    assert.equal(body.code, 'INVALID_REQUEST');
    const before = (await list({})).total;
    await upload(api, [['image', file]], 400);
    assert.equal((await list({})).total, before);
  });

  test('lists support search and every documented filter, newest first', async () => {
    const tenant = await app.createTenant();
    const add = (name: string, folder: string, tags: string[], alt: string, bytes: string | Uint8Array) =>
      upload(tenant.api, [
        ['file', blobOf(bytes), name],
        ['folder', folder],
        ['alt', alt],
        ...tags.map((tag) => ['tags', tag] as const),
      ]);
    await add('one.txt', '/a', ['red', 'blue'], 'A sea', 'one');
    await add('two.txt', '/a/b', ['blue'], 'A lake', 'two and more');
    await add('three.png', '/', [], 'A hill', await image(2, 2).png().toBuffer());
    const found = async (more: object) =>
      names((await tenant.api.post('/api/assets/list', { page: 1, limit: 10, ...more })).body);
    assert.deepEqual(await found({}), ['three.png', 'two.txt', 'one.txt']);
    assert.deepEqual(await found({ search: 'LAKE two' }), ['two.txt']);
    const by = (field: string, operation: string, value: unknown) =>
      found({ filters: { [field]: { operation, value } } });
    assert.deepEqual(await by('name', 'like', '.TXT'), ['two.txt', 'one.txt']);
    assert.deepEqual(await by('folder', 'eq', '/a'), ['one.txt']);
    assert.deepEqual(await by('tags', 'eq', 'blue'), ['two.txt', 'one.txt']);
    assert.deepEqual(await by('tags', 'ne', 'red'), ['three.png', 'two.txt']);
    assert.deepEqual(await by('tags', 'in', ['red', 'green']), ['one.txt']);
    assert.deepEqual(await by('tags', 'empty', null), ['three.png']);
    assert.deepEqual(await by('tags', 'nempty', null), ['two.txt', 'one.txt']);
    assert.deepEqual(await by('tags', 'nemptyarray', null), ['two.txt', 'one.txt']);
    assert.deepEqual(await by('mime_type', 'eq', 'image/png'), ['three.png']);
    assert.deepEqual(await by('size', 'between', [4, 30]), ['two.txt']);
    assert.deepEqual(await by('created_at', 'lt', '2020-01-01'), []);
    await tenant.api.post(
      '/api/assets/list',
      { page: 1, limit: 1, filters: { alt: { operation: 'eq', value: '' } } },
      400,
    );
    const { body } = await tenant.api.post('/api/assets/list', { page: 2, limit: 1 });
    assert.equal(body.total, 3);
    const [shown] = body.results;
    assert.deepEqual(shown, (await tenant.api.get(`/api/assets/${shown.id}`)).body);
  });

  test('a replace changes the named fields; the previous URL still leads to the file', async () => {
    const { body } = await upload(api, [
      ['file', blobOf('text'), 'old.txt'],
      ['alt', 'old'],
    ]);
    const path = `/api/assets/${body.id}`;
    assert.deepEqual((await api.put(path, { name: 'new name.txt', tags: ['x'] })).body, { id: body.id });
    const { name, alt, tags, folder, url, version, mime_type } = (await api.get(path)).body;
    assert.deepEqual(
      [name, alt, tags, folder, version, mime_type],
      ['new name.txt', 'old', ['x'], '/', 2, 'text/plain'],
    );
    assert.ok(url.endsWith(`/assets/${body.id}/new%20name.txt`));
    assert.equal((await fetchAsset(api, body.url)).content.toString(), 'text');
    assert.equal((await fetchAsset(api, url)).content.toString(), 'text');
    await api.put(path, { alt: null, version: 1 }, 409);
    await api.put(path, { folder: 'no' }, 400);
    await api.put(path, { alt: null, version: 2 });
    assert.equal((await api.get(path)).body.alt, null);
  });

  test('a deleted asset disappears immediately, and its files soon after', async () => {
    const { body } = await upload(api, [['file', blobOf('to be deleted')]]);
    assert.deepEqual((await api.delete(`/api/assets/${body.id}`)).body, { id: body.id });
    assert.equal((await fetchAsset(api, body.url)).status, 404);
    await api.get(`/api/assets/${body.id}`, 404);
    await api.delete(`/api/assets/${body.id}`, 404);
    await api.put(`/api/assets/${body.id}`, { name: 'x' }, 404);
  });

  test('editors upload, owners change and delete, viewers read', async () => {
    const tenant = await app.createTenant();
    const member = (role: 'viewer' | 'editor' | 'admin') =>
      createMember(tenant, [{ bu_id: tenant.defaultUnitId, role }]);
    const [viewer, editor, admin] = [await member('viewer'), await member('editor'), await member('admin')];
    await upload(viewer.api, [['file', blobOf('text')]], 403);
    const ungranted = await createMember(tenant, []);
    await upload(ungranted.api, [['file', blobOf('text')]], 403);
    const id = await uploadBytes(editor.api, 'text');
    assert.equal((await viewer.api.get(`/api/assets/${id}`)).body.id, id);
    await ungranted.api.get(`/api/assets/${id}`, 404);
    assert.equal((await ungranted.api.post('/api/assets/list', { page: 1, limit: 10 })).body.total, 0);
    for (const { api: client } of [viewer, editor, admin]) {
      const refused = await client.put(`/api/assets/${id}`, { name: 'x' }, 403);
      assert.equal(refused.body.code, 'FORBIDDEN');
      await client.delete(`/api/assets/${id}`, 403);
    }
    await tenant.api.put(`/api/assets/${id}`, { name: 'x' });
    await tenant.api.delete(`/api/assets/${id}`);
  });

  test('a repeated upload with an Idempotency-Key creates one asset', async () => {
    const tenant = await app.createTenant();
    const keyed = tenant.api.with({ 'idempotency-key': 'once' });
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const rawBody =
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\ntext\r\n--b--\r\n';
    const first = await keyed.send('POST', '/api/assets', { rawBody, headers });
    const second = await keyed.send('POST', '/api/assets', { rawBody, headers });
    assert.deepEqual([first.status, second.body], [200, first.body]);
    assert.equal((await tenant.api.post('/api/assets/list', { page: 1, limit: 10 })).body.total, 1);
  });
});
