import assert from 'node:assert/strict';
import test from 'node:test';
import { Pace } from './pace.ts';

const TARGET = 'tenant target';

test('rows are claimed ahead for a fast target, not for a slow or an unknown one', () => {
  const pace = new Pace(50);
  assert.equal(pace.claimFactor(TARGET), 1);
  pace.record(TARGET, 10);
  assert.equal(pace.claimFactor(TARGET), 20);
  for (let n = 0; n < 50; n += 1) pace.record(TARGET, 5000);
  assert.equal(pace.claimFactor(TARGET), 1);
});

test('with a long poll interval, rows are claimed for several polls, so that no target is idle', () => {
  const pace = new Pace(200);
  pace.record(TARGET, 10);
  assert.equal(pace.claimFactor(TARGET), 60);
});

test('rows claimed ahead are limited even for a target that answers immediately', () => {
  const pace = new Pace(50);
  pace.record(TARGET, 0);
  assert.equal(pace.claimFactor(TARGET), 64);
});
