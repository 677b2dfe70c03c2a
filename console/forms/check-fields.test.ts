import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { AppError } from '../../src/errors/app-error.ts';
import { INVALID_REQUEST } from '../../src/errors/platform-errors.ts';
import { compileBodyCheck } from '../../src/http/validation.ts';
import { readOperation } from '../build/operation-schema.ts';
import { checkFields } from './check-fields.ts';

const Body = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 5 }),
  code: Type.Optional(Type.String({ minLength: 3 })),
  slug: Type.Optional(Type.String({ maxLength: 3, pattern: '^[a-z]+$' })),
  title: Type.Optional(Type.String({ maxLength: 1 })),
  note: Type.Optional(Type.Union([Type.String({ maxLength: 3 }), Type.Null()])),
  hours: Type.Integer({ minimum: 1, maximum: 720 }),
  role: Type.Union([Type.Literal('viewer'), Type.Literal('editor')]),
  tags: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2 })),
  brand: Type.Optional(Type.Object({ color: Type.String({ minLength: 1 }) })),
  links: Type.Optional(Type.Array(Type.Object({ url: Type.String({ minLength: 1 }) }), { maxItems: 2 })),
});
const serverCheck = compileBodyCheck(Body, INVALID_REQUEST);

function operationOf(method: 'post' | 'put') {
  const requestBody = { content: { 'application/json': { schema: JSON.parse(JSON.stringify(Body)) } } };
  const operation = { operationId: 'notes.write', 'x-access': 'editor' as const, requestBody };
  const paths = { '/api/notes': { [method]: operation } };
  return readOperation({ security: [{ ApiKey: [] }], paths, components: { schemas: {} } }, 'notes.write');
}

/** Returns the server's messages by field. */
function messagesOfServer(body: object): Readonly<Record<string, string>> {
  try {
    serverCheck(JSON.parse(JSON.stringify(body)), new Date());
    return {};
  } catch (error) {
    assert.ok(error instanceof AppError);
    return Object.fromEntries((error.issues ?? []).map(({ field = '', message }) => [field, message]));
  }
}

const text = fc.constantFrom(
  '',
  'a',
  'ab',
  'abcdef',
  '🙂🙂🙂🙂🙂',
  '🙂🙂🙂🙂🙂🙂',
  'e\u0301'.repeat(3),
  ' ',
  undefined,
);
const bodies = fc.record({
  name: text,
  code: text,
  slug: text,
  title: text,
  note: fc.option(text),
  hours: fc.constantFrom(0, 1, 720, 721, 1.5, undefined),
  role: fc.constantFrom('viewer', undefined),
  tags: fc.constantFrom([], ['a'], ['a', 'b', 'c'], undefined),
  brand: fc.constantFrom({}, { color: '' }, { color: 'red' }, 'red', [], undefined),
  links: fc.option(fc.array(fc.constantFrom({}, { url: '' }, { url: '/' }), { maxLength: 3 }), {
    nil: undefined,
  }),
});

test('what is refused before it is sent, the server would refuse in the same words', () => {
  const operation = operationOf('post');
  fc.assert(
    fc.property(bodies, (body) => {
      const messages = messagesOfServer(body);
      for (const { field, message } of checkFields(operation, body))
        assert.equal(message, messages[field], field);
    }),
  );
});

test('each limit is checked before anything is sent', () => {
  const faulty = { name: '', code: 'ab', title: 'ab', hours: 0, tags: [], brand: { color: '' }, links: [{}] };
  assert.deepEqual(
    checkFields(operationOf('post'), faulty).map(({ field }) => field),
    ['name', 'code', 'title', 'hours', 'role', 'tags', 'brand.color', 'links[0].url'],
  );
});

test('a text is refused where an object is needed', () => {
  const body = { name: 'a', hours: 1, role: 'viewer', brand: '{"color"' };
  assert.deepEqual(checkFields(operationOf('post'), body), [{ field: 'brand', message: 'must be object' }]);
});

test('an update may leave out what the server has stored', () => {
  assert.deepEqual(checkFields(operationOf('put'), { hours: 12 }), []);
  assert.deepEqual(checkFields(operationOf('put'), { name: '' }), [
    { field: 'name', message: 'must not be empty' },
  ]);
  assert.deepEqual(checkFields(operationOf('put'), { links: [{}] }), [
    { field: 'links[0].url', message: 'is required' },
  ]);
});
