import assert from 'node:assert/strict';
import test from 'node:test';
import { Pace } from './pace.ts';

const TARGET = 'tenant target';

test('of a quick target rows are claimed ahead, of a slow or an unknown one none', () => {
  const pace = new Pace(50);
  assert.equal(pace.aheadOf(TARGET), 1);
  pace.note(TARGET, 10);
  assert.equal(pace.aheadOf(TARGET), 20);
  for (let n = 0; n < 50; n += 1) pace.note(TARGET, 5000);
  assert.equal(pace.aheadOf(TARGET), 1);
});

test('where looks are far apart rows are claimed for several of them, so that no target waits for the next', () => {
  const pace = new Pace(200);
  pace.note(TARGET, 10);
  assert.equal(pace.aheadOf(TARGET), 60);
});

test('even of a target that answers at once not all rows are claimed', () => {
  const pace = new Pace(50);
  pace.note(TARGET, 0);
  assert.equal(pace.aheadOf(TARGET), 64);
});
