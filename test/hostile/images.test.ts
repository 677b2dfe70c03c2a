/** New sizes of a public image, requested by anybody, while another tenant requests its own. */
import assert from 'node:assert/strict';
import test from 'node:test';
import sharp from 'sharp';
import { waitForImageSlot } from '../../src/features/assets/images.ts';
import { fetchAsset, image, uploadBytes } from '../harness/asset-files.ts';
import { startOwnApp } from '../harness/test-app.ts';

const app = await startOwnApp();
const { platform } = app.app;
const [attacker, other] = [await app.createTenant(), await app.createTenant()];
/** More images than fit in the memory budget. */
const ALL_PIXELS = 100_000_000;

test('a size that would take minutes is rejected before any work, with the field and the next step', async () => {
  const side = 9900;
  const large = await sharp({ create: { width: side, height: side, channels: 3, background: '#123456' } })
    .jpeg()
    .toBuffer();
  const id = await uploadBytes(attacker.api, large, 'large.jpg');
  for (const [query, field] of [
    ['w=4096&h=4096&format=avif&q=99', 'w'],
    ['h=4096&format=avif', 'h'],
    ['format=avif', 'format'],
  ] as const) {
    const { status, content } = await fetchAsset(attacker.api, `/assets/${id}/x?${query}`);
    const { code, issues } = JSON.parse(content.toString());
    assert.deepEqual([status, code, issues[0].field], [400, 'INVALID_REQUEST', field]);
    assert.match(issues[0].message, /smaller w and h, or format webp/);
  }
  assert.equal((await fetchAsset(attacker.api, `/assets/${id}/x?w=20&format=avif`)).status, 200);
});

test('while one tenant occupies all slots for sizes, another uploads immediately and is next', async () => {
  const own = { tenantId: attacker.tenantId, pixels: ALL_PIXELS };
  const first = await waitForImageSlot(platform, 'variant', own);
  const order: string[] = [];
  const waiting = Array.from({ length: 32 }, async () => {
    const leave = await waitForImageSlot(platform, 'variant', own);
    order.push('attacker');
    leave?.();
  });
  // One request too many is rejected instead of waiting.
  assert.equal(await waitForImageSlot(platform, 'variant', own), null);
  const id = await uploadBytes(other.api, await image(40, 20).png().toBuffer(), 'a.png');
  const fetched = fetchAsset(other.api, `/assets/${id}/a?w=10`).then(({ status }) => {
    order.push('other');
    return status;
  });
  const turn = waitForImageSlot(platform, 'variant', { tenantId: other.tenantId, pixels: 1 }).then(
    (leave) => {
      order.push('other');
      leave?.();
    },
  );
  first?.();
  await turn;
  assert.ok(order.indexOf('other') <= 1, `the other tenant was served after ${order.length} of the first`);
  assert.equal(await fetched, 200);
  await Promise.all(waiting);
});
