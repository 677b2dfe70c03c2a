import assert from 'node:assert/strict';
import test from 'node:test';
import { type Entry, FairQueue, type Release } from './fair-queue.ts';

const LIMITS = { total: 2, perTarget: 2 };

/** Requests a slot and records the order of entry. */
function visitors(queue: FairQueue) {
  const inside: { name: string; leave: Release }[] = [];
  const ask = async (name: string, entry: Partial<Entry> = {}): Promise<void> => {
    const leave = await queue.enter({ lane: 1, tenantId: 't', targetId: 'x', maxWaitMs: 60_000, ...entry });
    if (leave !== null) inside.push({ name, leave });
  };
  return {
    ask: (name: string, entry?: Partial<Entry>) => void ask(name, entry),
    names: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return inside.map(({ name }) => name).join(' ');
    },
    leave: (name: string) => inside.find((each) => each.name === name)?.leave(),
  };
}

test('there are never more entries than slots, and leaving twice frees one slot', async () => {
  const { ask, names, leave } = visitors(new FairQueue(LIMITS));
  for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name);
  assert.equal(await names(), 'a b');
  leave('a');
  leave('a');
  assert.equal(await names(), 'a b c');
});

test('transactional mail precedes bulk mail that has waited longer', async () => {
  const { ask, names, leave } = visitors(new FairQueue({ total: 1, perTarget: 1 }));
  ask('first');
  ask('bulk');
  ask('transactional', { lane: 0, targetId: 'y' });
  leave('first');
  await names();
  leave('first');
  assert.equal(await names(), 'first transactional');
});

test('a tenant with a long queue takes turns with the others', async () => {
  const { ask, names, leave } = visitors(new FairQueue({ total: 1, perTarget: 1 }));
  for (const name of ['a1', 'a2', 'a3']) ask(name, { tenantId: 'a' });
  ask('b1', { tenantId: 'b' });
  await names();
  for (const name of ['a1', 'a2', 'b1']) {
    leave(name);
    await names();
  }
  assert.equal(await names(), 'a1 a2 b1 a3');
});

test('a domain with all its slots in use leaves the others to other domains', async () => {
  const { ask, names } = visitors(new FairQueue({ total: 3, perTarget: 1 }));
  ask('slow 1');
  ask('slow 2');
  ask('quick', { targetId: 'y' });
  assert.equal(await names(), 'slow 1 quick');
});

test('an entry that times out gets null and takes no slot later', async () => {
  const queue = new FairQueue({ total: 1, perTarget: 1 });
  const { ask, names, leave } = visitors(queue);
  ask('a');
  await names();
  assert.equal(await queue.enter({ lane: 1, tenantId: 't', targetId: 'x', maxWaitMs: 5 }), null);
  assert.equal(await queue.enter({ lane: 1, tenantId: 't', targetId: 'x', maxWaitMs: 0 }), null);
  ask('b');
  leave('a');
  assert.equal(await names(), 'a b');
});

test('within a tenant its targets take turns', async () => {
  const { ask, names, leave } = visitors(new FairQueue({ total: 1, perTarget: 1 }));
  for (const name of ['x1', 'x2', 'x3']) ask(name);
  ask('y1', { targetId: 'y' });
  await names();
  for (const name of ['x1', 'x2', 'y1']) {
    leave(name);
    await names();
  }
  assert.equal(await names(), 'x1 x2 y1 x3');
});

test('a closed queue admits no entry until it is opened', async () => {
  const queue = new FairQueue(LIMITS);
  const { ask, names, leave } = visitors(queue);
  queue.open(0);
  for (const name of ['a', 'b', 'c']) ask(name);
  assert.equal(await names(), '');
  queue.open(1);
  assert.equal(await names(), 'a');
  leave('a');
  assert.equal(await names(), 'a b');
  queue.open(9);
  assert.equal(await names(), 'a b c');
});

test('a large entry waits for its slots and is not overtaken; one above the limit is admitted alone', async () => {
  const { ask, names, leave } = visitors(new FairQueue({ total: 10, perTarget: 10 }));
  ask('small', { size: 6 });
  ask('large', { size: 99, targetId: 'y' });
  ask('late', { size: 1, targetId: 'z' });
  assert.equal(await names(), 'small');
  leave('small');
  assert.equal(await names(), 'small large');
  leave('large');
  assert.equal(await names(), 'small large late');
});

test('entries behind a large one are admitted when it times out', async () => {
  const queue = new FairQueue({ total: 10, perTarget: 10 });
  const { ask, names } = visitors(queue);
  ask('inside', { size: 6 });
  const large = queue.enter({ lane: 1, tenantId: 't', targetId: 'y', maxWaitMs: 5, size: 9 });
  ask('small', { size: 1, targetId: 'z' });
  assert.equal(await large, null);
  assert.equal(await names(), 'inside small');
});

test('after a large entry timed out, others are admitted before the next of its tenant', async () => {
  const queue = new FairQueue({ total: 10, perTarget: 10 });
  const { ask, names } = visitors(queue);
  ask('inside', { size: 6 });
  const much = { lane: 1, tenantId: 'greedy', targetId: 'y', size: 9 };
  const first = queue.enter({ ...much, maxWaitMs: 5 });
  const second = queue.enter({ ...much, maxWaitMs: 500 });
  ask('other', { size: 1, tenantId: 'other', targetId: 'z' });
  assert.equal(await first, null);
  assert.equal(await names(), 'inside other');
  assert.equal(await second, null);
});

test('a target with its full share leaves the rest to others, and one above the share is admitted alone', async () => {
  const { ask, names } = visitors(new FairQueue({ total: 10, perTarget: 5 }));
  ask('a1', { size: 4, tenantId: 'a', targetId: 'a' });
  ask('a2', { size: 4, tenantId: 'a', targetId: 'a' });
  ask('b1', { size: 6, tenantId: 'b', targetId: 'b' });
  assert.equal(await names(), 'a1 b1');
});

test('kept slots are not given to others, and more are taken without waiting', async () => {
  const queue = new FairQueue({ total: 10, perTarget: 10 });
  const { ask, names } = visitors(queue);
  const leave = await queue.enter({ lane: 0, tenantId: 't', targetId: 'x', maxWaitMs: 1000, size: 8 });
  ask('next', { size: 4 });
  leave?.(7);
  assert.equal(await names(), '');
  leave?.(12);
  leave?.(6);
  assert.equal(await names(), 'next');
  ask('last', { size: 6 });
  leave?.();
  leave?.(5);
  assert.equal(await names(), 'next last');
});
