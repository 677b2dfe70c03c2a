import assert from 'node:assert/strict';
import test from 'node:test';
import type { ErrorDefinition } from '../../src/errors/app-error.ts';
import * as platformErrors from '../../src/errors/platform-errors.ts';
import { features } from '../../src/features/index.ts';
import { errorsOf } from '../../src/http/error-responses.ts';
import { listFiles, readText } from '../harness/repository.ts';

/** A heading such as `### \`NOT_FOUND\` (404)` and the text below it. */
const ENTRY = /^### `([A-Z_]+)` \((\d{3})\)\n+([\s\S]*?)(?=^#|(?![\s\S]))/gm;

function isDefinition(value: unknown): value is ErrorDefinition {
  return typeof value === 'object' && value !== null && 'code' in value && 'status' in value;
}

const catalogue = new Map(
  [...Object.values(platformErrors), ...features.flatMap((feature) => feature.errors ?? [])]
    .filter(isDefinition)
    .map((definition) => [definition.code, definition]),
);

test('docs/errors.md describes exactly the existing error codes, with their status', async () => {
  const described = [...(await readText('docs/errors.md')).matchAll(ENTRY)];
  const expected = [...catalogue.values()].map(({ code, status }) => `${code} ${status}`);
  assert.deepEqual(described.map(([, code, status]) => `${code} ${status}`).sort(), expected.sort());
  for (const [, code, , text = ''] of described) {
    assert.ok(text.trim().length > 20, `docs/errors.md says nothing about ${code}`);
  }
});

test('the catalogue contains every error code of the source once', async () => {
  const declared: string[] = [];
  for (const path of await listFiles('src', '.ts')) {
    if (path.endsWith('.test.ts')) continue;
    for (const [, code = ''] of (await readText(path)).matchAll(/= defineError\(\s*'([A-Z_]+)'/g)) {
      declared.push(code);
    }
  }
  assert.deepEqual(declared.sort(), [...catalogue.keys()].sort());
});

test('the catalogue contains every error of the routes', () => {
  for (const route of features.flatMap((feature) => feature.routes)) {
    for (const { code, status } of errorsOf(route)) {
      assert.equal(catalogue.get(code)?.status, status, `${route.id} names ${code}`);
    }
  }
});
