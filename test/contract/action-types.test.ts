import assert from 'node:assert/strict';
import test from 'node:test';
import { GUIDE, withActionTypes } from '../../scripts/action-types.ts';
import { ACTION_TYPES } from '../harness/actions.ts';
import { readText } from '../harness/repository.ts';

test('the guide lists the current action types (run `npm run action-types` after changing them)', async () => {
  const guide = await readText(GUIDE);
  assert.ok(guide === withActionTypes(guide), `${GUIDE} differs from the action types.`);
});

test('every action type has a name and a description', () => {
  const silent = ACTION_TYPES.filter(({ name, description }) => name === '' || !description.endsWith('.'));
  assert.deepEqual(
    silent.map(({ key }) => key),
    [],
  );
});

test('every action type has a unique key', () => {
  const keys = ACTION_TYPES.map(({ key }) => key);
  assert.deepEqual([...new Set(keys)], keys);
});
