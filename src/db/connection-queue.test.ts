import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { ConnectionQueue } from './connection-queue.ts';

/** Counts admitted entries. */
function counting(queue: ConnectionQueue) {
  const leaves: (() => void)[] = [];
  const inside = { count: 0, leaves };
  const enter = (tenant: string | null) =>
    queue.enter(tenant).then((leave) => {
      inside.count += 1;
      leaves.push(() => leave());
    });
  return { inside, enter };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('one tenant gets its share of the connections, and others get the rest immediately', async () => {
  const queue = new ConnectionQueue({ kind: 'server', size: 10 });
  const [greedy, modest] = [counting(queue), counting(queue)];
  const [tenant, other] = [randomUUID(), randomUUID()];
  for (let n = 0; n < 50; n += 1) void greedy.enter(tenant);
  await turn();
  assert.equal(greedy.inside.count, 6);
  await Promise.all([modest.enter(other), modest.enter(null), modest.enter(null), modest.enter('*')]);
  assert.equal(modest.inside.count, 4);
});

test('a free connection goes to waiting tenants in turn, after the platform', async () => {
  const queue = new ConnectionQueue({ kind: 'embedded', size: 1 });
  const order: string[] = [];
  const [greedy, modest] = [randomUUID(), randomUUID()];
  const enter = async (name: string, tenant: string | null) => {
    const leave = await queue.enter(tenant);
    order.push(name);
    await turn();
    leave();
  };
  await Promise.all([
    ...Array.from({ length: 3 }, () => enter('greedy', greedy)),
    enter('modest', modest),
    enter('platform', null),
  ]);
  assert.deepEqual(order, ['greedy', 'platform', 'greedy', 'modest', 'greedy']);
});
