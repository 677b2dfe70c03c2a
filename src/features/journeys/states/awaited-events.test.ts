import assert from 'node:assert/strict';
import test from 'node:test';
import { awaitedEvent, hasOccurred } from './awaited-events.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const mails = { hello: { id: 'm1', at: at(30).toISOString() } };
const wait = { key: 'w', type: 'wait_for', timeout_seconds: 60 } as const;

test('events of a referenced mail always count, other events only after its time', () => {
  const opened = awaitedEvent({ ...wait, event: 'open', step: 'hello' }, at(40), mails);
  assert.equal(hasOccurred({ 'open:m1': at(10).toISOString() }, opened), true);
  assert.equal(hasOccurred({ 'open:m2': at(50).toISOString() }, opened), false);
  const bought = awaitedEvent({ ...wait, event: 'purchase', step: 'hello' }, at(40), mails);
  assert.equal(hasOccurred({ purchase: at(10).toISOString() }, bought), false);
  assert.equal(hasOccurred({ purchase: at(35).toISOString() }, bought), true);
  const any = awaitedEvent({ ...wait, event: 'open' }, at(40), mails);
  assert.equal(hasOccurred({ open: at(35).toISOString() }, any), false);
  assert.equal(awaitedEvent({ ...wait, event: 'open', step: 'other' }, at(40), mails), null);
});
