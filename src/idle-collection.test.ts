import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectGarbage, isTimeToCollect } from './idle-collection.ts';

const MIB = 1024 * 1024;

test('a collection frees unreachable memory', async () => {
  const garbage = Array.from({ length: 100 }, () => new WeakRef(new Uint8Array(MIB)));
  // A reference that was just created or read keeps its object alive until the end of the turn.
  await nextTurn();
  await collectGarbage();
  assert.deepEqual(
    garbage.filter((each) => each.deref() !== undefined),
    [],
  );
});

test('an idle process collects once enough has accumulated, a busy one leaves it to the engine', () => {
  const idle = { busyShare: 0.05, usedBytes: 90 * MIB, baselineBytes: 60 * MIB };
  assert.equal(isTimeToCollect(idle), true);
  assert.equal(isTimeToCollect({ ...idle, usedBytes: 70 * MIB }), false);
  assert.equal(isTimeToCollect({ ...idle, busyShare: 0.5 }), false);
});
