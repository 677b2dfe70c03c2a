import assert from 'node:assert/strict';
import test from 'node:test';
import { retryStep } from './retries.ts';
import { type StepOutcome, walk } from './walk.ts';

type Outcome = StepOutcome<number, string>;

/** Walks through these outcomes, by position. */
function through(outcomes: readonly Outcome[], maxSteps = 100) {
  const visited: number[] = [];
  const visit = async (position: number): Promise<Outcome> => {
    visited.push(position);
    const outcome = outcomes[position];
    if (outcome === undefined) throw new Error(`There is no step ${position}.`);
    return outcome;
  };
  return { visited, walked: walk({ from: 0, visit, maxSteps }) };
}

test('a walk visits the steps in order and returns the entries of completed ones', async () => {
  const { visited, walked } = through([
    { kind: 'done', entry: 'a', next: 2 },
    { kind: 'done', entry: 'never', next: null },
    { kind: 'passed', next: 3 },
    { kind: 'done', entry: 'b', next: null },
  ]);
  assert.deepEqual(await walked, { kind: 'completed', entries: ['a', 'b'] });
  assert.deepEqual(visited, [0, 2, 3]);
  const nothing = await walk({ from: null, visit: () => assert.fail('visited'), maxSteps: 1 });
  assert.deepEqual(nothing, { kind: 'completed', entries: [] });
});

test('a step that waits, fails or ends is the last one', async () => {
  const first: Outcome = { kind: 'done', entry: 'a', next: 1 };
  const until = new Date(0);
  assert.deepEqual(await through([first, { kind: 'waiting', until }]).walked, {
    ...{ kind: 'waiting', until, position: 1, entries: ['a'] },
  });
  assert.deepEqual(
    await through([first, { kind: 'failed', error: 'no', isFinal: true, entry: 'b' }]).walked,
    {
      ...{ kind: 'failed', error: 'no', isFinal: true, entry: 'b', position: 1, entries: ['a'] },
    },
  );
  assert.deepEqual(await through([first, { kind: 'ended', entry: 'b' }]).walked, {
    kind: 'ended',
    entries: ['a', 'b'],
  });
});

test('a walk in a loop pauses after the maximum number of steps', async () => {
  const { visited, walked } = through(
    [
      { kind: 'passed', next: 1 },
      { kind: 'done', entry: 'x', next: 0 },
    ],
    5,
  );
  assert.deepEqual(await walked, { kind: 'paused', position: 1, entries: ['x', 'x'] });
  assert.equal(visited.length, 5);
});

test('an error of a visit ends the walk', async () => {
  await assert.rejects(through([{ kind: 'passed', next: 9 }]).walked, /no step 9/);
});

test('a failed step is retried after its waits, in order, unless the failure is final', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const step = { error: 'no', isFinal: false, result: 'n', now, waitsSeconds: [2, 10, 30] };
  const after = (attempts: number, faults = 0) => retryStep({ attempts, faults }, step);
  for (const [tries, seconds] of [2, 10, 30].entries())
    assert.deepEqual(after(tries), {
      kind: 'retry',
      error: 'no',
      result: 'n',
      dueAt: new Date(now.getTime() + seconds * 1000),
    });
  assert.deepEqual(after(3), { kind: 'failed', error: 'no', result: 'n' });
  // Internal errors do not count.
  assert.deepEqual(after(5, 4), after(1));
  assert.deepEqual(retryStep({ attempts: 0, faults: 0 }, { ...step, isFinal: true }), {
    kind: 'failed',
    error: 'no',
    result: 'n',
  });
  const spread = Array.from({ length: 200 }, () =>
    retryStep({ attempts: 1, faults: 0 }, { ...step, hasJitter: true }),
  );
  const waits = spread.map((each) => (each.kind === 'retry' ? each.dueAt.getTime() - now.getTime() : 0));
  assert.ok(waits.every((wait) => wait >= 8000 && wait <= 12_000));
  assert.ok(new Set(waits).size > 20);
});
