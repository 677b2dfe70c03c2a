import assert from 'node:assert/strict';
import test from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { features } from '../../src/features/index.ts';
import { buildOpenApi } from '../../src/http/openapi.ts';
import { readText } from '../harness/repository.ts';

const generated = `${JSON.stringify(buildOpenApi(features), null, 2)}\n`;

test('openapi.json is what the routes say (run `npm run openapi` after changing them)', async () => {
  const committed = await readText('openapi.json');
  const lines = generated.split('\n');
  const drift = committed.split('\n').findIndex((line, index) => line !== lines[index]);
  assert.ok(
    committed === generated,
    `openapi.json differs from the routes at line ${drift + 1}. Run \`npm run openapi\` and commit it.`,
  );
});

test('openapi.json is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(generated));
  assert.ok(valid, JSON.stringify(errors));
  assert.equal(validator.version, '3.1');
});

test('every operation has an id of its own and a summary', () => {
  const routes = features.flatMap((feature) => feature.routes);
  const ids = routes.map((route) => route.id);
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  );
  assert.deepEqual(
    routes.filter((route) => route.summary.trim() === '').map((route) => route.id),
    [],
  );
});
