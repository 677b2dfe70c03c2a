import assert from 'node:assert/strict';
import test from 'node:test';
import { FairQueue, type Release } from '../../../../work-queue/fair-queue.ts';
import { RelayWatch } from './relay-watch.ts';

test('while the relay is unavailable one message at a time is sent, after a pause', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const queue = new FairQueue({ total: 2, perTarget: 2 });
  const watch = new RelayWatch(queue, 2);
  const inside: { name: string; leave: Release }[] = [];
  const ask = async (name: string): Promise<void> => {
    const leave = await queue.enter({ lane: 1, tenantId: 't', targetId: 'x', maxWaitMs: 60_000 });
    if (leave !== null) inside.push({ name, leave });
  };
  const leave = (name: string) => inside.find((each) => each.name === name)?.leave();
  const names = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return inside.map(({ name }) => name).join(' ');
  };
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) void ask(name);
  await names();
  watch.report(false);
  watch.report(false);
  leave('a');
  leave('b');
  assert.equal(await names(), 'a b');
  t.mock.timers.tick(1000);
  assert.equal(await names(), 'a b c');
  watch.report(false);
  leave('c');
  t.mock.timers.tick(1999);
  assert.equal(await names(), 'a b c');
  t.mock.timers.tick(1);
  assert.equal(await names(), 'a b c d');
  watch.report(true);
  assert.equal(await names(), 'a b c d e');
  leave('d');
  assert.equal(await names(), 'a b c d e f');
});
