import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { drawPlainForm } from './draw-form.ts';
import { type PlainForm, readPlainForm } from './read-plain-form.ts';

const email = { type: 'text', name: 'email', inputType: 'email' };

function read(definition: Record<string, unknown>, locale = 'en', emailQuestion: string | null = 'email') {
  return readPlainForm({ definition, locale, emailQuestion, emailTitle: 'Email address' });
}

function formOf(elements: readonly unknown[], locale = 'en'): PlainForm | null {
  return read({ pages: [{ elements: [email, ...elements] }] }, locale);
}

const plain: Readonly<Record<string, Record<string, unknown>>> = {
  text: { type: 'text', name: 'q', title: 'Q', isRequired: true, maxLength: 9, defaultValue: 'a' },
  number: { type: 'text', name: 'q', inputType: 'number', min: 1, max: 9, step: 2, minErrorText: 'Low' },
  comment: { type: 'comment', name: 'q', rows: 6, placeholder: 'Here', description: 'Help' },
  radiogroup: { type: 'radiogroup', name: 'q', choices: [1, 'b', { value: 'c', text: 'C' }], colCount: 1 },
  checkbox: { type: 'checkbox', name: 'q', choices: ['a', 'b'], defaultValue: ['b'] },
  dropdown: { type: 'dropdown', name: 'q', choices: ['a'], requiredErrorText: 'Choose' },
  boolean: { type: 'boolean', name: 'q', renderAs: 'checkbox', titleLocation: 'hidden', label: 'Yes' },
  patterns: { type: 'text', name: 'q', validators: [{ type: 'regex', regex: '^a', text: 'Not a' }] },
};

test('plain questions make a plain form', () => {
  for (const [name, element] of Object.entries(plain)) assert.notEqual(formOf([element]), null, name);
});

test('an unknown property anywhere leaves the form to SurveyJS', () => {
  const member = fc.record({ name: fc.string({ minLength: 1 }), value: fc.jsonValue() });
  const known = new Set(Object.values(plain).flatMap((element) => Object.keys(element)));
  const texts = ['choices', 'size', 'autocomplete', 'placeholder', 'titleLocation', 'startWithNewLine'];
  const others = ['visible', 'validators', 'locale', 'pages', 'completedHtml', 'completeText', 'elements'];
  const buttons = ['pagePrevText', 'pageNextText', 'maxErrorText', 'showOtherItem', 'showNoneItem'];
  for (const name of [...texts, ...others, ...buttons, 'hasOther', 'hasNone']) known.add(name);
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(plain)), member, (element, { name, value }) => {
      fc.pre(!known.has(name) && name !== '__proto__');
      assert.equal(formOf([{ ...element, [name]: value }]), null);
      assert.equal(read({ pages: [{ elements: [email, element], [name]: value }] }), null);
    }),
  );
});

test('expressions, answers in texts and special choices are left to SurveyJS', () => {
  for (const more of [
    { visibleIf: '{a} = 1' },
    { title: 'Dear {name}' },
    { title: { default: 'Q', de: '{name}?' } },
    { inputType: 'number', min: '=1 + 1' },
    { inputType: 'number', minValueExpression: '1' },
    { inputType: 'range' },
    { validators: [{ type: 'expression', expression: '{q} > 1' }] },
    { validators: [{ type: 'numeric', minValue: 1 }] },
    { titleLocation: 'left' },
    { name: ' q' },
    { name: 'email' },
  ])
    assert.equal(formOf([{ type: 'text', name: 'q', ...more }], 'de'), null, JSON.stringify(more));
  for (const choices of [
    [],
    ['1|One'],
    ['other'],
    [{ value: 'a', visibleIf: 'b' }],
    [1, '1'],
    [true],
    [null],
  ])
    assert.equal(formOf([{ type: 'dropdown', name: 'q', choices }]), null, JSON.stringify(choices));
  assert.equal(formOf([{ type: 'boolean', name: 'q' }]), null);
  assert.equal(read({ pages: [] }), null);
  assert.equal(read({ pages: [{ elements: [email] }], triggers: [] }), null);
});

test('texts are in the language of the page, and errors equal those of SurveyJS', () => {
  const title = { default: 'Age', de: 'Alter' };
  const form = formOf(
    [{ type: 'text', name: 'age', inputType: 'number', max: 9, title, isRequired: true }],
    'de-AT',
  );
  const question = form?.pages[0]?.questions[1];
  assert.equal(question?.title, 'Alter');
  assert.deepEqual(
    question?.checks.map(({ message }) => message),
    ['Bitte beantworten Sie diese Frage.', 'Ungültige Eingabe', 'Der Wert sollte nicht größer als 9 sein'],
  );
  assert.equal(form?.buttons.complete, 'Abschließen');
});

test('a form without an address question asks at its end, and its own address question is required', () => {
  const added = read({ pages: [{ elements: [{ type: 'text', name: 'q' }] }] }, 'en', null);
  const names = added?.pages[0]?.questions.map(({ name, isRequired }) => ({ name, isRequired }));
  assert.deepEqual(names, [
    { name: 'q', isRequired: false },
    { name: 'email_address', isRequired: true },
  ]);
  assert.equal(formOf([])?.pages[0]?.questions[0]?.isRequired, true);
});

test('no text of a form escapes its element', () => {
  const hostile = fc.constantFrom(
    '"><script>',
    '</textarea><script>',
    "' onfocus=alert(1) '",
    '<!--<script>',
  );
  const element = fc.record({
    type: fc.constantFrom('text', 'comment', 'radiogroup', 'checkbox', 'dropdown'),
    name: hostile,
    title: hostile,
    description: hostile,
  });
  fc.assert(
    fc.property(element, hostile, hostile, (question, title, choice) => {
      const choices = ['text', 'comment'].includes(question.type)
        ? { placeholder: title, defaultValue: choice }
        : { choices: [{ value: choice, text: title }] };
      const form = read({ title, pages: [{ title, elements: [email, { ...question, ...choices }] }] });
      assert.ok(form);
      const page = drawPlainForm(form, { pageOf: '{page}/{pages}', isPanelless: false }).toString();
      assert.doesNotMatch(page, /<script|<!--|' onfocus/);
    }),
  );
});
