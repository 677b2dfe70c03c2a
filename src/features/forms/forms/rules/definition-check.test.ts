import assert from 'node:assert/strict';
import test from 'node:test';
import { checkDefinition } from './definition-check.ts';
import { listPatterns } from './definition-patterns.ts';

type Json = Record<string, unknown>;
const text = (name: unknown, more: Json = {}): Json => ({ type: 'text', name, ...more });
const form = (elements: unknown[], settings: Json = {}): Json => ({
  pages: [{ name: 'p', elements }],
  ...settings,
});
const AT = 'formBuilderOptions.pages[0].elements';

/** Returns the paths of the errors of a form with these elements. */
function faults(elements: unknown[], settings: Json = {}): (string | undefined)[] {
  return checkDefinition(form(elements, settings)).map((issue) => issue.field);
}

test('a form with every element type is accepted', () => {
  const elements = [
    text('a', { inputType: 'email', isRequired: true, validators: [{ type: 'email', text: 'x' }] }),
    { type: 'dropdown', name: 'b', choices: ['x', { value: 'y', text: 'Y', visibleIf: '{a} notempty' }] },
    { type: 'panel', elements: [{ type: 'comment', name: 'c' }] },
    {
      type: 'paneldynamic',
      name: 'd',
      templateElements: [text('a'), text('x', { visibleIf: '{panel.a} = 1' })],
    },
    { type: 'matrix', name: 'e', columns: ['x', 'y'], rows: ['r'] },
    { type: 'matrixdropdown', name: 'f', columns: [{ name: 'x', cellType: 'text' }], rows: ['r'] },
    { type: 'matrixdynamic', name: 'g', columns: [{ name: 'x', visibleIf: '{row.y} = 1' }], rowCount: 2 },
    { type: 'multipletext', name: 'h', items: [{ name: 'a' }, { name: 'b' }] },
    { type: 'html', name: 'i', html: '<p>x</p>' },
    { type: 'expression', name: 'j', expression: 'iif({a} notempty, sumInArray({g}, "x"), 0)' },
    ...'boolean checkbox file image imagepicker radiogroup ranking rating signaturepad slider tagbox buttongroup imagemap'
      .split(' ')
      .map((type) => ({ type, name: type })),
  ];
  const settings = {
    title: 'T',
    description: { default: 'D', de: 'D' },
    logo: 'https://example.org/x.png',
    logoWidth: 100,
    logoHeight: '60px',
    logoPosition: 'left',
    completedHtml: '<p>Thanks</p>',
    showProgressBar: 'both',
    calculatedValues: [{ name: 'k', expression: '{a} + 1' }],
    triggers: [{ type: 'runexpression', expression: '{a} = 1', runExpression: '2 + 2', setToName: 'l' }],
  };
  assert.deepEqual(checkDefinition(form(elements, settings)), []);
});

test('a definition that is not an object, or has no pages or empty pages, is rejected with its path', () => {
  for (const value of [null, undefined, 'x', 5, [], [{}]]) {
    assert.deepEqual(
      checkDefinition(value).map((issue) => issue.field),
      ['formBuilderOptions'],
    );
  }
  for (const value of [{}, { pages: [] }, { elements: [text('a')] }, { pages: {} }]) {
    assert.equal(checkDefinition(value)[0]?.field, 'formBuilderOptions.pages');
  }
  assert.equal(checkDefinition({ pages: [{ name: 'p' }] })[0]?.field, 'formBuilderOptions.pages[0].elements');
  assert.equal(checkDefinition({ pages: ['p'] })[0]?.field, 'formBuilderOptions.pages[0]');
});

test('unknown or missing element types are rejected', () => {
  assert.deepEqual(
    faults([{ type: 'telepathy', name: 'a' }, { name: 'b' }, 5, { type: '__proto__', name: 'c' }]),
    [`${AT}[2]`, `${AT}[0].type`, `${AT}[1].type`, `${AT}[3].type`],
  );
});

test('missing, duplicate and prototype names are rejected, also nested ones', () => {
  assert.deepEqual(faults([text(undefined), text('a'), text('a'), text(5)]), [
    `${AT}[0].name`,
    `${AT}[2].name`,
    `${AT}[3].name`,
  ]);
  assert.deepEqual(faults([text('a'), { type: 'panel', elements: [text('a')] }]), [
    `${AT}[1].elements[0].name`,
  ]);
  const panel = { type: 'panel', name: 'a', elements: [] };
  assert.deepEqual(faults([text('a'), panel, panel]), [`${AT}[2].name`]);
  for (const name of ['__proto__', 'constructor', 'toString']) {
    assert.deepEqual(faults([text(name)]), [`${AT}[0].name`]);
    assert.deepEqual(faults([text('a', { valueName: name })]), [`${AT}[0].valueName`]);
  }
  const matrix = { type: 'matrixdynamic', name: 'm', columns: [{ name: 'x' }, { name: 'x' }] };
  assert.deepEqual(faults([matrix]), [`${AT}[0].columns[1].name`]);
});

test('expressions that survey-core cannot parse are rejected everywhere', () => {
  const bad = "{a} = = 'x'";
  const elements = [
    text('a', { visibleIf: bad, enableIf: bad, requiredIf: 5, min: `=${bad}`, minValueExpression: bad }),
    text('b', { validators: [{ type: 'expression', expression: bad }] }),
    { type: 'checkbox', name: 'c', choices: [{ value: 1, visibleIf: bad }], choicesVisibleIf: bad },
    { type: 'paneldynamic', name: 'd', templateElements: [text('x', { visibleIf: bad })] },
    { type: 'matrixdropdown', name: 'e', columns: [{ name: 'x', requiredIf: bad }], rows: [] },
    text('f', { visibleIf: 'launch({a})' }),
  ];
  const settings = {
    calculatedValues: [{ name: 'k', expression: bad }],
    triggers: [{ type: 'complete', expression: bad }],
  };
  const found = faults(elements, settings);
  const expected = [
    ...['visibleIf', 'enableIf', 'requiredIf', 'min', 'minValueExpression'].map((name) => `${AT}[0].${name}`),
    `${AT}[1].validators[0].expression`,
    `${AT}[2].choicesVisibleIf`,
    `${AT}[2].choices[0].visibleIf`,
    `${AT}[3].templateElements[0].visibleIf`,
    `${AT}[4].columns[0].requiredIf`,
    `${AT}[5].visibleIf`,
    'formBuilderOptions.triggers[0].expression',
    'formBuilderOptions.calculatedValues[0].expression',
  ];
  assert.deepEqual(found.toSorted(), expected.toSorted());
});

test('functions are recognised as survey-core does, not as words in a text or a name', () => {
  const readable = [
    "{a} = 'it\\'s (maybe)'",
    '{a} = "x (y)"',
    '{b (c)} = 1',
    'negate ({a})',
    '[min(1, 2), 3] contains {a}',
  ];
  assert.deepEqual(faults(readable.map((visibleIf, index) => text(`q${index}`, { visibleIf }))), []);
  for (const visibleIf of [
    'iif({a} = 1, launch(2), 3) = 1',
    'not({a} = 1)',
    '{a} notempty and (launch({a}))',
  ])
    assert.deepEqual(faults([text('a', { visibleIf })]), [`${AT}[0].visibleIf`]);
});

test('unknown validator and trigger types are rejected', () => {
  const elements = [text('a', { validators: [{ type: 'magic' }, { text: 'x' }, { type: 'email' }] })];
  assert.deepEqual(faults(elements, { triggers: [{ type: 'explode' }] }), [
    `${AT}[0].validators[0].type`,
    `${AT}[0].validators[1].type`,
    'formBuilderOptions.triggers[0].type',
  ]);
});

test('a regular expression must be a string, and all of them are listed with their paths', () => {
  const regexes = ['(?=a)b', 5, '^(a+)+$'];
  const elements = regexes.map((regex, index) =>
    text(`q${index}`, { validators: [{ type: 'regex', regex }] }),
  );
  assert.deepEqual(faults(elements), [`${AT}[1].validators[0].regex`]);
  const nested = { type: 'paneldynamic', name: 'd', templateElements: [elements[2]] };
  assert.deepEqual(
    listPatterns(form([...elements, nested])).map(({ field, pattern }) => [field, pattern]),
    [
      [`${AT}[0].validators[0].regex`, '(?=a)b'],
      [`${AT}[2].validators[0].regex`, '^(a+)+$'],
      [`${AT}[3].templateElements[0].validators[0].regex`, '^(a+)+$'],
    ],
  );
});

test('settings of a wrong type or value are rejected', () => {
  const settings = {
    showProgressBar: 'middle',
    logo: 5,
    logoWidth: [],
    logoHeight: -1,
    logoPosition: 'up',
    title: 1,
  };
  assert.deepEqual(
    faults([text('a')], settings).toSorted(),
    Object.keys(settings)
      .map((name) => `formBuilderOptions.${name}`)
      .toSorted(),
  );
});

test('lists and counts of a wrong type are rejected', () => {
  assert.deepEqual(faults([{ type: 'checkbox', name: 'a', choices: 'x', validators: {} }]).toSorted(), [
    `${AT}[0].choices`,
    `${AT}[0].validators`,
  ]);
  assert.deepEqual(faults([{ type: 'matrixdynamic', name: 'a', rowCount: 1e9, columns: [] }]), [
    `${AT}[0].rowCount`,
  ]);
});

test('choices, rows and rates that are not single values are rejected', () => {
  const entries = [
    'x',
    1,
    { value: 2 },
    { text: 'y' },
    { value: null, text: 'z' },
    { value: { a: 1 } },
    { value: [] },
  ];
  const elements = [
    { type: 'radiogroup', name: 'a', choices: entries },
    { type: 'matrix', name: 'b', columns: ['x'], rows: entries },
  ];
  assert.deepEqual(faults(elements), [
    `${AT}[0].choices[5].value`,
    `${AT}[0].choices[6].value`,
    `${AT}[1].rows[5].value`,
    `${AT}[1].rows[6].value`,
  ]);
});

test('definitions of hostile size are rejected immediately with one error', () => {
  const many = Array.from({ length: 2001 }, (_, index) => text(`q${index}`));
  assert.equal(checkDefinition(form(many)).length, 1);
  const choices = Array.from({ length: 6000 }, (_, index) => index);
  assert.equal(
    checkDefinition(form(['a', 'b'].map((name) => ({ type: 'checkbox', name, choices })))).length,
    1,
  );
  let panel: Json = text('leaf');
  for (let depth = 0; depth < 30; depth += 1) panel = { type: 'panel', elements: [panel] };
  assert.equal(checkDefinition(form([panel])).length, 1);
  const deep: unknown = JSON.parse(`{"pages": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  assert.equal(checkDefinition(deep).length, 1);
  const open = '('.repeat(2000);
  assert.deepEqual(faults([text('a', { visibleIf: `${open}{a} = 1` })]), [`${AT}[0].visibleIf`]);
  const wide = `{a} = 1${' or {a} = 1'.repeat(250)}`;
  const expressions = Array.from({ length: 200 }, (_, index) => text(`q${index}`, { visibleIf: wide }));
  assert.equal(checkDefinition(form(expressions)).length, 1);
});

test('an element has at most 20 validators', () => {
  const validators = Array.from({ length: 21 }, () => ({ type: 'email' }));
  assert.deepEqual(faults([text('a', { validators })]), [`${AT}[0].validators`]);
});
