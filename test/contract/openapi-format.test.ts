/** The format of openapi.json. `openapi.test.ts` checks its content. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { BASIC } from '@hyperjump/json-schema/experimental';
import { validate } from '@hyperjump/json-schema/openapi-3-1';
import { lint, loadConfig } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ROOT, readText } from '../harness/repository.ts';

export const changesWith = ['openapi.json', 'redocly.yaml'];

test('openapi.json is a valid OpenAPI 3.1 document for three validators and the linter', async () => {
  const document = JSON.parse(await readText('openapi.json'));
  const validator = new Validator();
  const { valid, errors } = await validator.validate(document);
  assert.ok(valid, JSON.stringify(errors));
  assert.equal(validator.version, '3.1');
  const output = await validate('https://spec.openapis.org/oas/3.1/schema-base', document, BASIC);
  assert.ok(output.valid, JSON.stringify(output));
  const config = await loadConfig({ configPath: join(ROOT, 'redocly.yaml') });
  const problems = await lint({ ref: join(ROOT, 'openapi.json'), config });
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    [],
  );
});
