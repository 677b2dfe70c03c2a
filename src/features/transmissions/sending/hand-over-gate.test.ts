import assert from 'node:assert/strict';
import test from 'node:test';
import { type Entry, HandOverGate, type Leave } from './hand-over-gate.ts';

const LIMITS = { places: 2, placesPerTarget: 2 };

/** Asks for a place and notes who got one, in order. */
function visitors(gate: HandOverGate) {
  const inside: { name: string; leave: Leave }[] = [];
  const ask = async (name: string, entry: Partial<Entry> = {}): Promise<void> => {
    const leave = await gate.enter({ lane: 1, tenantId: 't', targetId: 'x', maxWaitMs: 60_000, ...entry });
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

test('no more are inside than there are places, and leaving twice frees one place', async () => {
  const { ask, names, leave } = visitors(new HandOverGate(LIMITS));
  for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name);
  assert.equal(await names(), 'a b');
  leave('a');
  leave('a');
  assert.equal(await names(), 'a b c');
});

test('transactional mail goes before bulk mail that waits longer', async () => {
  const { ask, names, leave } = visitors(new HandOverGate({ places: 1, placesPerTarget: 1 }));
  ask('first');
  ask('bulk');
  ask('transactional', { lane: 0, targetId: 'y' });
  leave('first');
  await names();
  leave('first');
  assert.equal(await names(), 'first transactional');
});

test('a tenant with a long queue takes turns with the others', async () => {
  const { ask, names, leave } = visitors(new HandOverGate({ places: 1, placesPerTarget: 1 }));
  for (const name of ['a1', 'a2', 'a3']) ask(name, { tenantId: 'a' });
  ask('b1', { tenantId: 'b' });
  await names();
  for (const name of ['a1', 'a2', 'b1']) {
    leave(name);
    await names();
  }
  assert.equal(await names(), 'a1 a2 b1 a3');
});

test('a domain that has its places leaves the others to other domains', async () => {
  const { ask, names } = visitors(new HandOverGate({ places: 3, placesPerTarget: 1 }));
  ask('slow 1');
  ask('slow 2');
  ask('quick', { targetId: 'y' });
  assert.equal(await names(), 'slow 1 quick');
});

test('who waits in vain is told so, and does not take a place later', async () => {
  const gate = new HandOverGate({ places: 1, placesPerTarget: 1 });
  const { ask, names, leave } = visitors(gate);
  ask('a');
  await names();
  assert.equal(await gate.enter({ lane: 1, tenantId: 't', targetId: 'x', maxWaitMs: 5 }), null);
  assert.equal(await gate.enter({ lane: 1, tenantId: 't', targetId: 'x', maxWaitMs: 0 }), null);
  ask('b');
  leave('a');
  assert.equal(await names(), 'a b');
});

test('while the relay is away one message at a time goes out, after a pause', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const gate = new HandOverGate(LIMITS);
  const { ask, names, leave } = visitors(gate);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) ask(name);
  await names();
  gate.report(false);
  gate.report(false);
  leave('a');
  leave('b');
  assert.equal(await names(), 'a b');
  t.mock.timers.tick(1000);
  assert.equal(await names(), 'a b c');
  gate.report(false);
  leave('c');
  t.mock.timers.tick(1999);
  assert.equal(await names(), 'a b c');
  t.mock.timers.tick(1);
  assert.equal(await names(), 'a b c d');
  gate.report(true);
  assert.equal(await names(), 'a b c d e');
  leave('d');
  assert.equal(await names(), 'a b c d e f');
});
