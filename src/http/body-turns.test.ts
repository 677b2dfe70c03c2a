import assert from 'node:assert/strict';
import test from 'node:test';
import { AppError } from '../errors/app-error.ts';
import { BodyTurns } from './body-turns.ts';

const MIB = 1024 * 1024;
const visitor = (network: string) => ({ tenantId: '', targetId: network });
const tenant = (id: string) => ({ tenantId: id, targetId: id });

/** Lets bodies of these senders wait at once; returns for each if it was read. */
async function read(senders: readonly { tenantId: string; targetId: string }[], bytes: number) {
  const turns = new BodyTurns(256 * MIB);
  const results = await Promise.allSettled(senders.map((sender) => turns.run(sender, bytes, () => true)));
  for (const result of results) assert.ok(result.status === 'fulfilled' || result.reason instanceof AppError);
  return results.map(({ status }) => status === 'fulfilled');
}

test('a visitor with waiting bodies delays no other visitor', async () => {
  const senders = [visitor('192.0.2.1'), visitor('192.0.2.1'), visitor('192.0.2.1'), visitor('192.0.2.2')];
  assert.deepEqual(await read(senders, 12 * MIB), [true, true, false, true]);
});

test('visitors of any number of networks leave room for bodies of tenants', async () => {
  const visitors = Array.from({ length: 20 }, (_each, n) => visitor(`192.0.2.${n}`));
  const answers = await read([...visitors, tenant('a'), tenant('b')], 30 * MIB);
  assert.equal(answers.slice(0, 20).filter(Boolean).length, 4);
  assert.deepEqual(answers.slice(20), [true, true]);
});

test('read or rejected bodies no longer count as waiting', async () => {
  const turns = new BodyTurns(256 * MIB);
  const failing = () => turns.run(visitor('192.0.2.1'), 30 * MIB, () => JSON.parse('{'));
  for (let round = 0; round < 10; round += 1) await assert.rejects(failing, SyntaxError);
  assert.equal(await turns.run(visitor('192.0.2.1'), 30 * MIB, () => 1), 1);
});

test('a body larger than the limit is read when no other body of its sender waits', async () => {
  const turns = new BodyTurns(4 * MIB);
  const large = () => turns.run(tenant('a'), 10 * MIB, () => true);
  const [first, second] = await Promise.allSettled([large(), large()]);
  assert.deepEqual([first.status, second.status], ['fulfilled', 'rejected']);
});
