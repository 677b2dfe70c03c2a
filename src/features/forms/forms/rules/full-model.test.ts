import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { type SharedThreadOptions, ThreadBusyError } from '../../../../threads/shared-thread.ts';
import { createFullModel } from './full-model.ts';

/** A run of many visible cells takes about a second; one without rows hardly any time. */
function request(rows: number) {
  const columns = Array.from({ length: 20 }, (_, index) => ({ name: `c${index}`, cellType: 'text' }));
  const definition = { pages: [{ name: 'p', elements: [{ type: 'matrixdynamic', name: 'm', columns }] }] };
  return { definition, answers: { m: Array.from({ length: rows }, () => ({ c0: 'x' })) } };
}

function createModel(t: TestContext, options: Partial<SharedThreadOptions> = {}) {
  const model = createFullModel({ deadlineMs: 10_000, maxWaitMs: 60_000, ...options });
  t.after(() => model.close());
  return model;
}

test('a tenant waits for one run of each other tenant, not for all that wait', async (t) => {
  const model = createModel(t);
  const order: string[] = [];
  const run = (tenantId: string, name: string) =>
    model.run(tenantId, request(1)).then(() => order.push(name));
  const runs = ['a1', 'a2', 'a3', 'a4'].map((name) => run('a', name));
  runs.push(run('b', 'b1'), run('b', 'b2'));
  await Promise.all(runs);
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

test('a tenant may have all the room that others do not need', async (t) => {
  const model = createModel(t);
  const runs = Array.from({ length: 30 }, () => model.run('a', request(1)));
  for (const verdict of await Promise.all(runs)) assert.equal(typeof verdict, 'object');
});

test('when too many wait, the newest run of the longest line makes way for a tenant with fewer', async (t) => {
  const model = createModel(t, { maxWaiting: 3 });
  const order: string[] = [];
  const run = (tenantId: string, name: string) =>
    model.run(tenantId, request(1)).then(
      () => order.push(name),
      (error: unknown) => {
        assert.ok(error instanceof ThreadBusyError);
        order.push(`${name} refused`);
      },
    );
  const runs = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => run('a', name));
  runs.push(run('b', 'b1'), run('b', 'b2'), run('c', 'c1'));
  await Promise.all(runs);
  assert.deepEqual(order.slice(0, 4).sort(), ['a3 refused', 'a4 refused', 'a5 refused', 'b2 refused']);
  assert.deepEqual(order.slice(4), ['a1', 'a2', 'b1', 'c1']);
});

test('a run that waited too long is refused and not made', async (t) => {
  const model = createModel(t, { maxWaitMs: 1 });
  const first = model.run('a', request(50));
  const [second, third] = [model.run('a', request(1)), model.run('b', request(1))];
  await Promise.all([assert.rejects(second, ThreadBusyError), assert.rejects(third, ThreadBusyError), first]);
  assert.equal(typeof (await model.run('a', request(1))), 'object');
});

test('runs that wait when the model closes are refused', async (t) => {
  const model = createModel(t);
  const runs = [1, 2].map(() => assert.rejects(model.run('a', request(1)), ThreadBusyError));
  await model.close();
  await Promise.all(runs);
});

test('answers that fill the memory of the thread cannot be checked, and others can', async (t) => {
  const model = createModel(t, { heapMb: 40, deadlineMs: 60_000 });
  assert.equal(await model.run('a', request(500)), 'out of memory');
  assert.equal(typeof (await model.run('a', request(1))), 'object');
});

test('that no thread can begin says nothing about the answers', async (t) => {
  const model = createModel(t, { heapMb: 5 });
  await assert.rejects(model.run('a', request(1)), ThreadBusyError);
});
