import assert from 'node:assert/strict';
import test from 'node:test';
import Type from 'typebox';
import { columnsOf } from './body.ts';
import { number, text } from './fields.ts';

test('fields are read from a body, however many other members it has', () => {
  const fields = {
    title: text(Type.String(), {}),
    kind: text(Type.String(), { at: 'about.kind' }),
    weight: number(Type.Number(), { nullable: true }),
  };
  const refusing = { ownKeys: () => assert.fail('all members are listed') };
  const about = new Proxy({ kind: 'a' }, refusing);
  const columns = columnsOf(fields, 'create', new Proxy({ title: 'Asked', about }, refusing));
  assert.deepEqual(columns, { title: 'Asked', kind: 'a', weight: null });
});

test('inherited members of a body are ignored', () => {
  const fields = { constructor: text(Type.String(), { nullable: true }) };
  assert.deepEqual(columnsOf(fields, 'create', {}), { constructor: null });
});
