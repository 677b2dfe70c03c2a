import assert from 'node:assert/strict';
import test from 'node:test';
import { AppError } from '../errors/app-error.ts';
import { requestDeadline, requireTime } from './request-deadline.ts';

test('work of a request ends when its client goes away', () => {
  const gone = new AbortController();
  const deadline = requestDeadline({ whenGone: () => gone.signal });
  requireTime(deadline);
  gone.abort();
  assert.throws(
    () => requireTime(deadline),
    (error) => error instanceof AppError && error.code === 'TIMEOUT',
  );
});
