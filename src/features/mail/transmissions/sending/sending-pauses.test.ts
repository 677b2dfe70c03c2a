import assert from 'node:assert/strict';
import test from 'node:test';
import { SendingPauses } from './sending-pauses.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1000);

/** Returns the pauses of a sending after this many refusals. */
function refused(times: number): SendingPauses {
  const pauses = new SendingPauses();
  for (let index = 0; index < times; index += 1) pauses.refuse('a', 'no', at(0));
  return pauses;
}

test('a sending pauses after five refusals in a row without affecting another one', () => {
  assert.equal(refused(4).find('a', at(0)), null);
  const pauses = refused(5);
  assert.deepEqual(pauses.find('a', at(0)), { until: at(60), reason: 'no' });
  assert.equal(pauses.find('b', at(0)), null);
});

test('messages in flight at the start of the pause do not extend it', () => {
  assert.deepEqual(refused(12).find('a', at(0))?.until, at(60));
});

test('after the pause one message is tried, and the pause doubles up to half an hour while it is refused', () => {
  const pauses = refused(5);
  let now = 0;
  const waits: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const until = ((pauses.find('a', at(now))?.until.getTime() ?? 0) - START) / 1000;
    waits.push(until - now);
    now = until;
    assert.equal(pauses.find('a', at(now)), null);
    assert.notEqual(pauses.find('a', at(now)), null);
    pauses.refuse('a', 'no', at(now));
  }
  assert.deepEqual(waits, [60, 120, 240, 480, 960, 1800, 1800]);
});

test('an accepted message ends the pause', () => {
  const pauses = refused(5);
  pauses.accept('a');
  assert.equal(pauses.find('a', at(0)), null);
});
