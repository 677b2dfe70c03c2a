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

function recorder() {
  const batches: number[][] = [];
  const state = { failures: 0, errors: 0, away: 'nobody' };
  const buffer = new EventBuffer(
    async (events) => {
      await new Promise((resolve) => setImmediate(resolve));
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

test('concurrent events are recorded together', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { buffer, batches } = recorder();
  for (let n = 0; n < 10; n += 1) await buffer.add(event(n));
  assert.deepEqual(batches, []);
  t.mock.timers.tick(200);
  await buffer.flush();
  assert.deepEqual(batches, [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
});

test('closing records waiting events and those that arrive meanwhile', async () => {
  const { buffer, batches } = recorder();
  for (let n = 0; n < 12_500; n += 1) await buffer.add(event(n));
  const closed = buffer.close();
  await buffer.add(event(12_500));
  await closed;
  assert.deepEqual(
    batches.flat(),
    Array.from({ length: 12_501 }, (_, n) => n),
  );
  assert.deepEqual(
    batches.map(({ length }) => length),
    [5000, 5000, 2501],
  );
});

test('a short loss of the database loses no event', async () => {
  const { buffer, batches, state } = recorder();
  state.failures = 2;
  for (let n = 0; n < 3; n += 1) await buffer.add(event(n));
  await buffer.close();
  assert.deepEqual([batches, state.errors, buffer.lost], [[[0, 1, 2]], 2, 0]);
});

test('a full buffer delays requests for up to a second, then drops and counts their events', async () => {
  const { buffer, batches, state } = recorder();
  for (let n = 0; n < 50_000; n += 1) await buffer.add(event(n));
  state.failures = 3;
  const flushed = buffer.flush();
  await buffer.add(event(-1));
  assert.equal(buffer.lost, 1);
  await flushed;
  await buffer.add(event(-2));
  await buffer.close();
  assert.deepEqual([batches.flat().length, batches.flat().at(-1)], [50_001, -2]);
});

test('events of a tenant on an unavailable node delay no others and are recorded after its return', async () => {
  const { buffer, batches, state } = recorder();
  state.away = 'away';
  for (let n = 0; n < 10; n += 1) await buffer.add({ ...event(n), tenantId: n % 2 === 0 ? 'away' : 't' });
  await buffer.flush();
  await buffer.add(event(11));
  // The event is not retried with the others.
  await buffer.add({ ...event(12), tenantId: 'away' });
  await buffer.flush();
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
  await buffer.flush();
  state.away = 'nobody';
  await buffer.close();
  assert.deepEqual(batches.flat(), [1]);
});

test('a tenant on an unavailable node does not fill the buffer of others: its oldest events are dropped and counted', async () => {
  const { buffer, batches, state } = recorder();
  state.away = 'away';
  await buffer.add(event(-1));
  for (let n = 0; n < 49_999; n += 1) await buffer.add({ ...event(n), tenantId: 'away' });
  const flushed = buffer.flush();
  // The buffer is full: an event without room would wait for a second and be lost.
  await eventually('the first batch', () => batches.length > 0);
  assert.equal(buffer.add(event(-2)), undefined);
  assert.equal(buffer.lost, 0);
  assert.equal(buffer.add(event(-3)), undefined);
  assert.equal(buffer.lost, 1000);
  await flushed;
  await buffer.flush();
  assert.deepEqual(batches, [[-1], [-2, -3]]);
  state.away = 'nobody';
  await buffer.close();
  const recorded = new Set(batches.flat());
  assert.equal(recorded.size, 49_999 + 3 - 1000);
  assert.deepEqual([recorded.has(-2), recorded.has(-3)], [true, true]);
});
