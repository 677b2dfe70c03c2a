import assert from 'node:assert/strict';
import test from 'node:test';
import { eventually } from '../../../../test/harness/poll.ts';
import { EventBuffer } from './event-buffer.ts';
import type { MessageEvent } from './message-events.ts';

const event = (n: number): MessageEvent => ({
  tenantId: 't',
  messageId: String(n),
  type: 'open',
  occurredAt: new Date(n),
});

/** A buffer whose writes succeed, fail or wait as `state` says. */
function recorder() {
  const batches: number[][] = [];
  const state = { begun: 0, failures: 0, errors: 0, away: 'nobody', written: Promise.resolve() };
  const buffer = new EventBuffer(
    async (events) => {
      state.begun += 1;
      await state.written;
      const error = new Error('The database is away.');
      if (state.failures > 0) {
        state.failures -= 1;
        return { failed: events, unavailable: [], error };
      }
      const unavailable = events.filter(({ tenantId }) => tenantId === state.away);
      const recorded = events.filter(({ tenantId }) => tenantId !== state.away);
      batches.push(recorded.map(({ messageId }) => Number(messageId)));
      return unavailable.length === 0 ? { failed: [], unavailable } : { failed: [], unavailable, error };
    },
    async (tenantIds) => new Set(tenantIds.filter((tenantId) => tenantId !== state.away)),
    () => {
      state.errors += 1;
    },
  );
  return { buffer, batches, state };
}

/** Lets writes wait until `end` is called. */
function blockWrites(state: { written: Promise<void> }) {
  const { promise, resolve } = Promise.withResolvers<void>();
  state.written = promise;
  return { end: resolve };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

test('events that arrive during a write share the next one, and each is answered after its own', async () => {
  const { buffer, batches, state } = recorder();
  const first = blockWrites(state);
  const answered: number[] = [];
  const add = (n: number) => buffer.add(event(n)).then(() => answered.push(n));
  const begun = add(0);
  await eventually('the first write', () => state.begun === 1);
  const others = range(1, 10).map(add);
  assert.deepEqual([batches, answered], [[], []]);
  first.end();
  await begun;
  assert.deepEqual(answered, [0]);
  await Promise.all(others);
  assert.deepEqual(batches, [[0], range(1, 10)]);
  await buffer.close();
});

test('closing records waiting events and those that arrive meanwhile', async () => {
  const { buffer, batches } = recorder();
  const added = range(0, 12_500).map((n) => buffer.add(event(n)));
  const closed = buffer.close();
  added.push(buffer.add(event(12_500)));
  await closed;
  await Promise.all(added);
  assert.deepEqual(batches.flat(), range(0, 12_501));
  assert.deepEqual(
    batches.map(({ length }) => length),
    [5000, 5000, 2501],
  );
});

test('a short loss of the database loses no event', async () => {
  const { buffer, batches, state } = recorder();
  state.failures = 2;
  await Promise.all(range(0, 3).map((n) => buffer.add(event(n))));
  await buffer.close();
  assert.deepEqual([batches, state.errors, buffer.lost], [[[0, 1, 2]], 2, 0]);
});

test('a database that does not answer delays no request for long', async () => {
  const { buffer, batches, state } = recorder();
  const write = blockWrites(state);
  await buffer.add(event(0));
  assert.deepEqual(batches, []);
  write.end();
  await buffer.close();
  assert.deepEqual([batches, buffer.lost], [[[0]], 0]);
});

test('a full buffer drops and counts further events', async () => {
  const { buffer, batches, state } = recorder();
  const write = blockWrites(state);
  const added = range(0, 50_000).map((n) => buffer.add(event(n)));
  await buffer.add(event(-1));
  assert.equal(buffer.lost, 1);
  write.end();
  await Promise.all(added);
  await buffer.add(event(-2));
  await buffer.close();
  assert.deepEqual([batches.flat().length, batches.flat().at(-1)], [50_001, -2]);
});

test('events of a tenant on an unavailable node delay no others and are recorded after its return', async () => {
  const { buffer, batches, state } = recorder();
  state.away = 'away';
  const add = (n: number) => buffer.add({ ...event(n), tenantId: n % 2 === 0 ? 'away' : 't' });
  await Promise.all(range(0, 10).map(add));
  await add(11);
  // The event is not retried with the others.
  await add(12);
  assert.deepEqual([batches.flat(), state.errors], [[1, 3, 5, 7, 9, 11], 1]);
  state.away = 'nobody';
  await eventually('the events of the node that is back', () => batches.flat().length === 12);
  assert.deepEqual(batches.flat().slice(6), [0, 2, 4, 6, 8, 12]);
  await buffer.close();
  assert.equal(buffer.lost, 0);
});

test('closing retries events of an unavailable node once', async () => {
  const { buffer, batches, state } = recorder();
  state.away = 'away';
  await buffer.add({ ...event(1), tenantId: 'away' });
  state.away = 'nobody';
  await buffer.close();
  assert.deepEqual(batches.flat(), [1]);
});

test('a tenant on an unavailable node does not fill the buffer of others: its oldest events are dropped and counted', async () => {
  const { buffer, batches, state } = recorder();
  state.away = 'away';
  const added = [buffer.add(event(-1))];
  for (const n of range(0, 49_999)) added.push(buffer.add({ ...event(n), tenantId: 'away' }));
  await Promise.all(added);
  // One place is free: the first event has been recorded.
  await buffer.add(event(-2));
  await buffer.add({ ...event(50_000), tenantId: 'away' });
  assert.equal(buffer.lost, 0);
  await buffer.add(event(-3));
  assert.equal(buffer.lost, 1000);
  assert.deepEqual(batches, [[-1], [-2], [-3]]);
  state.away = 'nobody';
  await buffer.close();
  const recorded = new Set(batches.flat());
  assert.equal(recorded.size, 50_000 + 3 - 1000);
  assert.deepEqual([recorded.has(-2), recorded.has(-3)], [true, true]);
});
