import assert from 'node:assert/strict';
import test from 'node:test';
import { type ConditionTest, compileCondition, OPERATORS } from './conditions.ts';
import { BudgetExceeded, EvaluationBudget } from './evaluation-budget.ts';
import type { Json } from './expressions.ts';

function compiled(condition: unknown): ConditionTest {
  const found = compileCondition(condition);
  if (typeof found !== 'function') assert.fail(JSON.stringify(found));
  return found;
}

function faults(condition: unknown): string[] {
  const found = compileCondition(condition);
  return typeof found === 'function' ? [] : found.map(({ field, message }) => `${field} ${message}`);
}

function isMet(found: Json, operator: string, value: Json): boolean {
  const rule = { field: 'x', operator, value: '{{trigger.value}}' };
  return compiled({ rules: [rule], combinator: 'and' })({ trigger: { entity: { x: found }, value } });
}

/** Pairs `[found, value]` for which each operator is true, and false. */
const TABLE: Readonly<
  Record<string, { readonly yes: readonly [Json, Json][]; readonly no: readonly [Json, Json][] }>
> = {
  equals: {
    yes: [
      [5, 5],
      ['5', 5],
      ['5.0', '5'],
      [' 7 ', 7],
      ['a', 'a'],
      [null, null],
      [true, true],
      [{ a: [1] }, { a: [1] }],
      ['2026-01-01', '2026-01-01T00:00:00Z'],
      ['2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00.000Z'],
      ['2026-01-01T00:00', '2026-01-01'],
    ],
    no: [
      [5, 6],
      ['a', 'A'],
      [null, ''],
      [null, 0],
      [true, 'true'],
      [true, 1],
      [[1], [2]],
      ['', 0],
    ],
  },
  notEquals: {
    yes: [
      [5, 6],
      [null, 'a'],
    ],
    no: [['5', 5]],
  },
  greaterThan: {
    yes: [
      [10, 9],
      ['10', '9'],
      ['b', 'a'],
      ['2026-02-01', '2026-01-31T23:59:59Z'],
    ],
    no: [
      [9, 9],
      [null, 1],
      [1, null],
      [true, false],
      [[2], 1],
      ['a', 1],
    ],
  },
  greaterThanOrEqual: {
    yes: [
      [9, '9'],
      [10, 9],
    ],
    no: [
      [8, 9],
      [null, null],
    ],
  },
  lessThan: {
    yes: [['9', 10]],
    no: [
      [10, 10],
      [null, 10],
    ],
  },
  lessThanOrEqual: {
    yes: [
      [10, 10],
      [-1, 0],
    ],
    no: [[11, 10]],
  },
  contains: {
    yes: [
      ['abc', 'b'],
      [[1, 2], '2'],
      [['a'], 'a'],
      [120, 2],
      ['abc', ''],
    ],
    no: [
      ['abc', 'B'],
      [['ab'], 'a'],
      [null, 'a'],
      ['abc', null],
      [{ a: 1 }, 'a'],
    ],
  },
  notContains: {
    yes: [
      ['abc', 'x'],
      [null, 'x'],
    ],
    no: [['abc', 'a']],
  },
  startsWith: {
    yes: [
      ['abc', 'ab'],
      [123, 12],
      ['abc', ''],
    ],
    no: [
      ['abc', 'b'],
      ['abc', null],
      [null, ''],
      [['a'], 'a'],
    ],
  },
  endsWith: {
    yes: [['abc', 'bc']],
    no: [
      ['abc', 'b'],
      ['abc', null],
      [null, ''],
    ],
  },
  in: {
    yes: [
      ['b', ['a', 'b']],
      ['b', 'a, b ,c'],
      [2, '1,2'],
      [2, 2],
      [null, [null]],
    ],
    no: [
      ['d', 'a,b'],
      ['a', []],
      [null, 'a'],
    ],
  },
  notIn: {
    yes: [
      ['d', 'a,b'],
      [null, ['a']],
    ],
    no: [['a', 'a,b']],
  },
  isNull: {
    yes: [[null, null]],
    no: [
      ['', null],
      [0, null],
      [false, null],
    ],
  },
  isNotNull: {
    yes: [
      ['', null],
      [false, null],
    ],
    no: [[null, null]],
  },
  matches: {
    yes: [
      ['abc-12', '^[a-z]+-\\d+$'],
      ['xay', 'a'],
      [12, '^1'],
    ],
    no: [
      ['ABC', 'abc'],
      [null, '.*'],
      ['abc', null],
      ['a', '('],
      ['a', '(?<=a)b'],
    ],
  },
};

test('every operator is true for exactly the pairs of the table', () => {
  assert.deepEqual(Object.keys(TABLE), OPERATORS);
  for (const [operator, { yes, no }] of Object.entries(TABLE)) {
    for (const [found, value] of yes)
      assert.equal(
        isMet(found, operator, value),
        true,
        `${JSON.stringify(found)} ${operator} ${JSON.stringify(value)}`,
      );
    for (const [found, value] of no)
      assert.equal(
        isMet(found, operator, value),
        false,
        `${JSON.stringify(found)} ${operator} ${JSON.stringify(value)}`,
      );
  }
});

test('exactly one of two opposite operators is true', () => {
  const some: readonly Json[] = [
    null,
    '',
    'a',
    'ab',
    'a,b',
    0,
    5,
    '5',
    true,
    false,
    [],
    ['a'],
    {},
    '2026-01-01',
  ];
  const opposites = [
    ['equals', 'notEquals'],
    ['contains', 'notContains'],
    ['in', 'notIn'],
    ['isNull', 'isNotNull'],
  ] as const;
  for (const [one, other] of opposites)
    for (const found of some)
      for (const value of some)
        assert.notEqual(isMet(found, one, value), isMet(found, other, value), `${found} ${one} ${value}`);
});

test('rules are joined by the combinator, also in groups; without rules only `and` is true', () => {
  const x = (value: number) => ({ field: 'x', operator: 'equals', value });
  const at = { trigger: { entity: { x: 1 } } };
  const check = (condition: unknown) => compiled(condition)(at);
  assert.equal(check({ rules: [], combinator: 'and' }), true);
  assert.equal(check({ rules: [], combinator: 'or' }), false);
  assert.equal(check({ rules: [x(1), x(2)], combinator: 'and' }), false);
  assert.equal(check({ rules: [x(1), x(2)], combinator: 'or' }), true);
  const either = { rules: [x(2), { rules: [x(1), x(1)], combinator: 'and' }], combinator: 'or' };
  assert.equal(check(either), true);
  assert.equal(check({ rules: [either, { rules: [], combinator: 'or' }], combinator: 'and' }), false);
});

test('a bare field belongs to the record, an expression can reference any value', () => {
  const at = { trigger: { entity: { x: { y: 1 } }, body: { z: 2 } }, actions: { a: { status: 200 } } };
  const check = (rule: object) => compiled({ rules: [rule], combinator: 'and' })(at);
  assert.equal(check({ field: 'x.y', value: 1 }), true);
  assert.equal(check({ field: '{{trigger.body.z}}', value: 2 }), true);
  assert.equal(check({ field: '{{actions.a.status}}', value: '{{ actions.a.status }}' }), true);
  assert.equal(check({ field: 'no. {{trigger.body.z}}', value: 'no. 2' }), true);
  assert.equal(check({ operator: 'isNull' }), true);
  assert.equal(check({}), true);
  assert.equal(check({ field: 'constructor', operator: 'isNull' }), true);
});

test('every error of a condition is reported with its path', () => {
  assert.deepEqual(faults(null), ['rules is required']);
  assert.deepEqual(faults([]), ['rules is required']);
  assert.deepEqual(faults({ rules: {}, combinator: 'and' }), ['rules must be an array']);
  assert.deepEqual(faults({ rules: [], combinator: 'AND' }), ['combinator must be and or or']);
  assert.deepEqual(
    faults({
      rules: [
        5,
        { field: 7 },
        { field: 'a b' },
        { operator: 'like' },
        { operator: 'toString' },
        { operator: '__proto__' },
        { value: '{{' },
        { value: { a: ['{{a b}}'] } },
        { operator: 'matches', value: '{{(' },
        { rules: [{ operator: 1 }], combinator: 'or' },
      ],
      combinator: 'and',
    }).map((fault) => fault.split(' ')[0]),
    [
      'rules[0]',
      'rules[1].field',
      'rules[2].field',
      'rules[3].operator',
      'rules[4].operator',
      'rules[5].operator',
      'rules[6].value',
      'rules[7].value',
      'rules[8].value',
      'rules[9].rules[0].operator',
    ],
  );
  const many = Array.from({ length: 101 }, () => ({}));
  assert.deepEqual(faults({ rules: many, combinator: 'and' }), ['rules must have at most 100 rules']);
});

test('conditions of 10,000 levels are refused, and patterns run in linear time', () => {
  let deep: object = { rules: [], combinator: 'and' };
  for (let level = 0; level < 10_000; level += 1) deep = { rules: [deep], combinator: 'and' };
  assert.match(faults(deep)[0] ?? '', /rules must not be nested deeper than 64 levels$/);
  assert.equal(isMet(`${'a'.repeat(50_000)}b`, 'matches', '^(a+)+$'), false);
});

test('long numeric texts are compared exactly, and with numbers as doubles', () => {
  assert.equal(isMet('9007199254740993', 'equals', '9007199254740992'), false);
  assert.equal(isMet('9007199254740993', 'greaterThan', '9007199254740992'), true);
  assert.equal(isMet('+0012345678901234567890', 'equals', '12345678901234567890'), true);
  assert.equal(isMet(['12345678901234567890'], 'contains', '12345678901234567891'), false);
  assert.equal(isMet('12345678901234567890', 'in', '12345678901234567891,12345678901234567890'), true);
  assert.equal(isMet('100000000000000000000', 'equals', '1e20'), true);
  assert.equal(isMet('-9007199254740993', 'lessThan', '12.5'), true);
  assert.equal(isMet(Number('12345678901234567'), 'equals', '12345678901234567'), true);
  assert.equal(isMet('1e999', 'equals', '2e999'), false);
});

test('a text of very many digits is compared as text', () => {
  const digits = '1'.repeat(400_000);
  const codes = Array.from({ length: 20_000 }, (_, nth) => String(nth));
  assert.equal(isMet(digits, 'in', codes), false);
  assert.equal(isMet(codes, 'contains', digits), false);
  assert.equal(isMet(digits, 'in', [...codes, digits]), true);
  assert.equal(isMet(`0${digits}`, 'equals', digits), false);
});

test('a pattern from run data is invalid if it is too long', () => {
  const test = compileCondition({
    rules: [{ field: 'name', operator: 'matches', value: '{{trigger.pattern}}' }],
    combinator: 'and',
  });
  assert.ok(typeof test === 'function');
  const matches = (pattern: string) => test({ trigger: { entity: { name: 'a' }, pattern } });
  assert.deepEqual([matches('a?'.repeat(400)), matches('a?'.repeat(501))], [true, false]);
});

test('a condition that exceeds its deadline is undecided', () => {
  const rules = Array.from({ length: 100 }, () => ({ field: 'name', operator: 'equals', value: 'b' }));
  const test = compileCondition({ rules, combinator: 'or' });
  assert.ok(typeof test === 'function');
  const values = { trigger: { entity: { name: 'a' } } };
  assert.equal(test(values, new EvaluationBudget({}).within(60_000)), false);
  assert.throws(() => test(values, new EvaluationBudget({}).within(-1)), BudgetExceeded);
  assert.throws(() => test(values, new EvaluationBudget({ steps: 0 })), BudgetExceeded);
});
