/** Marks of operations that generic clients such as the console read: keys and kinds of items, values of filters. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { features } from '../../src/features/index.ts';
import { buildOpenApi } from '../../src/http/openapi.ts';
import { ENTITY_TYPES } from '../../src/resources/entity-types.ts';
import { operationsIn } from '../harness/openapi-operations.ts';

interface Marks {
  readonly operationId: string;
  readonly 'x-key'?: string;
  readonly 'x-entity-type'?: string;
  readonly 'x-filters'?: {
    readonly fields: Readonly<Record<string, { readonly values?: readonly string[] }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

type Schema = Readonly<Record<string, unknown>>;

const document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Marks>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
} = JSON.parse(JSON.stringify(buildOpenApi(features)));
const operations = operationsIn(document.paths);

/** Resolves a reference. */
function resolve(schema: unknown): Schema {
  const { $ref } = Object(schema);
  if (typeof $ref !== 'string') return Object(schema);
  return document.components.schemas[$ref.replace('#/components/schemas/', '')] ?? {};
}

/** Returns the members of an object, or of the alternatives of a union. */
function membersOf(schema: unknown): Readonly<Record<string, unknown>> {
  const { properties, anyOf } = resolve(schema);
  return Array.isArray(anyOf) ? Object.assign({}, ...anyOf.map(membersOf)) : Object(properties);
}

test('x-key names a member of the items of a list', () => {
  const lists = operations.filter((operation) => operation['x-key'] !== undefined);
  assert.ok(lists.length > 25);
  const wrong = lists.filter(({ 'x-key': key, responses }) => {
    const { results } = membersOf(responses['200']?.content['application/json']?.schema);
    return !Object.keys(membersOf(Object(resolve(results)).items)).includes(String(key));
  });
  assert.deepEqual(
    wrong.map(({ operationId }) => operationId),
    [],
  );
});

test('x-entity-type is a kind of record with history', () => {
  const types = operations.flatMap((operation) => operation['x-entity-type'] ?? []);
  assert.ok(types.length > 20);
  const known: readonly string[] = ENTITY_TYPES;
  assert.deepEqual(
    types.filter((type) => !known.includes(type)),
    [],
  );
});

test('filters by fields with few values name these values', () => {
  const valuesOf = (operationId: string, field: string) =>
    operations.find((operation) => operation.operationId === operationId)?.['x-filters']?.fields[field]
      ?.values;
  assert.deepEqual(valuesOf('documents.list', 'status'), ['draft', 'live', 'archived']);
  assert.equal(valuesOf('automation_runs.list', 'status')?.length, 5);
  assert.equal(valuesOf('forms.list', 'name'), undefined);
});
