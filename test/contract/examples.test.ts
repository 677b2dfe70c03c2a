/** Examples of all features, and introductions of groups of operations. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { Value } from 'typebox/value';
import { features } from '../../src/features/index.ts';
import { runChecks } from '../../src/http/body-checks.ts';
import { MERGE_PATCH } from '../../src/http/json-body.ts';
import { buildOpenApi } from '../../src/http/openapi.ts';
import { operationsIn } from '../harness/openapi-operations.ts';
import { missingParams } from './world.ts';

const routes = features.flatMap((feature) => [...feature.routes]);
const exampleIds = features.flatMap(({ examples }) => Object.keys(examples?.requests ?? {}));

/** Example bodies in the document, by operation; one for each content type. */
function shownExamples(): Map<string, unknown[]> {
  const document = JSON.parse(JSON.stringify(buildOpenApi(features)));
  const operations = operationsIn<object>(document.paths);
  return new Map(
    operations.map(Object).map(({ operationId, requestBody }) => [
      operationId,
      // A PATCH shows its example once, for the first of its two types.
      Object.entries(Object(requestBody?.content)).flatMap(([type, content]) =>
        type === MERGE_PATCH ? [] : [Object(content).example],
      ),
    ]),
  );
}

test('every operation with a body has a valid example', () => {
  const shown = shownExamples();
  const wrong = routes.flatMap(({ id, body, upload, checks = [] }) => {
    const own = shown.get(id) ?? [];
    if (!body && !upload) return own.length > 0 ? [`${id} takes no body`] : [];
    if (own.length === 0 || own.includes(undefined)) return [`${id} shows no example`];
    const taken = body ?? upload?.form;
    if (!taken) return own.every((example) => typeof example === 'string') ? [] : [`${id} takes text`];
    return own.flatMap((example) => {
      const faults = [...Value.Errors(taken, example)].map(
        ({ instancePath, message }) => `${instancePath} ${message}`,
      );
      const broken = runChecks(checks, example, [], new Date());
      return [...faults, ...broken.map(({ message }) => message)].map((fault) => `${id}: ${fault}`);
    });
  });
  assert.deepEqual(wrong, []);
  const known = new Set(routes.map(({ id }) => id));
  assert.deepEqual(
    exampleIds.filter((id) => !known.has(id)),
    [],
  );
});

test('every path parameter has an example', () => {
  assert.deepEqual(
    routes.flatMap((route) => missingParams(route).map((param) => `${route.id}: ${param}`)),
    [],
  );
});

test('every group of operations has an introduction', () => {
  const introduced = new Set(features.flatMap(({ tags = {} }) => Object.keys(tags)));
  const tags = new Set(routes.map(({ tag }) => tag));
  assert.deepEqual(
    [...tags].filter((tag) => !introduced.has(tag)),
    [],
  );
  assert.deepEqual(
    [...introduced].filter((tag) => !tags.has(tag)),
    [],
  );
});
