/** Bodies over a route's limit: the message of the 413 states that limit. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyTooLarge, CONTENT_BODY_BYTES, MAX_BODY_BYTES } from '../../src/http/body-limit.ts';
import type { Route } from '../../src/http/route.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp } from '../harness/test-app.ts';
import { announceBody, clientsOf, ownerOf } from './route-calls.ts';
import { allRoutes, createWorld, recordsOf, requestTo } from './world.ts';

const app = await startTestApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
const clientOf = clientsOf(app, await ownerOf(tenant));

const limitOf = ({ upload, maxBodyBytes }: Route) => upload?.maxBytes ?? maxBodyBytes;
const withLimit = allRoutes.filter((route) => Number.isFinite(limitOf(route)));
const usual = allRoutes.filter(({ id }) => ['lists.create', 'templates.create'].includes(id));
const names = await createWorld(tenant, receiver.url, recordsOf([...withLimit, ...usual]));

test('a body over the limit of its route gets a 413 that states the limit', async () => {
  assert.ok(withLimit.length > 4 && usual.length === 2);
  // At once: each response waits for the body for a while, because most clients send it before they read.
  await Promise.all(
    [...withLimit, ...usual].map(async (route) => {
      const limit = limitOf(route) ?? MAX_BODY_BYTES;
      const answer = await announceBody(clientOf(route), route, requestTo(route, names), limit + 1);
      assert.equal(answer.status, 413, `${route.id}: ${answer.text}`);
      assert.ok(answer.text.includes(bodyTooLarge(limit).message), `${route.id}: ${answer.text}`);
    }),
  );
});

const SIZES: readonly (readonly [bytes: number, text: string])[] = [
  [500, '500 bytes'],
  [64 * 1024, '64 KiB'],
  [MAX_BODY_BYTES, '1 MiB'],
  [CONTENT_BODY_BYTES, '10 MiB'],
  [64 * 1024 ** 2, '64 MiB'],
  [100 * 1024 ** 2 + 65_536, '100 MiB'],
  [4 * 1024 ** 3, '4 GiB'],
];

test('limits are stated in the largest suitable unit', () => {
  assert.deepEqual(
    SIZES.map(([bytes]) => bodyTooLarge(bytes).message),
    SIZES.map(([, text]) => `The body must be at most ${text}.`),
  );
});
