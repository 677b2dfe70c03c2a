import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { type SharedThreadOptions, ThreadBusyError } from '../../../../threads/shared-thread.ts';
import { createFullModel } from './full-model.ts';

/** A run with many visible cells takes about a second; one without rows almost no time. */
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

test('a tenant waits for at most one run of each other tenant', async (t) => {
  const model = createModel(t);
  const order: string[] = [];
  const run = (tenantId: string, name: string) =>
    model.run(tenantId, request(1)).then(() => order.push(name));
  const runs = ['a1', 'a2', 'a3', 'a4'].map((name) => run('a', name));
  runs.push(run('b', 'b1'), run('b', 'b2'));
  await Promise.all(runs);
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

test('a tenant may use all capacity that others do not need', async (t) => {
  const model = createModel(t);
  const runs = Array.from({ length: 30 }, () => model.run('a', request(1)));
  for (const verdict of await Promise.all(runs)) assert.equal(typeof verdict, 'object');
});

test('when too many wait, the newest run of the longest queue is dropped for a tenant with fewer', async (t) => {
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

test('a run that waited too long is rejected without running', async (t) => {
  const model = createModel(t, { maxWaitMs: 1 });
  const first = model.run('a', request(50));
  const [second, third] = [model.run('a', request(1)), model.run('b', request(1))];
  await Promise.all([assert.rejects(second, ThreadBusyError), assert.rejects(third, ThreadBusyError), first]);
  assert.equal(typeof (await model.run('a', request(1))), 'object');
});

test('waiting runs are rejected when the model closes', async (t) => {
  const model = createModel(t);
  const runs = [1, 2].map(() => assert.rejects(model.run('a', request(1)), ThreadBusyError));
  await model.close();
  await Promise.all(runs);
});

test("answers that exhaust the thread's memory cannot be checked, but others can", async (t) => {
  const model = createModel(t, { heapMb: 40, deadlineMs: 60_000 });
  assert.equal(await model.run('a', request(500)), 'out of memory');
  assert.equal(typeof (await model.run('a', request(1))), 'object');
});

test('a thread that cannot start is not blamed on the answers', async (t) => {
  const model = createModel(t, { heapMb: 5 });
  await assert.rejects(model.run('a', request(1)), ThreadBusyError);
});
