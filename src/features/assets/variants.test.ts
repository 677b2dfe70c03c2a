import assert from 'node:assert/strict';
import test, { suite } from 'node:test';
import sharp from 'sharp';
import { fetchAsset, image, uploadBytes } from '../../../test/harness/asset-files.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';
import { wholeTenant } from '../../tenancy/scope.ts';

const app = await startTestApp();
const { api, tenantId } = await app.createTenant();
const id = await uploadBytes(api, await image(200, 100).jpeg().toBuffer(), 'a.jpg');

async function ask(query: string, of = id) {
  const answer = await fetchAsset(api, `/assets/${of}/a.jpg?${query}`);
  assert.equal(answer.status, 200, answer.content.toString().slice(0, 200));
  const { width, height, format } = await sharp(answer.content).metadata();
  return { size: [width, height], format, type: answer.headers.get('content-type'), content: answer.content };
}

suite('an image', () => {
  for (const [query, size] of [
    ['w=100', [100, 50]],
    ['h=20', [40, 20]],
    ['w=50&h=50', [50, 50]],
    ['w=50&h=50&fit=cover', [50, 50]],
    ['w=50&h=50&fit=contain', [50, 25]],
    ['w=150&h=10&fit=contain', [20, 10]],
    ['w=4096', [200, 100]],
    ['w=4096&h=4096', [200, 100]],
    ['w=400&h=50', [200, 50]],
    ['w=1&h=1', [1, 1]],
    ['format=png', [200, 100]],
  ] as const) {
    test(`is ${size.join(' x ')} for ${query}, neither enlarged nor with margins`, async () => {
      assert.deepEqual((await ask(query)).size, size);
    });
  }

  for (const [format, expected] of [
    ['webp', 'webp'],
    ['avif', 'heif'],
    ['jpeg', 'jpeg'],
    ['png', 'png'],
  ] as const) {
    test(`is converted to ${format} and served as such`, async () => {
      const found = await ask(`w=20&format=${format}`);
      assert.deepEqual([found.format, found.type], [expected, `image/${format}`]);
    });
  }

  test('keeps its format unless some browsers cannot show it', async () => {
    assert.equal((await ask('w=20')).format, 'jpeg');
    const gif = await uploadBytes(api, await image(20, 20).gif().toBuffer());
    assert.equal((await ask('w=10', gif)).format, 'webp');
  });

  test('is smaller at lower quality', async () => {
    assert.ok((await ask('q=10')).content.length < (await ask('q=95')).content.length);
  });

  test('is rotated according to its EXIF data, which is removed', async () => {
    const turned = await image(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const found = await ask('w=10', await uploadBytes(api, turned));
    assert.deepEqual(found.size, [10, 20]);
    assert.equal((await sharp(found.content).metadata()).exif, undefined);
  });

  test('with transparency is white where JPEG has none', async () => {
    const empty = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer();
    const found = await ask('format=jpeg', await uploadBytes(api, empty));
    const [red = 0] = await sharp(found.content).raw().toBuffer();
    assert.ok(red > 250);
  });

  for (const query of [
    'w=0',
    'w=4097',
    'h=x',
    'w=1.5',
    'q=0',
    'q=101',
    'fit=fill',
    'format=gif',
    'w=',
    'w=1&w=2',
  ]) {
    test(`cannot be requested with ${query}`, async () => {
      const { status, content } = await fetchAsset(api, `/assets/${id}/a?${query}`);
      const { code, issues } = JSON.parse(content.toString());
      assert.deepEqual(
        [status, code, issues[0].field],
        [400, 'INVALID_REQUEST', query.slice(0, query.indexOf('='))],
      );
    });
  }

  test('is the original file for parameters without effect', async () => {
    assert.equal((await ask('v=2')).format, 'jpeg');
  });

  test('cannot be requested of a text; a drawing is not resized', async () => {
    const text = await uploadBytes(api, 'text');
    assert.equal((await fetchAsset(api, `/assets/${text}/a?w=10`)).status, 400);
    const svg = await uploadBytes(api, '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>');
    const drawing = await fetchAsset(api, `/assets/${svg}/a?w=10`);
    assert.deepEqual([drawing.status, drawing.headers.get('content-type')], [200, 'image/svg+xml']);
    assert.equal((await fetchAsset(api, `/assets/${svg}/a?format=png`)).status, 400);
  });

  test('is read from the storage once it was created, also for concurrent requests', async () => {
    const own = await uploadBytes(api, await image(300, 300).png().toBuffer());
    const all = await Promise.all(Array.from({ length: 10 }, () => ask('w=100&format=webp', own)));
    assert.ok(all.every(({ content }) => content.equals(all[0]?.content ?? Buffer.alloc(0))));
    await ask('w=100&fit=contain&format=webp', own);
    const { variants } = await app.app.platform
      .scoped(wholeTenant(tenantId))
      .query.selectFrom('assets')
      .select('variants')
      .where('id', '=', own)
      .executeTakeFirstOrThrow();
    assert.equal(variants, 1);
    assert.equal(
      await app.app.platform.storage.sizeOf(`${tenantId}/${own}/contain-100x100-80.webp`),
      all[0]?.content.length,
    );
  });
});

test('of more than 100 new sizes per asset and minute is rejected; existing ones and other assets are not', async () => {
  const limited = await startTestApp({ RATE_LIMITS: 'on' });
  const tenant = await limited.createTenant();
  const bytes = await image(200, 200).png().toBuffer();
  const [first, second] = [await uploadBytes(tenant.api, bytes), await uploadBytes(tenant.api, bytes)];
  const status = async (of: string, width: number) => {
    const answer = await fetchAsset(tenant.api, `/assets/${of}/a?w=${width}`);
    return [answer.status, answer.headers.get('retry-after') === null];
  };
  for (let width = 1; width <= 100; width += 1) assert.deepEqual(await status(first, width), [200, true]);
  assert.deepEqual(await status(first, 101), [429, false]);
  assert.deepEqual(await status(first, 100), [200, true]);
  assert.deepEqual(await status(second, 101), [200, true]);
});
