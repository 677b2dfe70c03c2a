import assert from 'node:assert/strict';
import test from 'node:test';
import { memberLabel } from './member-label.ts';

const FIELDS = {
  name: { label: 'Name' },
  'event.form_code': { label: 'Form' },
  'target.url': { label: 'Address' },
  'target.headers': { label: 'Headers' },
};

test('a member is called by its label, or by those of its parts', () => {
  assert.deepEqual(
    ['name', 'event', 'target'].map((member) => memberLabel(FIELDS, member, 'en')),
    ['Name', 'Form', 'Address or Headers'],
  );
});

test('a member without a label is called as in the API', () => {
  for (const member of ['tar', 'owner_bu_id', 'constructor'])
    assert.equal(memberLabel(FIELDS, member, 'en'), member);
});
