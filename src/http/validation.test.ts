import assert from 'node:assert/strict';
import test from 'node:test';
import Type from 'typebox';
import { AppError, type Issue } from '../errors/app-error.ts';
import { INVALID_REQUEST } from '../errors/platform-errors.ts';
import { checkEach, check as checkPlaces } from './body-checks.ts';
import { type CheckBody, compileBodyCheck, compileParameterCheck } from './validation.ts';

const now = new Date();

const issuesOf = (check: CheckBody, value: unknown): readonly Issue[] => {
  try {
    check(value, now);
  } catch (error) {
    if (error instanceof AppError) return error.issues ?? [];
    throw error;
  }
  return [];
};

const query = compileParameterCheck(
  Type.Object({
    page: Type.Integer({ minimum: 1, default: 1 }),
    ratio: Type.Optional(Type.Number()),
    flag: Type.Optional(Type.Boolean()),
    name: Type.Optional(Type.String()),
  }),
);

test('text parameters are converted to numbers and booleans, and defaults are filled in', () => {
  assert.deepEqual(query({ ratio: '1.5', flag: 'true', name: '12', other: 'x' }), {
    page: 1,
    ratio: 1.5,
    flag: true,
    name: '12',
    other: 'x',
  });
});

for (const [value, field] of [
  [{ page: '1.5' }, 'page'],
  [{ page: '0' }, 'page'],
  [{ page: '1e3' }, 'page'],
  [{ page: '' }, 'page'],
  [{ page: ['1', '2'] }, 'page'],
  [{ flag: '1' }, 'flag'],
] as const) {
  test(`the parameters ${JSON.stringify(value)} are rejected, naming ${field}`, () => {
    assert.deepEqual(
      issuesOf(query, value).map((issue) => issue.field),
      [field],
    );
  });
}

test('the issue of a missing enum member names the allowed values', () => {
  const kinds = Type.Enum(['belongs_to', 'has_many']);
  const relation = Type.Object({ kind: kinds, entity: Type.String() });
  const check = compileBodyCheck(Type.Object({ relations: Type.Array(relation) }), INVALID_REQUEST);
  assert.deepEqual(issuesOf(check, { relations: [{}] }), [
    { field: 'relations[0].kind', message: 'is required: one of belongs_to, has_many' },
    { field: 'relations[0].entity', message: 'is required' },
  ]);
});

const body = compileBodyCheck(
  Type.Object({
    name: Type.String(),
    kind: Type.Union([Type.Literal('a'), Type.Literal('b')]),
    items: Type.Array(Type.Object({ count: Type.Integer() })),
  }),
  INVALID_REQUEST,
);

test('each error of a body is reported once, by its path', () => {
  const issues = issuesOf(body, { kind: 'c', items: [{ count: 1 }, { count: 'x' }, {}] });
  assert.deepEqual(issues.map((issue) => issue.field).sort(), [
    'items[1].count',
    'items[2].count',
    'kind',
    'name',
  ]);
});

test('a member whose name consists of digits is reported by that name', () => {
  const named = compileBodyCheck(Type.Record(Type.String(), Type.Integer()), INVALID_REQUEST);
  const issues = issuesOf(named, { '007': 'x', '99999999999999999999': 'x' });
  assert.deepEqual(issues.map((issue) => issue.field).sort(), ['007', '99999999999999999999']);
});

for (const [value, message] of [
  [5, 'must be string or null'],
  ['a\n', 'must match pattern "^.*$"'],
] as const) {
  test(`a union that rejects ${JSON.stringify(value)} names what it accepts`, () => {
    const text = Type.Union([Type.String({ pattern: '^.*$' }), Type.Null()]);
    const check = compileBodyCheck(Type.Object({ text }), INVALID_REQUEST);
    assert.deepEqual(issuesOf(check, { text: value }), [{ field: 'text', message }]);
  });
}

test('limits and formats are described in plain words', () => {
  const check = compileBodyCheck(
    Type.Object({
      name: Type.String({ minLength: 1 }),
      code: Type.String({ minLength: 3 }),
      title: Type.String({ maxLength: 1 }),
      tags: Type.Array(Type.String(), { minItems: 1 }),
      lists: Type.Array(Type.String(), { maxItems: 2 }),
      page: Type.Integer({ minimum: 1 }),
      limit: Type.Integer({ maximum: 100 }),
      share: Type.Number({ exclusiveMinimum: 0 }),
      rate: Type.Number({ exclusiveMaximum: 1 }),
      email: Type.String({ format: 'email' }),
    }),
    INVALID_REQUEST,
  );
  const given = { name: '', code: 'a', title: 'ab', tags: [], lists: ['', '', ''], page: 0, limit: 101 };
  const issues = issuesOf(check, { ...given, share: 0, rate: 1, email: 'x' });
  assert.deepEqual(Object.fromEntries(issues.map(({ field, message }) => [field, message])), {
    name: 'must not be empty',
    code: 'must be at least 3 characters',
    title: 'must be at most 1 character',
    tags: 'must have at least 1 item',
    lists: 'must have at most 2 items',
    page: 'must be at least 1',
    limit: 'must be at most 100',
    share: 'must be greater than 0',
    rate: 'must be less than 1',
    email: 'must be a valid email address',
  });
});

test('a union of constants lists all of them', () => {
  const issues = issuesOf(body, { name: 'n', kind: 'c', items: [] });
  assert.deepEqual(issues, [{ field: 'kind', message: 'must be "a" or "b"' }]);
});

const kinds = compileBodyCheck(
  Type.Object({
    query: Type.Union([
      Type.Object({ name: Type.Literal('lists'), vars: Type.Object({ lists: Type.Array(Type.String()) }) }),
      Type.Object({ name: Type.Literal('types'), vars: Type.Object({ types: Type.Array(Type.String()) }) }),
    ]),
    filters: Type.Optional(
      Type.Object({ kind: Type.Optional(Type.String()) }, { additionalProperties: false }),
    ),
  }),
  INVALID_REQUEST,
);

test('in a union distinguished by a constant only the intended alternative is reported', () => {
  const issues = issuesOf(kinds, { query: { name: 'lists', vars: {} } });
  assert.deepEqual(issues, [{ field: 'query.vars.lists', message: 'is required' }]);
});

test('a union distinguished by a constant lists the constants if none matches', () => {
  const issues = issuesOf(kinds, { query: { name: 'people', vars: { lists: [] } } });
  assert.deepEqual(issues, [{ field: 'query.name', message: 'must be "lists" or "types"' }]);
});

test('each union in a list is validated separately', () => {
  const steps = compileBodyCheck(
    Type.Object({
      steps: Type.Array(
        Type.Union([
          Type.Object({ type: Type.Literal('wait'), seconds: Type.Integer() }),
          Type.Object({ type: Type.Literal('mail'), template: Type.String() }),
        ]),
      ),
    }),
    INVALID_REQUEST,
  );
  const faulty = [
    { type: 'wait', seconds: 'x' },
    { type: 'mail', template: 1 },
  ];
  const issues = issuesOf(steps, { steps: faulty });
  assert.deepEqual(
    issues.map(({ field }) => field),
    ['steps[0].seconds', 'steps[1].template'],
  );
});

test('a list parameter is given once or several times, with [] or without', () => {
  const lists = compileParameterCheck(
    Type.Object({ 'kind[]': Type.Optional(Type.Array(Type.String())), page: Type.Optional(Type.Integer()) }),
  );
  assert.deepEqual(lists({ 'kind[]': 'a', page: '2' }), { 'kind[]': ['a'], page: 2 });
  assert.deepEqual(lists({ kind: ['a', 'b'] }), { 'kind[]': ['a', 'b'] });
  assert.deepEqual(lists({ kind: 'a', 'kind[]': ['b', 'c'] }), { 'kind[]': ['a', 'b', 'c'] });
  assert.throws(() => lists({ page: ['1', '2'] }));
});

test('an unknown field is reported by name where none is allowed', () => {
  const issues = issuesOf(kinds, { query: { name: 'lists', vars: { lists: [] } }, filters: { zz: 1 } });
  assert.deepEqual(issues, [{ field: 'filters.zz', message: 'is not allowed here' }]);
});

test('unknown fields are accepted, and a missing body is reported', () => {
  assert.ok(body({ name: 'n', kind: 'a', items: [], more: 1 }, now));
  assert.match(issuesOf(body, undefined)[0]?.message ?? '', /body is required/);
});

test('the first hundred of a thousand errors are reported', () => {
  const items = Array.from({ length: 1000 }, () => ({ count: 'x' }));
  assert.equal(issuesOf(body, { name: 'n', kind: 'a', items }).length, 100);
});

const ruled = compileBodyCheck(
  Type.Object({
    name: Type.String({ minLength: 1 }),
    target: Type.Object({ url: Type.String() }),
    active: Type.Boolean(),
    people: Type.Array(Type.Object({ age: Type.Integer() })),
  }),
  INVALID_REQUEST,
  [
    checkPlaces(['target.url'], ({ target }: { target: { url: string } }) =>
      target.url.startsWith('https:') ? [] : [{ field: 'target.url', message: 'must begin with https:' }],
    ),
    checkEach('people', ({ age }: { age: number }, place) =>
      age < 0 ? [{ field: `${place}.age`, message: 'must not be below 0' }] : [],
    ),
  ],
);
const fieldsOf = (value: unknown) => issuesOf(ruled, value).map(({ field }) => field);

test('errors of the schema and of the additional checks are reported together', () => {
  const faulty = { name: '', target: { url: 'ftp://a' }, active: 'yes', people: [{ age: -1 }, { age: 'x' }] };
  assert.deepEqual(fieldsOf(faulty).sort(), [
    'active',
    'name',
    'people[0].age',
    'people[1].age',
    'target.url',
  ]);
});

test('a rule ignores values with schema errors', () => {
  assert.deepEqual(fieldsOf({ name: 'n', target: { url: 5 }, active: true, people: 5 }), [
    'target.url',
    'people',
  ]);
  assert.deepEqual(fieldsOf({ name: 'n', active: true, people: [null] }), ['target', 'people[0]']);
  assert.deepEqual(fieldsOf([]), [undefined]);
});
