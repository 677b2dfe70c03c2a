import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { type Document, readOperation } from './operation-schema.ts';

const document: Document = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'));

test('an operation has its call, who may call it, and its fields with their limits', () => {
  assert.deepEqual(readOperation(document, 'api_keys.create'), {
    name: 'apiKeys.create',
    method: 'POST',
    path: '/api/client/v1/api-keys',
    credential: 'ApiKey',
    access: 'owner',
    fields: {
      name: { kind: 'text', min: 1, max: 200, isRequired: true },
      membership_id: { kind: 'text', format: 'uuid' },
    },
  });
});

test('an operation says if a role counts in Default only', () => {
  assert.equal(readOperation(document, 'sending_domains.create').accessUnit, 'default');
  assert.equal(readOperation(document, 'webhooks.delete').accessUnit, undefined);
});

test('fields of objects, numbers, choices and texts that may be null are distinguished', () => {
  const { fields } = readOperation(document, 'tenant_settings.update');
  assert.deepEqual(fields.session_hours, { kind: 'number', min: 1, max: 720, isRequired: true });
  assert.deepEqual(fields.brand_settings?.fields?.primary_color, {
    kind: 'text',
    max: 100,
    isRequired: true,
  });
  const { fields: member } = readOperation(document, 'memberships.update');
  assert.deepEqual(member.status, { kind: 'choice', choices: ['active', 'inactive'] });
  const { fields: profile } = readOperation(document, 'auth.update_profile');
  assert.equal(profile.time_zone?.isNullable, true);
});

test('a list of objects has the fields of its items', () => {
  const { fields } = readOperation(document, 'email_settings.patch');
  const { kind, fields: ofItem } = fields.sender_identities ?? {};
  assert.equal(kind, 'list');
  assert.deepEqual(ofItem?.from_email_address, {
    kind: 'text',
    min: 1,
    max: 320,
    format: 'email',
    isRequired: true,
  });
});

test('secrets are marked, those that can be removed too', () => {
  const { fields } = readOperation(document, 'webhooks.replace');
  assert.deepEqual(fields.signing_secret, {
    kind: 'text',
    min: 16,
    max: 500,
    isNullable: true,
    isSecret: true,
  });
  const { fields: change } = readOperation(document, 'auth.change_password');
  assert.deepEqual([change.current_password?.isSecret, change.password?.isSecret], [true, true]);
});

test('every operation of the document can be read', () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
  );
  assert.ok(ids.length > 250);
  for (const id of ids) assert.equal(typeof readOperation(document, id).path, 'string', id);
});

test('an unknown operation is named', () => {
  assert.throws(() => readOperation(document, 'api_keys.creat'), /no operation "api_keys\.creat"/);
});
