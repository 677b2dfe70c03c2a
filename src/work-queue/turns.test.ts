import assert from 'node:assert/strict';
import test from 'node:test';
import type { DueTarget } from './due-tenants.ts';
import { Turns } from './turns.ts';

const LIMITS = { concurrency: 10, concurrencyPerTarget: 4, concurrencyPerTenant: 6 };

/** Finds tenants with these due rows as the database would, and assigns slots. */
function poll(turns: Turns, due: Record<string, Record<string, number>>) {
  const known = turns.knownTenants();
  if (turns.lastTenant === null) turns.beginRound();
  const tenants = Object.entries(due)
    .filter(([tenant_id]) => tenant_id > (turns.lastTenant ?? ''))
    .map(([tenant_id, targets]) => {
      const knownTenant = known.find((tenant) => tenant.tenant_id === tenant_id);
      const found: DueTarget[] = Object.entries(targets)
        .filter(([target_id]) => target_id > (knownTenant?.after ?? ''))
        .map(([target_id, count]) => ({ tenant_id, target_id, due: Math.min(count, 4) }));
      return { tenant_id, targets: found.slice(0, knownTenant?.maxTargets ?? LIMITS.concurrencyPerTenant) };
    });
  return turns
    .assign({ tenants, end: null }, known)
    .map(({ target_id, count }) => [target_id, count] as const);
}

test('a target gets no more slots than its limit, however long its backlog', () => {
  const shares = poll(new Turns(LIMITS), { a: { slow: 1000 }, b: { quick: 1 } });
  assert.deepEqual(shares, [
    ['slow', 4],
    ['quick', 1],
  ]);
});

test('a tenant with many targets leaves slots to other tenants', () => {
  const shares = poll(new Turns(LIMITS), { a: { a1: 4, a2: 4, a3: 4 }, b: { b1: 4 } });
  assert.deepEqual(shares, [
    ['a1', 4],
    ['a2', 2],
    ['b1', 4],
  ]);
});

test('when the slots run out, the next poll begins after the tenant that got the last one', () => {
  const turns = new Turns({ ...LIMITS, concurrency: 4 });
  const due = { a: { a1: 9 }, b: { b1: 9 }, c: { c1: 9 } };
  assert.deepEqual(poll(turns, due), [['a1', 4]]);
  assert.deepEqual(poll(turns, due), [['b1', 4]]);
  assert.deepEqual(poll(turns, due), [['c1', 4]]);
});

test("a tenant's targets take turns", () => {
  const turns = new Turns(LIMITS);
  const due = { a: { a1: 4, a2: 4, a3: 4, a4: 4 } };
  const first = poll(turns, due);
  const second = poll(turns, due);
  assert.deepEqual(first.concat(second), [
    ['a1', 4],
    ['a2', 2],
    ['a3', 4],
    ['a4', 2],
  ]);
  assert.ok(turns.hasMoreWork);
  assert.deepEqual(poll(turns, due)[0], ['a1', 4]);
});

test('a tenant whose slots are taken keeps its turn until some are free', () => {
  const turns = new Turns(LIMITS);
  const due = { a: { a1: 4, a2: 4, a3: 4 } };
  for (const [target, count] of poll(turns, due)) {
    for (let n = 0; n < count; n += 1) turns.count('a', target, 1);
  }
  assert.deepEqual(poll(turns, due), []);
  turns.count('a', 'a1', -1);
  assert.deepEqual(poll(turns, due), [['a3', 1]]);
});

test('targets with all their slots taken do not hide the others of their tenant', () => {
  const turns = new Turns(LIMITS);
  for (let n = 0; n < 4; n += 1) turns.count('a', 'a1', 1);
  assert.deepEqual(poll(turns, { a: { a1: 9, a2: 1, a3: 1 } }), [
    ['a2', 1],
    ['a3', 1],
  ]);
});

test('a fast target has rows claimed ahead that take no slots from others', () => {
  const turns = new Turns(LIMITS, (_tenant, target) => (target === 'quick' ? 12 : 4));
  const find = (due: Record<string, number>) => {
    const targets = Object.entries(due).map(([target_id, count]) => ({
      tenant_id: 'a',
      target_id,
      due: count,
    }));
    return turns.assign({ tenants: [{ tenant_id: 'a', targets }], end: null }, []);
  };
  const shares = find({ quick: 50, slow: 50 });
  assert.deepEqual(
    shares.map(({ target_id, count }) => [target_id, count]),
    [
      ['quick', 12],
      ['slow', 2],
    ],
  );
});

test('rows are claimed ahead again when half of them are done', () => {
  const turns = new Turns(LIMITS, () => 12);
  const due = {
    tenants: [{ tenant_id: 'a', targets: [{ tenant_id: 'a', target_id: 'x', due: 50 }] }],
    end: null,
  };
  for (let n = 0; n < 6; n += 1) turns.count('a', 'x', 1);
  assert.deepEqual(turns.assign(due, []), []);
  turns.count('a', 'x', -1);
  assert.deepEqual(turns.assign(due, []), [{ tenant_id: 'a', target_id: 'x', count: 7 }]);
});

test('at most four times as many rows are claimed as may be attempted at once', () => {
  const turns = new Turns(LIMITS, () => 1000);
  const [share] = turns.assign(
    { tenants: [{ tenant_id: 'a', targets: [{ tenant_id: 'a', target_id: 'x', due: 500 }] }], end: null },
    [],
  );
  assert.equal(share?.count, 40);
});

test('an attempt occupies its slot until it is acknowledged', () => {
  const turns = new Turns(LIMITS);
  for (let n = 0; n < 10; n += 1) turns.count(`t${n}`, 'x', 1);
  assert.ok(!turns.hasFreeSlots);
  turns.count('t1', 'x', -1);
  assert.ok(turns.hasFreeSlots);
  assert.equal(turns.claimed, 9);
});

test('polling continues while rows are assigned, and ends when a whole round assigned none', () => {
  const turns = new Turns(LIMITS);
  poll(turns, { a: { a1: 1 } });
  assert.ok(turns.hasMoreWork);
  poll(turns, {});
  assert.ok(!turns.hasMoreWork);
});

test('rows may start without their turn only while half of the capacity of target, tenant and process is free', () => {
  const turns = new Turns(LIMITS, () => 12);
  for (let n = 0; n < 5; n += 1) turns.count('a', 'x', 1);
  // Five of twelve rows occupy four slots: more than half of the tenant's six.
  assert.ok(!turns.mayBegin('a', 'x'));
  assert.ok(!turns.mayBegin('a', 'y'));
  assert.ok(turns.mayBegin('b', 'x'));
  turns.count('b', 'x', 1);
  assert.ok(!turns.mayBegin('c', 'x'));
});

test('a target has enough claimed rows until half of them are done', () => {
  const turns = new Turns(LIMITS, () => 12);
  for (let n = 0; n < 6; n += 1) turns.count('a', 'x', 1);
  assert.ok(turns.hasEnough('a', 'x'));
  turns.count('a', 'x', -1);
  assert.ok(!turns.hasEnough('a', 'x'));
});

test('a tenant with more slots than its share is polled for no targets, and gets none', () => {
  const turns = new Turns(LIMITS);
  for (const target of ['x', 'y', 'z']) for (let n = 0; n < 3; n += 1) turns.count('a', target, 1);
  assert.deepEqual(turns.knownTenants(), [{ tenant_id: 'a', after: null, maxTargets: 0 }]);
  assert.deepEqual(poll(turns, { a: { w: 4 }, b: { b1: 4 } }), [['b1', 1]]);
});
