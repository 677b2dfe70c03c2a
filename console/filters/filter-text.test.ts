import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { FILTER_OPERATIONS, type ListFilters } from '../../sdk/src/list-facts.ts';
import { type Condition, findField, operationsOf, toApiFilters, VALUE_COUNT } from './condition.ts';
import { parseFilter, printFilter } from './filter-text.ts';

const FILTERS: ListFilters = {
  fields: {
    name: { type: 'text' },
    status: { type: 'text', values: ['queued', 'failed', 'not in'] },
    active: { type: 'boolean' },
    size: { type: 'number' },
    business_unit: { type: 'id' },
    created_at: { type: 'time' },
    'additional.<name>': { type: 'any' },
  },
  operations: FILTER_OPERATIONS,
};

const parse = (text: string) => parseFilter(text, FILTERS);

for (const [text, conditions] of [
  ['', []],
  ['status is failed', [{ field: 'status', operation: 'eq', values: ['failed'] }]],
  [
    'status IS NOT failed AND created_at after 2026-11-01',
    [
      { field: 'status', operation: 'ne', values: ['failed'] },
      { field: 'created_at', operation: 'gt', values: ['2026-11-01'] },
    ],
  ],
  [
    'created_at between 2026-11-01 and 2026-11-30 and active = true',
    [
      { field: 'created_at', operation: 'between', values: ['2026-11-01', '2026-11-30'] },
      { field: 'active', operation: 'eq', values: ['true'] },
    ],
  ],
  ['status is any of queued,failed', [{ field: 'status', operation: 'in', values: ['queued', 'failed'] }]],
  ['name is not empty', [{ field: 'name', operation: 'nempty', values: [] }]],
  ['name is "not empty"', [{ field: 'name', operation: 'eq', values: ['not empty'] }]],
  [
    'name contains "say \\"hi\\" and go"',
    [{ field: 'name', operation: 'like', values: ['say "hi" and go'] }],
  ],
  ['size >= -1.5', [{ field: 'size', operation: 'gte', values: ['-1.5'] }]],
  ['additional.city is Köln', [{ field: 'additional.city', operation: 'eq', values: ['Köln'] }]],
] as const)
  test(`"${text}" is read`, () => assert.deepEqual(parse(text), { conditions, faults: [] }));

for (const [text, kind, name] of [
  ['stauts is failed', 'field', 'stauts'],
  ['additional. is x', 'field', 'additional.'],
  ['toString is x', 'field', 'toString'],
  ['name resembles x', 'operation', 'name'],
  ['created_at contains x', 'operation', 'created_at'],
  ['name', 'operation', 'name'],
  ['name is', 'value', 'name'],
  ['status is gone', 'value', 'status'],
  ['size > many', 'value', 'size'],
  ['created_at after tomorrow', 'value', 'created_at'],
  ['created_at between 2026-11-01', 'value', 'created_at'],
  ['name is x y', 'end', 'y'],
] as const)
  test(`"${text}" has a fault of the ${kind}, and what follows still applies`, () => {
    const { conditions, faults } = parse(`${text} and active is true`);
    assert.deepEqual(faults, [{ kind, name }]);
    assert.deepEqual(conditions.at(-1), { field: 'active', operation: 'eq', values: ['true'] });
  });

test('the same operation twice on a field is a fault, as the API takes one', () => {
  const { conditions, faults } = parse('name contains a and name contains b');
  assert.equal(conditions.length, 1);
  assert.deepEqual(faults, [{ kind: 'repeated', name: 'name' }]);
});

test('conditions become filters of the API with values of the right type', () => {
  const { conditions } = parse(
    'size >= 1 and size < 10 and active is false and status is any of queued, failed and additional.age > 5 and name is empty',
  );
  assert.deepEqual(toApiFilters(conditions, FILTERS), {
    size: { gte: 1, lt: 10 },
    active: { eq: false },
    status: { in: ['queued', 'failed'] },
    'additional.age': { gt: 5 },
    name: { empty: true },
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.constantFrom(
    'and',
    'is',
    'AND',
    'is not',
    'empty',
    '"',
    '\\',
    ',',
    'a, b',
    '<script>',
    'مرحبا',
    ' ',
    '=',
  ),
);

const anyCondition: fc.Arbitrary<Condition> = fc
  .constantFrom('name', 'status', 'active', 'size', 'business_unit', 'created_at', 'additional.x y')
  .chain((field) => {
    const facts = findField(FILTERS, field);
    assert.ok(facts);
    const texts = {
      number: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      boolean: fc.constantFrom('true', 'false'),
      time: fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
        .map((date) => date.toISOString()),
    };
    const value =
      facts.values === undefined
        ? facts.type === 'number' || facts.type === 'boolean' || facts.type === 'time'
          ? texts[facts.type]
          : anyText
        : fc.constantFrom(...facts.values);
    return fc.constantFrom(...operationsOf(FILTERS, facts)).chain((operation) => {
      const [minLength, maxLength] = { none: [0, 0], one: [1, 1], two: [2, 2], many: [1, 4] }[
        VALUE_COUNT[operation]
      ];
      return fc.record(
        {
          field: fc.constant(field),
          operation: fc.constant(operation),
          values: fc.array(value, { minLength: minLength ?? 0, maxLength: maxLength ?? 0 }),
        },
        { noNullPrototype: true },
      );
    });
  });

test('every filter is read as it was printed', () => {
  const anyFilter = fc.uniqueArray(anyCondition, {
    maxLength: 5,
    selector: ({ field, operation }) => `${field} ${operation}`,
  });
  fc.assert(
    fc.property(anyFilter, (conditions) => {
      assert.deepEqual(parse(printFilter(conditions, FILTERS)), { conditions, faults: [] });
    }),
    { numRuns: 500 },
  );
});

test('any text is read without an error, and what was read is stable', () => {
  const words = fc.oneof(
    anyText,
    fc.constantFrom('name', 'status', 'is', 'and', 'between', 'is any of', ','),
  );
  fc.assert(
    fc.property(
      fc.array(words).map((each) => each.join(' ')),
      (text) => {
        const { conditions } = parse(text);
        assert.deepEqual(parse(printFilter(conditions, FILTERS)).conditions, conditions);
      },
    ),
    { numRuns: 500 },
  );
});
