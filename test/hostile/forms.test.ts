/** Form definitions and answers that try to exhaust or mislead the process. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Answer } from '../harness/client.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createForm, formBody, goodAnswers } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';
import { acceptBefore } from './survivors.ts';

export const runsOn = ['embedded'];
export const neverRunsOn = ['cluster'];

const app = await startTestApp();
const inside = await startReceiver();
const tenant = await app.createTenant();
const { api } = tenant;
const checkSurvivors = await acceptBefore(app, tenant);

const withElements = (elements: unknown) => ({ pages: [{ name: 'p', elements }] });
const many = (count: number, of: (index: number) => object) =>
  Array.from({ length: count }, (_none, index) => of(index));

/** JSON texts: serializing objects with thousands of levels would exhaust the stack. */
function nested(depth: number): string {
  const opening = '{"type":"panel","elements":['.repeat(depth);
  return `{"pages":[{"name":"p","elements":[${opening}${']}'.repeat(depth)}]}]}`;
}

const LIST_BOMB = many(100, (index) => ({
  type: 'paneldynamic',
  name: `d${index}`,
  panelCount: 1e9,
  templateElements: [{ type: 'text', name: 'x' }],
}));

/** Rejected definitions, and a word that the issues must contain. */
const REFUSED: Readonly<Record<string, [definition: unknown, telling: RegExp]>> = {
  '20,000 elements': [
    withElements(many(20_000, (index) => ({ type: 'text', name: `q${index}` }))),
    /element|entries/,
  ],
  '100,000 choices': [
    withElements([{ type: 'dropdown', name: 'a', choices: many(100_000, (index) => ({ value: index })) }]),
    /choices|entries/,
  ],
  'a regex with look-behind': [
    withElements([{ type: 'text', name: 'a', validators: [{ type: 'regex', regex: '(?<=a)b' }] }]),
    /regex/,
  ],
  'a regex with a back reference': [
    withElements([{ type: 'text', name: 'a', validators: [{ type: 'regex', regex: '(a)\\1' }] }]),
    /regex/,
  ],
  'an expression of a megabyte': [
    withElements([{ type: 'text', name: 'a', visibleIf: '1 = 1 or '.repeat(120_000) }]),
    /visibleIf/,
  ],
  'an expression of 10,000 brackets': [
    withElements([{ type: 'text', name: 'a', visibleIf: `${'('.repeat(10_000)}1${')'.repeat(10_000)}` }]),
    /visibleIf/,
  ],
  'an expression that does not parse': [
    withElements([{ type: 'text', name: 'a', visibleIf: '{a} = = (' }]),
    /visibleIf/,
  ],
  'duplicate names': [
    withElements([
      { type: 'text', name: 'a' },
      { type: 'text', name: 'a' },
    ]),
    /twice/,
  ],
  'names of the prototype': [withElements([{ type: 'text', name: 'constructor' }]), /name/],
  'an unknown element type': [withElements([{ type: 'evil', name: 'a' }]), /type/],
  'elements that are no list': [withElements({ length: 1e9 }), /elements/],
  'no pages': [{ pages: [] }, /pages/],
  'a billion panels': [withElements(LIST_BOMB), /panelCount/],
  'a billion rows': [
    withElements([{ type: 'matrixdynamic', name: 'm', rowCount: 1e9, columns: [{ name: 'c' }] }]),
    /rowCount/,
  ],
};

for (const [kind, [definition, telling]] of Object.entries(REFUSED)) {
  test(`a definition with ${kind} is rejected with its path`, async () => {
    const answer = await api.post('/api/forms', formBody({ formBuilderOptions: definition }), 400);
    assert.equal(answer.body.code, 'INVALID_REQUEST');
    assert.match(JSON.stringify(answer.body.issues), telling);
    assert.ok(answer.text.length < 100_000);
  });
}

for (const depth of [40, 5000]) {
  test(`a definition with ${depth} nested panels is rejected`, async () => {
    const { formBuilderOptions: _left, ...body } = { formBuilderOptions: null, ...formBody() };
    const rest = JSON.stringify(body).slice(1);
    const rawBody = `{"formBuilderOptions":${nested(depth)},${rest}`;
    const answer = await api.send('POST', '/api/forms', { rawBody });
    assert.equal(answer.status, 400);
    assert.match(JSON.stringify(answer.body.issues), /nested/);
  });
}

/** Saves the form and submits the answers. */
async function submitTo(elements: object[], answers: object, more: object = {}): Promise<Answer> {
  const form_code = await createForm(api, { formBuilderOptions: { ...withElements(elements), ...more } });
  const body = { form_code, email_address: 'ada@example.com', form_data: answers };
  return api.send('POST', '/api/form_submissions', { body });
}

/** Fails unless the submission was accepted, or rejected with the area's error. */
function assertSettled(answer: Answer): void {
  assert.ok([200, 400].includes(answer.status), answer.text.slice(0, 500));
  if (answer.status === 400) assert.equal(answer.body.code, 'INVALID_SUBMISSION');
}

test('a backtracking pattern is checked in linear time', async () => {
  const validators = [{ type: 'regex', regex: '^(a+)+$' }];
  const elements = [{ type: 'text', name: 'a', validators }];
  assert.equal((await submitTo(elements, { a: `${'a'.repeat(19_000)}!` })).status, 400);
  assert.equal((await submitTo(elements, { a: 'a'.repeat(19_000) })).status, 200);
});

test('expressions that depend on each other or on themselves terminate', async () => {
  assertSettled(await submitTo([{ type: 'text', name: 'a', visibleIf: "{a} = 'x'" }], { a: 'x' }));
  assertSettled(
    await submitTo(
      [
        { type: 'text', name: 'a', visibleIf: '{b} empty' },
        { type: 'text', name: 'b', visibleIf: '{a} empty' },
      ],
      { a: 'x', b: 'y' },
    ),
  );
  assertSettled(
    await submitTo(
      [
        { type: 'expression', name: 'a', expression: '{b} + 1' },
        { type: 'expression', name: 'b', expression: '{a} + 1' },
      ],
      {},
    ),
  );
  const triggers = [
    { type: 'setvalue', expression: '{a} notempty', setToName: 'b', setValue: 1 },
    { type: 'setvalue', expression: '{b} notempty', setToName: 'a', setValue: 2 },
  ];
  assertSettled(
    await submitTo(
      [
        { type: 'text', name: 'a' },
        { type: 'text', name: 'b' },
      ],
      { a: 'x' },
      { triggers },
    ),
  );
});

test('choices by URL are never fetched', async () => {
  const choicesByUrl = { url: `${inside.url}/internal?{a}`, valueName: 'id' };
  const elements = [
    { type: 'text', name: 'a' },
    { type: 'dropdown', name: 'b', choicesByUrl },
    { type: 'checkbox', name: 'c', choicesByUrl },
    { type: 'matrixdynamic', name: 'm', columns: [{ name: 'x', cellType: 'dropdown', choicesByUrl }] },
    { type: 'paneldynamic', name: 'd', templateElements: [{ type: 'tagbox', name: 'y', choicesByUrl }] },
  ];
  const answers = { a: 'x', b: 'one', c: ['two'], m: [{ x: 'three' }], d: [{ y: ['four'] }] };
  assertSettled(await submitTo(elements, answers));
  assert.equal(inside.received.length, 0);
});

test('answers with 10,000 keys are rejected with a short error of the area', async () => {
  const answers = Object.fromEntries(
    many(10_000, (index) => ({ index })).map((_none, index) => [`k${index}`, index]),
  );
  const answer = await submitTo([{ type: 'text', name: 'a' }], answers);
  assert.equal(answer.status, 400);
  assert.equal(answer.body.code, 'INVALID_SUBMISSION');
  assert.ok(answer.text.length < 200_000);
});

test('an answer of 5 MB is accepted unchanged or rejected with the area’s error', async () => {
  const text = 'ä'.repeat(2_500_000);
  const answer = await submitTo([{ type: 'comment', name: 'a' }], { a: text });
  assertSettled(answer);
  if (answer.status === 200) {
    const stored = await api.get(`/api/form_submissions/${answer.body.submission_id}`);
    assert.equal(stored.body.form_data.a, text);
  }
});

test('answers of the wrong shape are rejected with the area’s error', async () => {
  const elements = [
    { type: 'text', name: 'a' },
    { type: 'checkbox', name: 'c', choices: [1, 2] },
    { type: 'matrixdynamic', name: 'm', columns: [{ name: 'x' }] },
    { type: 'file', name: 'f' },
  ];
  const deep = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`);
  const shapes = [
    {},
    [],
    deep,
    { length: 1e9 },
    many(20_000, () => ({ x: 'y' })),
    { constructor: 1 },
    1e300,
    true,
  ];
  for (const shape of shapes)
    for (const name of ['a', 'c', 'm', 'f', 'constructor', 'toString'])
      assertSettled(await submitTo(elements, { [name]: shape }));
});

test('a visitor’s hostile submission is accepted or rejected, too', async () => {
  const code = await createForm(api);
  const { public_code } = (await api.get(`/api/forms/${code}`)).body;
  const path = `/embed/${public_code}/submissions`;
  for (const form_data of [
    { ...goodAnswers, extra: 1 },
    { full_name: { $ne: null } },
    {},
    { full_name: 'x'.repeat(1e6) },
  ]) {
    const answer = await app.anonymous.post(path, { email_address: 'a@example.com', form_data }, 400);
    assert.equal(answer.body.code, 'INVALID_SUBMISSION');
  }
});

test('afterwards the process answers and has the accepted data', checkSurvivors);
