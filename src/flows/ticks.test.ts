import assert from 'node:assert/strict';
import test from 'node:test';
import { lastTick, nextTick } from './ticks.ts';

/** Returns the ticks between two times, each found from the previous one, and checks the same backwards. */
function ticksBetween(expression: string, timezone: string, from: string, until: string) {
  const schedule = { expression, timezone };
  const forward: string[] = [];
  for (
    let tick = nextTick(schedule, new Date(from));
    tick && tick < new Date(until);
    tick = nextTick(schedule, tick)
  )
    forward.push(tick.toISOString().slice(0, 16));
  const backward: string[] = [];
  for (
    let tick = lastTick(schedule, new Date(Date.parse(until) - 1));
    tick && tick > new Date(from);
    tick = lastTick(schedule, new Date(tick.getTime() - 1))
  )
    backward.unshift(tick.toISOString().slice(0, 16));
  assert.deepEqual(backward, forward, `${expression} in ${timezone}`);
  return forward;
}

test('ticks follow the local time of the zone through the year', () => {
  const days = (month: string) =>
    ticksBetween('30 8 * * *', 'Europe/Berlin', `2030-${month}-10T00:00:00Z`, `2030-${month}-11T00:00:00Z`);
  assert.deepEqual(days('01'), ['2030-01-10T07:30']);
  assert.deepEqual(days('07'), ['2030-07-10T06:30']);
  const inKiribati = ticksBetween(
    '0 0 * * 1',
    'Pacific/Kiritimati',
    '2030-01-05T00:00:00Z',
    '2030-01-09T00:00:00Z',
  );
  assert.deepEqual(inKiribati, ['2030-01-06T10:00']);
});

test('a local time that does not exist ticks at the next existing one', () => {
  // At 02:00 the clocks of Berlin show 03:00.
  const gap = ['2030-03-31T00:00:00Z', '2030-03-31T04:00:00Z'] as const;
  assert.deepEqual(ticksBetween('30 2 * * *', 'Europe/Berlin', ...gap), ['2030-03-31T01:00']);
  assert.deepEqual(ticksBetween('*/30 * * * *', 'Europe/Berlin', ...gap), [
    '2030-03-31T00:30',
    '2030-03-31T01:00',
    '2030-03-31T01:30',
    '2030-03-31T02:00',
    '2030-03-31T02:30',
    '2030-03-31T03:00',
    '2030-03-31T03:30',
  ]);
  // Samoa had no 30 December in 2011.
  const samoa = ['2011-12-29T12:00:00Z', '2011-12-31T12:00:00Z'] as const;
  assert.deepEqual(ticksBetween('0 12 30 12 *', 'Pacific/Apia', ...samoa), ['2011-12-30T10:00']);
});

test('a local time that exists twice ticks once', () => {
  // At 03:00 the clocks of Berlin show 02:00 again.
  const overlap = ['2030-10-26T22:30:00Z', '2030-10-27T03:00:00Z'] as const;
  assert.deepEqual(ticksBetween('30 2 * * *', 'Europe/Berlin', ...overlap), ['2030-10-27T00:30']);
  assert.deepEqual(ticksBetween('0 * * * *', 'Europe/Berlin', ...overlap), [
    '2030-10-26T23:00',
    '2030-10-27T00:00',
    '2030-10-27T02:00',
  ]);
  const halfHour = ['2030-04-06T13:30:00Z', '2030-04-06T16:00:00Z'] as const;
  assert.deepEqual(ticksBetween('45 1 * * *', 'Australia/Lord_Howe', ...halfHour), ['2030-04-06T14:45']);
});
