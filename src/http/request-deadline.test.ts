import assert from 'node:assert/strict';
import test from 'node:test';
import { AppError } from '../errors/app-error.ts';
import { requestDeadline, requireTime } from './request-deadline.ts';

test('the work of a request ends when its client disconnects', () => {
  const client = new AbortController();
  const deadline = requestDeadline({ disconnectSignal: () => client.signal });
  requireTime(deadline);
  client.abort();
  assert.throws(
    () => requireTime(deadline),
    (error) => error instanceof AppError && error.code === 'TIMEOUT',
  );
});
