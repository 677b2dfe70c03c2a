import assert from 'node:assert/strict';
import test from 'node:test';
import { fieldOf, membersWith } from './with-values.ts';

const record = {
  name: 'CRM',
  target: { url: 'https://crm.example/', headers: [{ name: 'A' }, { name: 'B', is_secret: true }] },
};

test('a value is set in a copy of the member that contains it, and other members are left out', () => {
  assert.deepEqual(membersWith(record, new Map([['target.headers[1].value', 'secret']])), {
    target: {
      url: 'https://crm.example/',
      headers: [{ name: 'A' }, { name: 'B', is_secret: true, value: 'secret' }],
    },
  });
  assert.equal('value' in (record.target.headers[1] ?? {}), false);
});

test('several values may be in one member, and a missing member is made', () => {
  const values = new Map([
    ['target.url', 'https://new.example/'],
    ['target.signing_secret', 'x'],
    ['code', 'y'],
  ]);
  assert.deepEqual(membersWith(record, values), {
    target: { ...record.target, url: 'https://new.example/', signing_secret: 'x' },
    code: 'y',
  });
});

test('a field is called after the part around it that has a name', () => {
  assert.deepEqual(fieldOf(record, 'target.headers[1].value'), { title: 'B', value: undefined });
  assert.deepEqual(fieldOf(record, 'target.url'), { title: 'target.url', value: 'https://crm.example/' });
  const unknown = 'target.headers[7].value';
  assert.deepEqual(fieldOf(record, unknown), { title: unknown, value: undefined });
});
