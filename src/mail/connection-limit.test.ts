import assert from 'node:assert/strict';
import test from 'node:test';
import { ConnectionLimit, isConnectionLimitError } from './connection-limit.ts';

const refusal = (responseCode: number, response: string, command = 'CONN') =>
  Object.assign(new Error(response), { responseCode, response, command });

test('a rejection for too many connections is recognised', () => {
  const tooMany = [
    refusal(421, '421 too many concurrent connections'),
    refusal(421, '421 4.7.0 Too many connections, closing channel'),
    refusal(421, '421 4.3.2 Concurrent connections limit exceeded'),
    refusal(421, '421 Maximum SMTP sessions per IP reached'),
    refusal(451, '451 4.7.0 Too many sessions from this host', 'EHLO'),
    refusal(452, '452 4.3.2 Connection limit exceeded', 'MAIL FROM'),
    refusal(550, '550 Too many simultaneous connections', 'MAIL FROM'),
    refusal(554, '554 5.7.0 Session limit reached'),
    refusal(421, '421 concurrency limit reached'),
    refusal(421, '421 trop de connexions, veuillez reessayer'),
  ];
  for (const error of tooMany) assert.ok(isConnectionLimitError(error, false), error.message);
  const others = [
    refusal(421, '421 Service not available'),
    refusal(550, '550 5.1.1 User unknown', 'RCPT TO'),
    refusal(451, '451 4.7.1 Greylisted', 'RCPT TO'),
    refusal(550, '550 Hourly sending limit exceeded', 'RCPT TO'),
    new Error('connect ECONNREFUSED'),
    'too many connections',
  ];
  for (const error of others) assert.equal(isConnectionLimitError(error, false), false, String(error));
  assert.ok(isConnectionLimitError(refusal(421, '421 Service not available'), true));
});

test('the limit follows refusals down and grows again one by one', () => {
  const limit = new ConnectionLimit(5);
  limit.lower(3, 0);
  assert.deepEqual([limit.value, limit.isLowered], [3, true]);
  limit.lower(0, 1000);
  assert.equal(limit.value, 1);
  assert.equal(limit.grow(60_000), false);
  assert.equal(limit.grow(61_000), true);
  assert.equal(limit.grow(61_001), false);
  for (let minute = 3; minute < 9; minute += 1) limit.grow(minute * 60_000);
  assert.deepEqual([limit.value, limit.isLowered], [5, false]);
});
