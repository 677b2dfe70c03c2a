import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectGarbage, isTimeToCollect } from './quiet-collection.ts';

const MIB = 1024 * 1024;

test('a collection frees what nobody holds', async () => {
  const garbage = Array.from({ length: 100 }, () => new WeakRef(new Uint8Array(MIB)));
  // A reference just made or read holds its object until the end of the turn.
  await nextTurn();
  await collectGarbage();
  assert.deepEqual(
    garbage.filter((each) => each.deref() !== undefined),
    [],
  );
});

test('a quiet process collects once enough has gathered, a busy one leaves it to the engine', () => {
  const quiet = { busyShare: 0.05, held: 90 * MIB, kept: 60 * MIB };
  assert.equal(isTimeToCollect(quiet), true);
  assert.equal(isTimeToCollect({ ...quiet, held: 70 * MIB }), false);
  assert.equal(isTimeToCollect({ ...quiet, busyShare: 0.5 }), false);
});
