import assert from 'node:assert/strict';
import test from 'node:test';
import { features } from '../../src/features/index.ts';
import { buildOpenApi, toOpenApiText } from '../../src/http/openapi.ts';
import { SPECIFIED_OPERATIONS } from '../../src/http/specified-operations.ts';
import { operationsIn } from '../harness/openapi-operations.ts';
import { readText } from '../harness/repository.ts';

const generated = toOpenApiText(buildOpenApi(features));

test('openapi.json matches the routes (run `npm run openapi` after changing them)', async () => {
  const committed = await readText('openapi.json');
  const lines = generated.split('\n');
  const drift = committed.split('\n').findIndex((line, index) => line !== lines[index]);
  assert.ok(
    committed === generated,
    `openapi.json differs from the routes at line ${drift + 1}. Run \`npm run openapi\` and commit it.`,
  );
});

test('every documented operation is served', () => {
  const withoutNames = (text: string) => text.replaceAll(/\{\w+\}/g, '{}');
  const served = new Set(
    features.flatMap(({ routes }) => routes.map(({ method, path }) => withoutNames(`${method} ${path}`))),
  );
  assert.deepEqual(
    SPECIFIED_OPERATIONS.filter((operation) => !served.has(withoutNames(operation))),
    [],
  );
});

test('every operation has a unique id and a summary', () => {
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

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Readonly<Record<string, unknown>> }>>;
}

interface Operation {
  readonly operationId: string;
  readonly 'x-access'?: string;
  readonly 'x-filters'?: { readonly fields: object; readonly operations: readonly string[] };
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, object>>;
}

const document: Document = JSON.parse(generated);
const operations = operationsIn(document.paths);
const idsOf = (invalid: readonly Operation[]) => invalid.map(({ operationId }) => operationId);

test('every operation states who may call it', () => {
  assert.deepEqual(idsOf(operations.filter((operation) => operation['x-access'] === undefined)), []);
});

test('operation ids consist of a resource and a verb', () => {
  const invalid = operations.filter(
    ({ operationId }) => !/^[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*$/.test(operationId),
  );
  assert.deepEqual(idsOf(invalid), []);
});

test('lists describe their filters', () => {
  const lists = Object.entries(document.paths).flatMap(([path, { post }]) =>
    path.endsWith('/list') && post ? [post] : [],
  );
  assert.ok(lists.length >= 3);
  for (const { 'x-filters': filters, operationId } of lists) {
    assert.ok(Object.keys(filters?.fields ?? {}).length > 0, operationId);
    assert.ok((filters?.operations ?? []).length > 0, operationId);
  }
});

test('JSON bodies and replies have named schemas, and other replies a content type', () => {
  const isNamed = ({ content }: Content = {}) => {
    const schema = content?.['application/json']?.schema;
    // A document that is returned unchanged has no schema name.
    return schema === undefined || '$ref' in schema || schema.type === 'string';
  };
  const unnamed = operations.filter(
    ({ requestBody, responses }) => !isNamed(requestBody) || !isNamed(responses['200'] ?? responses['202']),
  );
  assert.deepEqual(idsOf(unnamed), []);
  const untyped = operations.filter(({ responses }) => {
    const status = ['200', '202', '301', '302', '303'].find((each) => each in responses) ?? '';
    const { content = {} } = responses[status] ?? {};
    return Object.values(content).length === 0;
  });
  assert.deepEqual(idsOf(untyped), []);
});

const { schemas = {} } = document.components;

/** Calls `visit` with every object inside a value. */
function visitAll(value: unknown, place: string, visit: (object: object, place: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  visit(value, place);
  for (const [name, member] of Object.entries(value))
    if (name !== 'example') visitAll(member, `${place}/${name}`, visit);
}

test('every object with members has a named schema', () => {
  const found: string[] = [];
  const collect = (object: object, place: string) => {
    const { type, properties } = Object(object);
    const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
    if (isObject && Object.keys(Object(properties)).length > 0) found.push(place);
  };
  visitAll(document.paths, 'paths', collect);
  visitAll(schemas, 'schemas', collect);
  assert.deepEqual(
    found.filter((place) => !/^schemas\/\w+$/.test(place)),
    [],
  );
});

test('no schema is named after the operation that uses it', () => {
  const toPascalCase = (text: string) =>
    text.replaceAll(/(?:^|[^a-z]+)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const generated = operations.flatMap(({ operationId }) =>
    ['Body', 'Reply'].map((suffix) => `${toPascalCase(operationId)}${suffix}`),
  );
  assert.ok(generated.includes('FormsGetReply'));
  assert.deepEqual(
    generated.filter((name) => Object.hasOwn(schemas, name)),
    [],
  );
});

test('pages of a list reference their items and are named after them', () => {
  const pages = Object.entries(schemas).filter(([, schema]) =>
    /^results,total,totalPages(?:,next)?$/.test(Object.keys(Object(Object(schema).properties)).join()),
  );
  assert.ok(pages.length > 20);
  for (const [name, schema] of pages) {
    const { $ref } = Object(schema).properties.results.items;
    const item = String($ref).replace('#/components/schemas/', '');
    // The runs of one automation have the same items as all runs, and fewer options.
    if (name !== 'RunsOfAutomationPage') assert.equal(name, `${item}Page`);
  }
});

/** Formats by member name. */
const FORMATS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/(?:^|_)url$/, ['uri', 'uri-reference']],
  [/(?:^|_)email(?:_address)?$/, ['email']],
  [/_at$|^timestamp$/, ['date-time']],
  [/^(?:tenant|bu|user|membership|subscriber|submission|run|import)_id$/, ['uuid']],
];

test('dates, addresses and ids have a format', () => {
  const invalid: string[] = [];
  let formatted = 0;
  visitAll(schemas, 'schemas', (object, place) => {
    for (const [name, schema] of Object.entries(Object(object).properties ?? {})) {
      const formats = FORMATS.find(([names]) => names.test(name))?.[1];
      if (formats === undefined) continue;
      visitAll(schema, `${place}/${name}`, (inside, memberPath) => {
        const { type, format, pattern } = Object(inside);
        const isText = type === 'string' || (Array.isArray(type) && type.includes('string'));
        if (!isText || pattern !== undefined || 'enum' in inside || 'const' in inside) return;
        if (formats.includes(format)) formatted += 1;
        else invalid.push(memberPath);
      });
    }
  });
  assert.deepEqual(invalid, []);
  assert.ok(formatted > 150, String(formatted));
});

test('openapi.json stays below 0.7 MB', () => {
  assert.ok(Buffer.byteLength(generated) < 700_000, `${Buffer.byteLength(generated)} bytes`);
});

test('paths have no query and no fragment, and braces only around parameters', () => {
  const invalid = Object.keys(document.paths).filter((path) => !/^(?:\/(?:[\w.:-]*|\{\w+\}))+$/.test(path));
  assert.deepEqual(invalid, []);
});

test('every reference resolves to a component', () => {
  const named = new Set(
    Object.entries(document.components).flatMap(([section, members]) =>
      Object.keys(members).map((name) => `#/components/${section}/${name}`),
    ),
  );
  const references = [...generated.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target = '']) => target);
  assert.ok(references.length > 100);
  assert.deepEqual(
    references.filter((target) => !named.has(target)),
    [],
  );
});
