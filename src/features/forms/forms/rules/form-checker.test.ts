import assert from 'node:assert/strict';
import test from 'node:test';
import { checkDefinition } from './definition-check.ts';
import { compileForm } from './form-checker.ts';

type Json = Record<string, unknown>;

/** Compiles a one-page form of these elements. */
function form(elements: Json[], settings: Json = {}): Json {
  const definition = { pages: [{ name: 'page', elements }], ...settings };
  assert.deepEqual(checkDefinition(definition), []);
  return definition;
}

function check(elements: Json[], answers: Json, settings: Json = {}) {
  return compileForm(form(elements, settings)).check(answers);
}

function accepted(elements: Json[], answers: Json, settings: Json = {}): Json {
  const result = check(elements, answers, settings);
  assert.ok(result.ok, JSON.stringify(result));
  return result.answers;
}

function refusedFields(elements: Json[], answers: Json, settings: Json = {}): (string | undefined)[] {
  const result = check(elements, answers, settings);
  assert.ok(!result.ok, 'expected a refusal');
  return result.issues.map((issue) => issue.field);
}

test('an answer to an unknown question is rejected by its key', () => {
  assert.deepEqual(refusedFields([{ type: 'text', name: 'a' }], { a: 'x', b: 1, toString: 1 }), [
    'b',
    'toString',
  ]);
});

test('a missing, blank or empty required answer is rejected', () => {
  const elements = [{ type: 'text', name: 'a', isRequired: true }];
  for (const a of [undefined, null, '', '   ', []]) assert.deepEqual(refusedFields(elements, { a }), ['a']);
  assert.deepEqual(accepted(elements, { a: 'x' }), { a: 'x' });
});

test('false and 0 answer a required question', () => {
  const elements = [
    { type: 'boolean', name: 'a', isRequired: true },
    { type: 'text', inputType: 'number', name: 'b', isRequired: true },
  ];
  assert.deepEqual(accepted(elements, { a: false, b: 0 }), { a: false, b: 0 });
});

test('a required question may be empty while it, its panel or its page is hidden', () => {
  const hidden = { visibleIf: '{show} = true' };
  const definition = {
    pages: [
      {
        name: 'one',
        elements: [
          { type: 'boolean', name: 'show' },
          { type: 'text', name: 'a', isRequired: true, ...hidden },
          { type: 'panel', name: 'p', ...hidden, elements: [{ type: 'text', name: 'b', isRequired: true }] },
        ],
      },
      { name: 'two', ...hidden, elements: [{ type: 'text', name: 'c', isRequired: true }] },
    ],
  };
  const checker = compileForm(definition);
  assert.deepEqual(checker.check({ show: false }), { ok: true, answers: { show: false } });
  const shown = checker.check({ show: true });
  assert.ok(!shown.ok);
  assert.deepEqual(
    shown.issues.map((issue) => issue.field),
    ['a', 'b', 'c'],
  );
});

test('answers of hidden questions are dropped with their comments, valid or not', () => {
  const elements = [
    { type: 'text', name: 'a' },
    { type: 'dropdown', name: 'b', choices: ['x'], showCommentArea: true, visibleIf: "{a} = 'on'" },
  ];
  assert.deepEqual(accepted(elements, { a: 'off', b: 'x', 'b-Comment': 'why' }), { a: 'off' });
  assert.deepEqual(accepted(elements, { a: 'off', b: { nonsense: [1] } }), { a: 'off' });
});

test('clearIfInvisible none keeps the answer of a hidden question', () => {
  const elements = [{ type: 'text', name: 'a', visible: false, clearIfInvisible: 'none' }];
  assert.deepEqual(accepted(elements, { a: 'x' }), { a: 'x' });
  assert.deepEqual(
    accepted([{ type: 'text', name: 'a', visible: false }], { a: 'x' }, { clearInvisibleValues: 'none' }),
    {
      a: 'x',
    },
  );
});

test('clearInvisibleValues onHidden removes hidden answers from other conditions', () => {
  const elements = [
    { type: 'text', name: 'a' },
    { type: 'text', name: 'b', visibleIf: "{a} = 'on'" },
    { type: 'text', name: 'c', isRequired: true, visibleIf: '{b} notempty' },
  ];
  assert.deepEqual(accepted(elements, { a: 'off', b: 'x' }, { clearInvisibleValues: 'onHidden' }), {
    a: 'off',
  });
  assert.deepEqual(refusedFields(elements, { a: 'off', b: 'x' }), ['c']);
});

test('requiredIf overrides isRequired', () => {
  const elements = [
    { type: 'text', name: 'a' },
    { type: 'text', name: 'b', isRequired: true, requiredIf: "{a} = 'x'" },
  ];
  assert.deepEqual(accepted(elements, { a: 'y' }), { a: 'y' });
  assert.deepEqual(refusedFields(elements, { a: 'x' }), ['b']);
});

test('a required panel needs one answer', () => {
  const elements = [
    {
      type: 'panel',
      name: 'p',
      isRequired: true,
      elements: [
        { type: 'text', name: 'a' },
        { type: 'text', name: 'b' },
      ],
    },
  ];
  assert.deepEqual(refusedFields(elements, {}), ['p']);
  assert.deepEqual(accepted(elements, { b: 'x' }), { b: 'x' });
});

test('each input type accepts exactly what a browser sends for it', () => {
  const cases: [string, unknown[], unknown[]][] = [
    ['email', ['a@b.co'], ['a@b', 'a b@c.de', 5, ['a@b.co'], { x: 1 }, true]],
    ['number', [1, -2.5, '42', 0], ['abc', true, '1e999', [1], '0x']],
    ['range', [50], ['x']],
    ['date', ['2024-02-29'], ['2023-02-29', '2024-13-01', '29.02.2024', 20240229, '2024-02-29T10:00']],
    [
      'datetime-local',
      ['2024-02-29T10:00', '2024-02-29T10:00:30'],
      ['2024-02-30T10:00', '2024-02-29 10:00', '2024-02-29'],
    ],
    ['datetime', ['2024-02-29T10:00'], ['x']],
    ['time', ['23:59'], ['24:00', '9:00']],
    ['month', ['2024-12'], ['2024-13']],
    ['week', ['2024-W05'], ['2024-W54']],
    ['color', ['#a0B1c2'], ['red']],
    ['url', ['https://example.org/x?y'], ['example.org', 'javascript:alert(1)', 'http://']],
    ['tel', ['+49 30 123'], [true]],
    ['text', ['x', 5], [true, ['x'], { x: 'y' }]],
  ];
  for (const [inputType, good, bad] of cases) {
    const elements = [{ type: 'text', name: 'a', inputType }];
    for (const a of good) assert.deepEqual(accepted(elements, { a }), { a }, `${inputType} ${a}`);
    for (const a of bad)
      assert.ok(refusedFields(elements, { a }).length > 0, `${inputType} ${JSON.stringify(a)}`);
  }
});

test('min, max and step limit numbers and dates, also if another answer sets them', () => {
  const number = [{ type: 'text', name: 'a', inputType: 'number', min: 10, max: 20, step: 0.1 }];
  assert.deepEqual(accepted(number, { a: 10.3 }), { a: 10.3 });
  for (const a of [9, 21, 10.35]) assert.deepEqual(refusedFields(number, { a }), ['a']);
  const dates = [
    { type: 'text', name: 'from', inputType: 'date' },
    {
      type: 'text',
      name: 'to',
      inputType: 'date',
      minValueExpression: '{from}',
      max: '=dateAdd({from}, 10)',
    },
  ];
  assert.ok(check(dates, { from: '2024-01-05', to: '2024-01-05' }).ok);
  assert.deepEqual(refusedFields(dates, { from: '2024-01-05', to: '2024-01-04' }), ['to']);
  assert.deepEqual(refusedFields(dates, { from: '2024-01-05', to: '2024-01-16' }), ['to']);
});

test("maxLength limits texts, the form's limit all of them", () => {
  assert.deepEqual(refusedFields([{ type: 'text', name: 'a', maxLength: 3 }], { a: 'abcd' }), ['a']);
  assert.deepEqual(refusedFields([{ type: 'comment', name: 'a' }], { a: 'abcd' }, { maxTextLength: 3 }), [
    'a',
  ]);
});

test('a single choice must be one of the choices, scalar or object', () => {
  const choices = [1, 'b', { value: 'c', text: 'C' }, 'd|D'];
  for (const type of ['dropdown', 'radiogroup', 'imagepicker']) {
    const elements = [{ type, name: 'a', choices }];
    for (const a of [1, '1', 'b', 'c', 'd']) assert.deepEqual(accepted(elements, { a }), { a });
    for (const a of ['C', 'other', ['b'], { value: 'b' }, true])
      assert.deepEqual(refusedFields(elements, { a }), ['a']);
  }
});

test('a dropdown offers the numbers from choicesMin to choicesMax by choicesStep in addition to its list', () => {
  const elements = [
    { type: 'dropdown', name: 'a', choices: ['none'], choicesMin: 10, choicesMax: 1e12, choicesStep: 5 },
  ];
  for (const a of [10, 15, '20', 1e12, 'none']) assert.deepEqual(accepted(elements, { a }), { a });
  for (const a of [5, 12, 1e12 + 5, '010', true, 'x'])
    assert.deepEqual(refusedFields(elements, { a }), ['a']);
  const plain = [{ type: 'radiogroup', name: 'a', choices: ['x'], choicesMin: 1, choicesMax: 5 }];
  assert.deepEqual(refusedFields(plain, { a: 2 }), ['a']);
});

test('multiple choices are a list of known choices without duplicates', () => {
  for (const type of ['checkbox', 'tagbox', 'ranking']) {
    const elements = [{ type, name: 'a', choices: ['x', 'y'] }];
    assert.deepEqual(accepted(elements, { a: ['y', 'x'] }), { a: ['y', 'x'] });
    assert.deepEqual(refusedFields(elements, { a: 'x' }), ['a']);
    assert.deepEqual(refusedFields(elements, { a: ['x', 'z', 'x', null] }), ['a[1]', 'a[2]', 'a[3]']);
  }
});

test('the number of choices has limits, except for an exclusive choice', () => {
  const elements = [
    {
      type: 'checkbox',
      name: 'a',
      choices: ['x', 'y', 'z', { value: 'all', isExclusive: true }],
      minSelectedChoices: 2,
      maxSelectedChoices: 2,
      showNoneItem: true,
      showDontKnowItem: true,
      showRefuseItem: true,
    },
  ];
  assert.ok(check(elements, { a: ['x', 'y'] }).ok);
  for (const alone of ['none', 'dontknow', 'refused', 'all'])
    assert.ok(check(elements, { a: [alone] }).ok, alone);
  assert.deepEqual(refusedFields(elements, { a: ['x'] }), ['a']);
  assert.deepEqual(refusedFields(elements, { a: ['x', 'y', 'z'] }), ['a']);
  assert.deepEqual(refusedFields(elements, { a: ['x', 'none'] }), ['a[1]']);
});

test('"other" needs its text in the comment', () => {
  const elements = [{ type: 'radiogroup', name: 'a', choices: ['x'], showOtherItem: true }];
  assert.ok(check(elements, { a: 'other', 'a-Comment': 'mine' }).ok);
  assert.deepEqual(refusedFields(elements, { a: 'other' }), ['a']);
  assert.deepEqual(refusedFields(elements, { a: 'mine' }), ['a']);
  assert.ok(check(elements, { a: 'mine' }, { storeOthersAsComment: false }).ok);
});

test('a comment is accepted if the question has a comment box', () => {
  assert.ok(check([{ type: 'text', name: 'a', showCommentArea: true }], { 'a-Comment': 'x' }).ok);
  assert.deepEqual(refusedFields([{ type: 'text', name: 'a' }], { 'a-Comment': 'x' }), ['a-Comment']);
  assert.deepEqual(
    refusedFields([{ type: 'text', name: 'a', hasComment: true }], { 'a-Comment': { x: 1 } }),
    ['a-Comment'],
  );
});

test('a choice is not offered while its condition is false', () => {
  const elements = [
    { type: 'text', name: 'a' },
    { type: 'dropdown', name: 'b', choices: ['x', { value: 'y', visibleIf: "{a} = 'on'" }] },
    { type: 'checkbox', name: 'c', choices: ['x', 'y'], choicesVisibleIf: '{b} <> {item}' },
  ];
  assert.ok(check(elements, { a: 'on', b: 'y', c: ['x'] }).ok);
  assert.deepEqual(refusedFields(elements, { a: 'off', b: 'y' }), ['b']);
  assert.deepEqual(refusedFields(elements, { a: 'on', b: 'y', c: ['x', 'y'] }), ['c']);
});

test('choices loaded by the browser are neither checked nor loaded', () => {
  const elements = [{ type: 'dropdown', name: 'a', choicesByUrl: { url: 'http://127.0.0.1:9/{b}' } }];
  assert.deepEqual(accepted(elements, { a: 'anything' }), { a: 'anything' });
  assert.deepEqual(refusedFields(elements, { a: ['x'] }), ['a']);
});

test('validators block with their own text unless they only warn', () => {
  const validators = [
    { type: 'email', text: 'no address' },
    { type: 'numeric', minValue: 1, notificationType: 'warning' },
  ];
  const result = check([{ type: 'text', name: 'a', validators }], { a: 'x' });
  assert.deepEqual(result, { ok: false, issues: [{ field: 'a', message: 'no address' }] });
});

test('each validator type rejects invalid values', () => {
  const cases: [Json, unknown, unknown][] = [
    [{ type: 'numeric', minValue: 2, maxValue: 4 }, '3', 5],
    [{ type: 'text', minLength: 2, maxLength: 3 }, 'abc', 'a'],
    [{ type: 'text', allowDigits: false }, 'abc', 'abc1'],
    [{ type: 'regex', regex: '^[a-z]+$' }, 'abc', 'ABC'],
    [{ type: 'regex', regex: '^[a-z]+$', caseInsensitive: true }, 'ABC', '1'],
    [{ type: 'expression', expression: "{a} = 'yes'" }, 'yes', 'no'],
  ];
  for (const [validator, good, bad] of cases) {
    const elements = [{ type: 'text', name: 'a', validators: [validator] }];
    assert.ok(check(elements, { a: good }).ok, JSON.stringify(validator));
    assert.deepEqual(refusedFields(elements, { a: bad }), ['a']);
  }
  const counted = [
    { type: 'checkbox', name: 'a', choices: [1, 2, 3], validators: [{ type: 'answercount', maxCount: 2 }] },
  ];
  assert.deepEqual(refusedFields(counted, { a: [1, 2, 3] }), ['a']);
});

test('read-only questions keep their answer and are never required', () => {
  const elements = [
    { type: 'text', name: 'a', isRequired: true, readOnly: true },
    { type: 'text', name: 'b', isRequired: true, enableIf: "{c} = 'x'" },
    { type: 'text', name: 'c' },
  ];
  assert.deepEqual(accepted(elements, { a: 'x' }), { a: 'x' });
  assert.deepEqual(refusedFields(elements, { c: 'x' }), ['b']);
});

test('boolean, rating and multiple-text answers have their own shapes', () => {
  assert.ok(check([{ type: 'boolean', name: 'a', valueTrue: 'Y', valueFalse: 'N' }], { a: 'Y' }).ok);
  assert.deepEqual(refusedFields([{ type: 'boolean', name: 'a', valueTrue: 'Y' }], { a: true }), ['a']);
  const rating = [{ type: 'rating', name: 'a', rateMax: 10, rateStep: 3 }];
  assert.ok(check(rating, { a: 7 }).ok);
  for (const a of [8, 13, 0, '7']) assert.deepEqual(refusedFields(rating, { a }), ['a']);
  assert.ok(check([{ type: 'rating', name: 'a', rateValues: ['low', { value: 'high' }] }], { a: 'high' }).ok);
  const items = [
    { name: 'x', isRequired: true },
    { name: 'y', inputType: 'number', max: 5 },
  ];
  const texts = [{ type: 'multipletext', name: 'a', items }];
  assert.ok(check(texts, { a: { x: 'v', y: 5 } }).ok);
  assert.deepEqual(refusedFields(texts, { a: { y: 6 } }), ['a.x', 'a.y']);
  assert.deepEqual(refusedFields(texts, { a: { x: 'v', z: 1 } }), ['a.z']);
});

test('computed values are recomputed, whatever was sent', () => {
  const elements = [
    { type: 'text', name: 'a', inputType: 'number' },
    { type: 'expression', name: 'double', expression: '{twice} * 1', precision: 1 },
    { type: 'html', name: 'note', html: '<b>x</b>' },
  ];
  const settings = {
    calculatedValues: [
      { name: 'twice', expression: '{a} * 2', includeIntoResult: true },
      { name: 'secret', expression: '{a} + 1' },
    ],
  };
  assert.deepEqual(accepted(elements, { a: 2.12, double: 99, twice: 'x' }, settings), {
    a: 2.12,
    twice: 4.24,
    double: 4.2,
  });
  assert.deepEqual(refusedFields(elements, { secret: 1, note: 'x' }, settings), ['secret', 'note']);
});

test('valueName is the key of the answer, and the name that of the error', () => {
  const elements = [{ type: 'text', name: 'a', valueName: 'shared', inputType: 'email' }];
  assert.ok(check(elements, { shared: 'a@b.co' }).ok);
  assert.deepEqual(refusedFields(elements, { shared: 'x' }), ['a']);
  assert.deepEqual(refusedFields(elements, { a: 'a@b.co' }), ['a']);
});

test('pages skipped by a complete or skip trigger require nothing', () => {
  const page = (name: string): Json => ({
    name: `p-${name}`,
    elements: [{ type: 'text', name, isRequired: true }],
  });
  const definition = {
    pages: [page('a'), page('b'), page('c')],
    triggers: [
      { type: 'complete', expression: "{a} = 'stop'" },
      { type: 'skip', expression: "{a} = 'skip'", gotoName: 'c' },
    ],
  };
  assert.deepEqual(checkDefinition(definition), []);
  const checker = compileForm(definition);
  assert.ok(checker.check({ a: 'stop' }).ok);
  assert.ok(checker.check({ a: 'skip', c: 'x' }).ok);
  assert.ok(!checker.check({ a: 'skip' }).ok);
  assert.ok(!checker.check({ a: 'go', c: 'x' }).ok);
});
