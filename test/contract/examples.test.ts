/** The bodies that the reference shows to begin with. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { Value } from 'typebox/value';
import { features } from '../../src/features/index.ts';
import { runChecks } from '../../src/http/body-checks.ts';

const examples = features.flatMap(({ reference }) => Object.entries(reference?.examples ?? {}));
const routes = new Map(
  features.flatMap((feature) => feature.routes.map((route) => [route.id, route] as const)),
);

test('every example is a body that its operation takes', () => {
  assert.ok(examples.length > 20);
  const wrong = examples.flatMap(([id, example]) => {
    const { body, checks = [] } = routes.get(id) ?? {};
    if (body === undefined) return [`${id} takes no body`];
    const faults = [...Value.Errors(body, example)].map(
      ({ instancePath, message }) => `${instancePath} ${message}`,
    );
    const broken = runChecks(checks, example, [], new Date());
    return [...faults, ...broken.map(({ message }) => message)].map((fault) => `${id}: ${fault}`);
  });
  assert.deepEqual(wrong, []);
});

test('every group of operations says what it is about', () => {
  const told = new Set(features.flatMap(({ reference }) => Object.keys(reference?.tags ?? {})));
  const tags = new Set([...routes.values()].map(({ tag }) => tag));
  assert.deepEqual(
    [...tags].filter((tag) => !told.has(tag)),
    [],
  );
  assert.deepEqual(
    [...told].filter((tag) => !tags.has(tag)),
    [],
  );
});
