import assert from 'node:assert/strict';
import test from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createRecordsTenant, SHOP } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const { owner, api } = await createRecordsTenant(app, SHOP);

test('the document of a tenant describes its entities with their fields, and is valid', async () => {
  const { body, headers } = await owner.get('/api/openapi.json');
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  const { valid, errors } = await new Validator().validate(structuredClone(body));
  assert.ok(valid, JSON.stringify(errors));
  const { schemas } = body.components;
  assert.deepEqual(schemas.order.properties.total, { type: ['number', 'null'], minimum: 0 });
  assert.deepEqual(schemas['order.create'].required, ['number']);
  assert.equal(schemas['order.update'].required, undefined);
  assert.deepEqual(schemas.order.properties.items.items, { $ref: '#/components/schemas/order_item' });
  const names = body.paths['/api/order'].get.parameters.map(({ name }: { name: string }) => name);
  for (const name of ['total__gte', 'number__like', '_created_at__lt', 'details__null', 'search', 'include'])
    assert.ok(names.includes(name), name);
  for (const name of ['total__like', 'details', 'paid__gt']) assert.ok(!names.includes(name), name);
  assert.ok(body.paths['/api/order/{id}/workflow/take']);
  assert.equal(body.paths['/api/product/{id}/workflow/move'], undefined);
});

test('the document follows changes of definitions, and contains only those of its tenant', async () => {
  await api.post('/api/entities', { name: 'openapi_more', fields: [{ name: 'title', type: 'string' }] });
  assert.ok((await owner.get('/api/openapi.json')).body.paths['/api/openapi_more/bulk'].post);
  const other = await createRecordsTenant(app, []);
  assert.deepEqual((await other.owner.get('/api/openapi.json')).body.paths, {});
});
