import assert from 'node:assert/strict';
import test from 'node:test';
import { pino } from 'pino';
import { AppError, defineError } from '../errors/app-error.ts';
import { createMetrics } from './metrics.ts';
import { createObserver } from './observer.ts';

test('an AppError is logged by its code', () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const error = new AppError(defineError('NOT_TODAY', 503, 'Come back tomorrow.'));
  createObserver(log, createMetrics())({ event: 'http.failed', route: 'r', requestId: 'i', error });
  const { err } = JSON.parse(lines[0] ?? '{}');
  assert.deepEqual([err.code, err.message], ['NOT_TODAY', 'Come back tomorrow.']);
});
