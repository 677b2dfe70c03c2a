import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { checkDefinition } from '../../src/features/forms/forms/rules/definition-check.ts';
import { NotCompilableError } from '../../src/features/forms/forms/rules/expressions.ts';
import { compileForm } from '../../src/features/forms/forms/rules/form-checker.ts';

const definition = {
  pages: [
    {
      name: 'p',
      elements: [
        {
          type: 'text',
          name: 'a',
          validators: [
            { type: 'regex', regex: '^(a+)+$' },
            { type: 'text', allowDigits: false },
          ],
        },
        { type: 'text', name: 'mail', inputType: 'email' },
        { type: 'checkbox', name: 'c', choices: ['x', 'y'], showOtherItem: true },
        { type: 'dropdown', name: 'd', choices: [1, 2], visibleIf: "{c} contains 'x' or {zzz} = 1" },
        { type: 'multipletext', name: 'm', items: [{ name: 'one' }, { name: 'two' }] },
        { type: 'rating', name: 'r' },
        { type: 'boolean', name: 'flag' },
        { type: 'text', name: 'n', inputType: 'number', step: 0.1, min: 1, maxValueExpression: '{extra}' },
        {
          type: 'checkbox',
          name: 'e',
          choices: [{ value: 'x', visibleIf: '{n} * 2 > 1' }],
          validators: [{ type: 'email' }, { type: 'regex', regex: 'x' }],
        },
        { type: 'expression', name: 'product', expression: '{n} * {a}' },
        { type: 'expression', name: 'sum', expression: '{extra} + 1' },
      ],
    },
  ],
  triggers: [{ type: 'setvalue', expression: '{a} notempty', setToName: 'extra', setValue: 1 }],
};
const checker = compileForm({ ...definition });

/** Values that throw when they are converted to text or rounded. */
const UNREADABLE: readonly unknown[] = [
  { toString: 1, valueOf: 1 },
  [{ toString: 1 }],
  [{ value: 'x', toString: 1 }],
  { one: { toString: 1 } },
  `00.${'1'.repeat(150)}`,
];

test('no unreadable value makes the checker throw, in any question', () => {
  for (const key of ['a', 'mail', 'c', 'd', 'm', 'r', 'flag', 'n', 'e', 'extra', 'c-Comment']) {
    for (const value of UNREADABLE) {
      const result = checker.check({ a: '2', n: 5, [key]: value });
      assert.equal(typeof result.ok, 'boolean');
    }
  }
});

test('no JSON makes the checker throw', () => {
  assert.deepEqual(checkDefinition(definition), []);
  const keys = fc.constantFrom(
    'a',
    'mail',
    'c',
    'd',
    'm',
    'r',
    'flag',
    'n',
    'e',
    'extra',
    'c-Comment',
    '__proto__',
    'constructor',
    'zzz',
  );
  const values = fc.oneof(
    fc.jsonValue(),
    fc.constant('5'),
    fc.constantFrom(...UNREADABLE),
    fc.constant(Number.NaN),
    fc.constant(undefined),
    fc.constant(Number.MAX_VALUE),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, values)), (entries) => {
      const result = checker.check(Object.fromEntries(entries));
      assert.equal(typeof result.ok, 'boolean');
    }),
    { numRuns: 500 },
  );
});

test('an answers value that is not an object is rejected', () => {
  for (const text of ['null', '[]', '"x"', '5']) {
    const result = checker.check(JSON.parse(text));
    assert.ok(!result.ok);
  }
});

test('prototype keys are unknown questions and have no effect', () => {
  const result = checker.check(JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 1}'));
  assert.ok(!result.ok);
  assert.deepEqual(
    result.issues.map((issue) => issue.field),
    ['__proto__', 'constructor'],
  );
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});

test('10,000 unknown keys are reported with a bounded list of issues', () => {
  const result = checker.check(
    Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 1])),
  );
  assert.ok(!result.ok);
  assert.equal(result.issues.length, 100);
});

test('an answer nested deeper than the call stack is rejected', () => {
  const result = checker.check(JSON.parse(`{"m": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`));
  assert.ok(!result.ok);
});

test('texts of a million characters cannot reach a super-linear rule', () => {
  for (const text of ['a'.repeat(30), 'a'.repeat(1_000_000), '1'.repeat(1_000_000), '@.'.repeat(500_000)]) {
    const result = checker.check({ a: `${text}!`, mail: `${text}x`, n: `${text}e` });
    assert.ok(!result.ok);
  }
});

test('a backtracking pattern is matched in linear time', () => {
  assert.ok(checker.check({ a: 'a'.repeat(19_000) }).ok);
  const result = checker.check({ a: `${'a'.repeat(19_000)}!` });
  assert.ok(!result.ok);
});

test('all patterns of a form together have a time limit', () => {
  const validators = Array.from({ length: 20 }, (_, index) => ({
    type: 'regex',
    regex: `(a|b)*a(a|b){14}c${index}`,
  }));
  const names = Array.from({ length: 5 }, (_, index) => `q${index}`);
  const elements = names.map((name) => ({ type: 'text', name, validators }));
  const patterns = { pages: [{ name: 'p', elements }] };
  assert.deepEqual(checkDefinition(patterns), []);
  const text = 'abbab'.repeat(4000);
  const result = compileForm(patterns).check(Object.fromEntries(names.map((name) => [name, text])));
  assert.ok(!result.ok);
  assert.deepEqual(result.issues.at(-1), { field: 'q4', message: 'takes too long to check' });
});

test('answers that expressions would compare for minutes are left to the full model', () => {
  const choices = Array.from({ length: 1000 }, (_, index) => index);
  const lists = ['a', 'b'].map((name) => ({ type: 'checkbox', name, choices }));
  const compare = (name: string) => ({ type: 'text', name, visibleIf: '{a} anyof {b} or {A} noneof {b}' });
  const elements = [...lists, ...Array.from({ length: 500 }, (_, index) => compare(`q${index}`))];
  const checker = compileForm({ pages: [{ name: 'p', elements }] });
  assert.ok(checker.check({ a: choices.slice(0, 10), b: choices.slice(0, 10) }).ok);
  assert.throws(() => checker.check({ a: choices.slice(0, 500), b: choices.slice(500) }), NotCompilableError);
});

test('a condition of choices counts once for each selected choice', () => {
  const choices = Array.from({ length: 1000 }, (_, index) => index);
  const choicesVisibleIf = Array.from({ length: 100 }, () => '{item} <> {b}').join(' and ');
  const elements = [
    { type: 'checkbox', name: 'a', choices, choicesVisibleIf },
    { type: 'text', name: 'b' },
  ];
  const checker = compileForm({ pages: [{ name: 'p', elements }] });
  assert.ok(checker.check({ a: choices.slice(0, 50) }).ok);
  assert.throws(() => checker.check({ a: choices }), NotCompilableError);
});

test('a choice’s own condition counts once, however many are selected', () => {
  const values = Array.from({ length: 500 }, (_, index) => `c${index}`);
  const choices = values.map((value) => ({ value, visibleIf: "{b} <> 'closed'" }));
  const elements = [
    { type: 'checkbox', name: 'a', choices },
    { type: 'text', name: 'b' },
  ];
  assert.ok(compileForm({ pages: [{ name: 'p', elements }] }).check({ a: values }).ok);
});

test('the cost of clearing hidden answers counts once per round', () => {
  const chain = Array.from({ length: 8 }, (_, index) => ({
    type: 'text',
    name: `a${index}`,
    clearIfInvisible: 'onHidden',
    visibleIf: index === 0 ? '{b} empty' : `{a${index - 1}} notempty`,
  }));
  const visibleIf = Array.from({ length: 60 }, () => "{b} <> 'nothing'").join(' and ');
  const others = Array.from({ length: 30 }, (_, index) => ({ type: 'text', name: `q${index}`, visibleIf }));
  const checker = compileForm({
    pages: [{ name: 'p', elements: [{ type: 'text', name: 'b' }, ...chain, ...others] }],
  });
  const answers = Object.fromEntries(chain.map(({ name }) => [name, 'x']));
  assert.deepEqual(checker.check(answers), { ok: true, answers });
  assert.deepEqual(checker.check({ a0: 'x', b: 'y' }), { ok: true, answers: { b: 'y' } });
  assert.throws(() => checker.check({ ...answers, b: 'y' }), NotCompilableError);
});
