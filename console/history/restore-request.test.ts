import assert from 'node:assert/strict';
import test from 'node:test';
import { restoreRequest, type Version } from './restore-request.ts';

const KEY = { entityType: 'webhook', entitySortKey: 'w1' } as const;

function version(number: number, data: Version['data']): Version {
  return { version: number, timestamp: '2026-01-01T00:00:00.000Z', actor: null, data };
}

const then = version(2, {
  name: 'Old',
  target: { url: 'https://old.example/', headers: [{ name: 'X-A' }] },
  steps: [
    { id: 'a', wait: 1 },
    { id: 'b', wait: 1 },
  ],
});
const now = version(5, {
  name: 'New',
  target: { url: 'https://new.example/', headers: [] },
  steps: [
    { id: 'a', wait: 2 },
    { id: 'b', wait: 2 },
  ],
});
const request = (...paths: string[][]) => restoreRequest(KEY, { then, now, paths });

test('a whole member is restored by its name', () => {
  assert.deepEqual(request(['name']), { ...KEY, version: 2, expected_version: 5, fields: ['name'] });
});

test('all parts of a member are restored by its name', () => {
  assert.deepEqual(request(['target', 'url'], ['target', 'headers']), {
    ...KEY,
    version: 2,
    expected_version: 5,
    fields: ['target'],
  });
});

test('a part of a member is sent with the other parts as they are now', () => {
  assert.deepEqual(request(['target', 'url']).changes, {
    target: { url: 'https://old.example/', headers: [] },
  });
});

test('a part of one item of a list is sent with the other items as they are now', () => {
  assert.deepEqual(request(['steps', 'b', 'wait']), {
    ...KEY,
    version: 2,
    expected_version: 5,
    fields: ['steps'],
    changes: {
      steps: [
        { id: 'a', wait: 2 },
        { id: 'b', wait: 1 },
      ],
    },
  });
});
