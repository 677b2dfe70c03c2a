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
    refusal(432, '432 4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded', 'MAIL FROM'),
    refusal(421, '421 4.3.2 All server ports are busy'),
    refusal(421, '421 4.7.0 [TSS04] Too many concurrent connections'),
    refusal(451, '451 4.7.0 Too many simultaneous SMTP sessions', 'MAIL FROM'),
    refusal(421, '421 Only one connection at a time is allowed'),
    refusal(421, '421 Another session for this user is already open'),
    refusal(454, '454 4.7.0 account is logged in from another connection', 'AUTH PLAIN'),
    refusal(421, '421 Excessive connections from your host'),
    refusal(421, '421 Zu viele gleichzeitige Verbindungen'),
    refusal(421, '421 Demasiadas conexiones simultaneas'),
    refusal(421, '421 Troppe connessioni contemporanee'),
    refusal(421, '421 Te veel verbindingen'),
    refusal(421, '421 Zbyt wiele polaczen'),
    refusal(421, '421 Слишком много соединений'),
    refusal(421, '421 接続数が多すぎます'),
    refusal(421, '421 同时连接数超过限制'),
    refusal(421, '421 Too many idle connections from your host'),
    refusal(421, '421 Too many concurrent connections; close idle ones'),
    refusal(450, '450 Only 10 messages per connection allowed, too many connections', 'MAIL FROM'),
  ];
  for (const error of tooMany) assert.ok(isConnectionLimitError(error, false), error.message);
  const others = [
    refusal(452, '452 too many recipients; try another session', 'RCPT TO'),
    refusal(421, '421 Service not available'),
    refusal(550, '550 5.1.1 User unknown', 'RCPT TO'),
    refusal(451, '451 4.7.1 Greylisted', 'RCPT TO'),
    refusal(452, '452 4.4.5 Maximum number of messages per session exceeded.', 'DATA'),
    refusal(421, '421 Maximum messages per connection reached', 'MAIL FROM'),
    refusal(421, '421 4.7.0 Too many errors on this connection', 'RCPT TO'),
    refusal(421, '421 Idle session limit', 'MAIL FROM'),
    refusal(550, '550 Hourly sending limit exceeded', 'RCPT TO'),
    new Error('connect ECONNREFUSED'),
    'too many connections',
  ];
  for (const error of others) assert.equal(isConnectionLimitError(error, false), false, String(error));
  assert.ok(isConnectionLimitError(refusal(421, '421 Service not available'), true));
});

test('the limit decreases with refusals and increases again one by one', () => {
  const limit = new ConnectionLimit(5);
  limit.lower(3, 0);
  assert.deepEqual([limit.value, limit.isLowered], [3, true]);
  limit.lower(0, 1000);
  assert.equal(limit.value, 1);
  assert.equal(limit.recordSuccess(60_000), false);
  assert.equal(limit.recordSuccess(61_000), true);
  assert.equal(limit.recordSuccess(61_001), false);
  for (let minute = 3; minute < 9; minute += 1) limit.recordSuccess(minute * 60_000);
  assert.deepEqual([limit.value, limit.isLowered], [5, false]);
});
