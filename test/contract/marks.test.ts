/** Marks of operations, which generic clients read (docs/specification/conventions.md#marks). */
import assert from 'node:assert/strict';
import test from 'node:test';
import { features } from '../../src/features/index.ts';
import { CONTENT_BODY_BYTES, MAX_BODY_BYTES } from '../../src/http/body-limit.ts';
import { buildOpenApi } from '../../src/http/openapi.ts';
import { SURFACES } from '../../src/http/surfaces.ts';
import { ENTITY_TYPES } from '../../src/resources/entity-types.ts';
import { operationsIn } from '../harness/openapi-operations.ts';

interface Marks {
  readonly operationId: string;
  readonly 'x-key'?: string;
  readonly 'x-entity-type'?: string;
  readonly 'x-path'?: string;
  readonly 'x-stream'?: true;
  readonly 'x-surface'?: readonly string[];
  readonly 'x-max-body-bytes'?: number;
  readonly 'x-upload'?: { readonly types: readonly string[]; readonly max_bytes: number };
  readonly 'x-filters'?: {
    readonly fields: Readonly<Record<string, { readonly values?: readonly string[] }>>;
  };
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

type Schema = Readonly<Record<string, unknown>>;

const document: {
  readonly 'x-surface': readonly string[];
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
    const { results } = membersOf(responses['200']?.content?.['application/json']?.schema);
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

const idsOf = (found: readonly Marks[]) => found.map(({ operationId }) => operationId).sort();
const find = (operationId: string) => operations.find((each) => each.operationId === operationId);

test('x-surface names the surfaces of an operation; those of most operations are those of the document', () => {
  const names = new Set(SURFACES.map(({ name }) => name));
  const unknown = operations.filter(({ 'x-surface': surfaces = document['x-surface'] }) =>
    surfaces.some((name) => !names.has(name)),
  );
  assert.deepEqual(idsOf(unknown), []);
  assert.deepEqual(document['x-surface'], ['member', 'console']);
  assert.equal(find('forms.list')?.['x-surface'], undefined);
  assert.deepEqual(find('records.list')?.['x-surface'], ['records', 'console-records']);
  assert.deepEqual(find('auth.change_password')?.['x-surface'], ['records', 'session']);
});

test('x-path is the path of an operation whose path in the document has a trailing slash', () => {
  for (const [path, item] of Object.entries(document.paths))
    for (const operation of operationsIn({ [path]: item }))
      assert.equal(operation['x-path'], /.\/$/.test(path) ? path.slice(0, -1) : undefined, path);
  assert.equal(find('entity_webhooks.create')?.['x-path'], '/api/webhooks');
});

test('x-upload states the types and the size of each body that is no JSON', () => {
  const uploads = operations.filter((operation) => operation['x-upload']);
  const withoutJson = operations.filter(
    ({ requestBody }) => requestBody && !('application/json' in requestBody.content),
  );
  const missing = idsOf(withoutJson).filter((id) => !idsOf(uploads).includes(id));
  assert.deepEqual(missing, []);
  for (const { requestBody, 'x-upload': upload } of uploads)
    assert.deepEqual(upload?.types, Object.keys(requestBody?.content ?? {}));
  assert.ok((find('assets.create')?.['x-upload']?.max_bytes ?? 0) > 1024 * 1024);
});

test('x-max-body-bytes states the limit of a body that may be larger than 1 MiB', () => {
  assert.equal(find('templates.create_version')?.['x-max-body-bytes'], CONTENT_BODY_BYTES);
  assert.equal(find('templates.patch_version')?.['x-max-body-bytes'], CONTENT_BODY_BYTES);
  assert.equal(find('transmissions.create')?.['x-max-body-bytes'], 64 * 1024 * 1024);
  assert.equal(find('lists.create')?.['x-max-body-bytes'], undefined);
  assert.ok(operations.every(({ 'x-max-body-bytes': bytes = Infinity }) => bytes > MAX_BODY_BYTES));
});

test('a list takes filters of up to 10 MiB, so that too many get a 400 that names them', () => {
  const lists = operations.filter((operation) => operation['x-filters'] && operation.requestBody);
  assert.ok(lists.length > 12);
  const others = lists.filter((operation) => operation['x-max-body-bytes'] !== CONTENT_BODY_BYTES);
  assert.deepEqual(idsOf(others), []);
});

test('x-stream marks the operations whose reply can be a stream of events', () => {
  const streams = operations.filter((operation) => operation['x-stream']);
  const described = operations.filter(
    ({ responses }) => responses['200']?.content?.['text/event-stream'] !== undefined,
  );
  assert.deepEqual(idsOf(streams), idsOf(described));
  assert.ok(streams.length >= 2);
});
