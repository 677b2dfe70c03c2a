import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, type TestContext, test } from 'node:test';
import { ThreadBusyError } from '../../../../threads/shared-thread.ts';
import { checkDefinition } from './definition-check.ts';
import { FormEngine } from './form-engine.ts';

type Json = Record<string, unknown>;
// The deadline of the full model uses the clock, so valid work can exceed it on a busy machine.
const engine = new FormEngine({ deadlineMs: 30_000 });
after(() => engine.close());

let forms = 0;

const version = (code: string, tenantId = 't') => ({ tenantId, code, version: 1 });

/** Checks answers against a one-page form of these elements, with a unique key per form. */
async function check(elements: Json[], answers: Json, settings: Json = {}) {
  const definition = { pages: [{ name: 'p', elements }], ...settings };
  assert.deepEqual(checkDefinition(definition), []);
  forms += 1;
  return engine.check(version(`form-${forms}`), async () => definition, answers);
}

async function refusedFields(elements: Json[], answers: Json): Promise<(string | undefined)[]> {
  const result = await check(elements, answers);
  assert.ok(!result.ok, JSON.stringify(result));
  return result.issues.map((issue) => issue.field);
}

const people = {
  type: 'paneldynamic',
  name: 'people',
  templateElements: [
    { type: 'text', name: 'mail', inputType: 'email', isRequired: true },
    {
      type: 'dropdown',
      name: 'role',
      choices: ['dev', 'other'],
      visibleIf: '{panel.mail} notempty',
      isRequired: true,
    },
  ],
};

test('a form version is loaded once, and again after a failed load', async () => {
  let loads = 0;
  const load = async () => {
    loads += 1;
    if (loads === 1) throw new Error('database is away');
    return { pages: [{ name: 'p', elements: [{ type: 'text', name: 'a' }] }] };
  };
  await assert.rejects(engine.check(version('code'), load, {}), /away/);
  assert.ok((await engine.check(version('code'), load, { a: 'x' })).ok);
  assert.ok((await engine.check(version('code'), load, {})).ok);
  assert.equal(loads, 2);
});

/** Submits to forms by their title; returns the titles of the loaded ones. */
function recordLoads(t: TestContext, cacheBytes: number) {
  const small = new FormEngine({ cacheBytes });
  t.after(() => small.close());
  return async (titles: readonly string[]) => {
    const loads: string[] = [];
    for (const title of titles) {
      const load = async () => {
        loads.push(title);
        return { title, pages: [{ name: 'p', elements: [{ type: 'text', name: 'a' }] }] };
      };
      await small.check(version(title), load, { a: 'x' });
    }
    return loads;
  };
}

test('compiled form versions are cached while there is room', async (t) => {
  const submit = recordLoads(t, 4800);
  const titles = Array.from({ length: 8 }, (_, index) => `${index}`.repeat(100));
  assert.deepEqual(await submit([...titles, ...titles]), titles);
  assert.deepEqual(await submit(['another', ...titles.slice(0, 1)]), ['another', ...titles.slice(0, 1)]);
});

test('a large form is cached and leaves room for others', async (t) => {
  const submit = recordLoads(t, 4800);
  const large = 'x'.repeat(10_000);
  assert.deepEqual(await submit(['one', large, 'one', large]), ['one', large]);
});

test('a check does not wait for the loading of another form', async () => {
  const definition = { pages: [{ name: 'p', elements: [{ type: 'text', name: 'a' }] }] };
  const slow = Promise.withResolvers<typeof definition>();
  const waiting = engine.check(version('other'), () => slow.promise, { a: 'x' });
  assert.ok((await engine.check(version('other'), async () => definition, { a: 'x' })).ok);
  slow.resolve(definition);
  assert.ok((await waiting).ok);
});

test('questions of repeated panels are reported by path', async () => {
  const good = { people: [{ mail: 'a@b.co', role: 'dev' }] };
  assert.deepEqual(await check([people], good), { ok: true, answers: good });
  assert.deepEqual(await refusedFields([people], { people: [{ mail: 'a@b.co' }, {}] }), [
    'people[0].role',
    'people[1].mail',
  ]);
  assert.deepEqual(await refusedFields([people], { people: [{ mail: 'x', role: 'boss', age: 5 }] }), [
    'people[0].mail',
    'people[0].role',
    'people[0].age',
  ]);
});

test('cells of matrices are reported by path', async () => {
  const columns = [
    { name: 'n', cellType: 'text', inputType: 'number', isRequired: true },
    { name: 'c', choices: ['x'] },
  ];
  const fixed = { type: 'matrixdropdown', name: 'm', rows: ['r1', 'r2'], columns };
  assert.ok((await check([fixed], { m: { r1: { n: 1, c: 'x' }, r2: { n: 2 } } })).ok);
  assert.deepEqual(await refusedFields([fixed], { m: { r1: { n: 1 } } }), ['m.r2.n']);
  assert.deepEqual(await refusedFields([fixed], { m: { r1: { n: 'abc', c: 'y' }, r9: {} } }), [
    'm.r1.n',
    'm.r1.c',
    'm.r9',
  ]);
  const dynamic = { type: 'matrixdynamic', name: 'm', columns, rowCount: 0 };
  assert.ok((await check([dynamic], { m: [{ n: 1 }, { n: 2, c: 'x' }] })).ok);
  assert.deepEqual(await refusedFields([dynamic], { m: [{ n: 1 }, { c: 'x' }] }), ['m[1].n']);
  const grid = {
    type: 'matrix',
    name: 'g',
    rows: ['r1', 'r2'],
    columns: ['good', 'bad'],
    eachRowRequired: true,
  };
  assert.ok((await check([grid], { g: { r1: 'good', r2: 'bad' } })).ok);
  assert.deepEqual(await refusedFields([grid], { g: { r1: 'good' } }), ['g']);
  assert.deepEqual(await refusedFields([grid], { g: { r1: 'fine' } }), ['g.r1']);
});

test('files and signatures are accepted in their shape', async () => {
  const elements = [
    { type: 'file', name: 'f', isRequired: true },
    { type: 'signaturepad', name: 's' },
  ];
  const answers = {
    f: [{ name: 'a.txt', type: 'text/plain', content: 'data:,x' }],
    s: 'data:image/png;base64,AA==',
  };
  assert.deepEqual(await check(elements, answers), { ok: true, answers });
  assert.deepEqual(await refusedFields(elements, { f: ['x'] }), ['f[0]']);
  assert.deepEqual(await refusedFields(elements, {}), ['f']);
});

test('sliders, image maps and drawings accept only possible values', async () => {
  const areas = [{ value: 'north' }, { value: 'south' }];
  const elements = [
    { type: 'slider', name: 'one', max: 10 },
    { type: 'slider', name: 'two', sliderType: 'range' },
    { type: 'slider', name: 'free', minValueExpression: '100', maxValueExpression: '200' },
    { type: 'imagemap', name: 'map', areas },
    { type: 'imagemap', name: 'spot', areas, multiSelect: false },
    { type: 'signaturepad', name: 'sign' },
  ];
  const answers = { one: 10, two: [5, 100], free: 150, map: ['north'], spot: 'south', sign: 'data:,' };
  assert.deepEqual(await check(elements, answers), { ok: true, answers });
  const wrong = { one: 11, two: [5, 101], free: '150', map: ['east'], spot: ['south'], sign: { a: 1 } };
  assert.deepEqual(await refusedFields(elements, wrong), ['one', 'two[1]', 'free', 'map[0]', 'spot', 'sign']);
  assert.deepEqual(await refusedFields(elements, { one: [1], two: 5, map: 'north' }), ['one', 'two', 'map']);
});

test('the full model also drops answers of hidden questions', async () => {
  const elements = [
    { type: 'text', name: 'a' },
    { ...people, visibleIf: "{a} = 'on'", isRequired: true },
  ];
  assert.deepEqual(await check(elements, { a: 'off', people: [{ mail: 'x' }] }), {
    ok: true,
    answers: { a: 'off' },
  });
  assert.deepEqual(await refusedFields(elements, { a: 'on' }), ['people']);
});

test('questions of a start page are checked like others', async () => {
  const definition = {
    firstPageIsStartPage: true,
    pages: [
      { name: 'start', elements: [{ type: 'text', name: 'mail', inputType: 'email', isRequired: true }] },
      {
        name: 'p',
        elements: [{ type: 'matrixdynamic', name: 'm', columns: [{ name: 'c', cellType: 'text' }] }],
      },
    ],
  };
  const result = await engine.check(version('start'), async () => definition, { m: [{ c: 'x' }] });
  assert.ok(!result.ok);
  assert.deepEqual(
    result.issues.map((issue) => issue.field),
    ['mail'],
  );
});

test('answers too large for the compiled rules are checked by the full model', async () => {
  const choices = Array.from({ length: 200 }, (_, index) => index);
  const lists = ['a', 'b'].map((name) => ({ type: 'checkbox', name, choices }));
  const compare = (name: string) => ({ type: 'text', name, isRequired: true, visibleIf: '{a} anyof {b}' });
  const elements = [...lists, ...Array.from({ length: 70 }, (_, index) => compare(`q${index}`))];
  const [a, b] = [choices.slice(0, 180), choices.slice(180)];
  assert.deepEqual(await check(elements, { a, b, q0: 'hidden' }), { ok: true, answers: { a, b } });
  assert.equal((await refusedFields(elements, { a, b: choices })).length, 70);
});

test('questions behind a jump are not required, also if the jump reads a computed value', async () => {
  const definition = {
    pages: [
      { name: 'one', elements: [{ type: 'text', name: 'n', inputType: 'number' }] },
      { name: 'two', elements: [{ type: 'text', name: 'more', isRequired: true }] },
      { name: 'three', elements: [{ type: 'signaturepad', name: 's' }] },
    ],
    calculatedValues: [{ name: 'double', expression: '{n} * 2' }],
    triggers: [{ type: 'skip', expression: '{double} > 10', gotoName: 's' }],
  };
  const submit = (n: number) => engine.check(version('jump'), async () => definition, { n });
  assert.deepEqual(await submit(6), { ok: true, answers: { n: 6 } });
  assert.ok(!(await submit(5)).ok);
});

test('a choice with its own comment box is accepted with its comment', async () => {
  const choices = ['x', { value: 'y', showCommentArea: true }];
  for (const type of ['radiogroup', 'dropdown', 'checkbox', 'tagbox']) {
    const isList = type === 'checkbox' || type === 'tagbox';
    const answer = (choice: unknown) => ({ a: isList ? [choice] : choice });
    const at = isList ? 'a[0]' : 'a';
    const elements = [{ type, name: 'a', choices }];
    for (const choice of ['x', { value: 'y', comment: 'why' }]) {
      assert.deepEqual(await check(elements, answer(choice)), { ok: true, answers: answer(choice) });
    }
    assert.deepEqual(await refusedFields(elements, answer({ value: 'z', comment: 'why' })), [at]);
    assert.deepEqual(await refusedFields(elements, answer({ value: 'y', comment: 5, more: 1 })), [
      `${at}.comment`,
      `${at}.more`,
    ]);
    assert.deepEqual(await refusedFields(elements, answer({ comment: 'why' })), [at]);
  }
});

test('questions inside a choice count while the choice is selected', async () => {
  const inner = {
    type: 'checkbox',
    name: 'c',
    choices: [{ value: 'k', elements: [{ type: 'text', name: 'd' }] }],
  };
  const inside = [
    { type: 'text', name: 'b', inputType: 'email', isRequired: true },
    { type: 'panel', name: 'p', elements: [inner] },
  ];
  const elements = [{ type: 'radiogroup', name: 'a', choices: ['x', { value: 'y', elements: inside }] }];
  const full = { a: 'y', b: 'a@b.co', c: ['k'], d: 'z' };
  assert.deepEqual(await check(elements, full), { ok: true, answers: full });
  assert.deepEqual(await refusedFields(elements, { a: 'y' }), ['b']);
  assert.deepEqual(await refusedFields(elements, { a: 'y', b: 'none' }), ['b']);
  assert.deepEqual(await check(elements, { ...full, a: 'x' }), { ok: true, answers: { a: 'x' } });
  const { c: _, ...unselected } = full;
  assert.deepEqual(await check(elements, unselected), { ok: true, answers: { a: 'y', b: 'a@b.co' } });
});

test('totals of a matrix inside a repeated panel are computed, whatever was sent', async () => {
  const columns = [{ name: 'n', cellType: 'text', inputType: 'number', totalType: 'sum' }];
  const matrix = { type: 'matrixdynamic', name: 'm', columns };
  const elements = [{ type: 'paneldynamic', name: 'p', templateElements: [matrix] }];
  const answers = { p: [{ m: [{ n: 1 }, { n: 2 }], 'm-total': { n: 3 } }] };
  assert.deepEqual(await check(elements, answers), { ok: true, answers });
  const wrong = { p: [{ ...answers.p[0], 'm-total': { n: 99 } }] };
  assert.deepEqual(await check(elements, wrong), { ok: true, answers });
  assert.deepEqual(await check(elements, { p: [{ m: answers.p[0]?.m }] }), { ok: true, answers });
});

test('totals of a hidden matrix are dropped with its rows, unless the form keeps them', async () => {
  const columns = [{ name: 'n', cellType: 'text', inputType: 'number', totalType: 'sum' }];
  const matrix = { type: 'matrixdynamic', name: 'm', columns, visibleIf: '{a} notempty' };
  const repeated = { type: 'paneldynamic', name: 'p', templateElements: [matrix] };
  const selected = { type: 'radiogroup', name: 'c', choices: ['x', { value: 'y', elements: [matrix] }] };
  const rows = { m: [{ n: 1 }, { n: 2 }], 'm-total': { n: 3 } };
  const drops = async (element: Json, sent: Json, remaining: Json) => {
    const elements = [{ type: 'text', name: 'a' }, element];
    assert.deepEqual(await check(elements, sent), { ok: true, answers: remaining });
    const keep = await check(elements, sent, { clearInvisibleValues: 'none' });
    assert.ok(keep.ok);
    return keep.answers;
  };
  assert.deepEqual(await drops(matrix, rows, {}), rows);
  assert.deepEqual(await drops(repeated, { p: [rows] }, { p: [{}] }), { p: [rows] });
  await drops(selected, { c: 'x', ...rows }, { c: 'x' });
});

test('choices copied from another question are checked', async () => {
  const elements = [
    { type: 'checkbox', name: 'a', choices: ['x', 'y'] },
    { type: 'dropdown', name: 'b', choicesFromQuestion: 'a', choicesFromQuestionMode: 'selected' },
  ];
  assert.ok((await check(elements, { a: ['x'], b: 'x' })).ok);
  assert.deepEqual(await refusedFields(elements, { a: ['x'], b: 'y' }), ['b']);
});

test('the browser’s own submission of a full-model form is accepted', async () => {
  const elements = [
    { type: 'matrixdynamic', name: 'm', columns: [{ name: 'n', cellType: 'text', inputType: 'number' }] },
    { type: 'expression', name: 'sum', expression: "sumInArray({m}, 'n')" },
  ];
  const answers = { m: [{ n: 1 }, { n: 2 }], sum: 3 };
  assert.deepEqual(await check(elements, answers), { ok: true, answers });
  assert.deepEqual(await check(elements, { ...answers, sum: 99 }), { ok: true, answers });
});

test('the server never loads choices by URL', async (t) => {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const choicesByUrl = { url: `http://127.0.0.1:${address.port}/{a}` };
  const elements = [
    { type: 'text', name: 'a' },
    { type: 'dropdown', name: 'b', choicesByUrl },
    { type: 'matrixdynamic', name: 'm', columns: [{ name: 'c', choicesByUrl }] },
    { type: 'paneldynamic', name: 'd', templateElements: [{ type: 'checkbox', name: 'e', choicesByUrl }] },
  ];
  const answers = { a: 'x', b: 'y', m: [{ c: 'z' }], d: [{ e: ['w'] }] };
  assert.deepEqual(await check(elements, answers), { ok: true, answers });
  assert.equal(calls, 0);
});

test('20,000 rows are rejected before they reach the full model', async () => {
  const elements = [{ type: 'matrixdynamic', name: 'm', columns: [{ name: 'c', cellType: 'text' }] }];
  const result = await check(elements, { m: Array.from({ length: 20_000 }, () => ({ c: 'x' })) });
  assert.ok(!result.ok);
  assert.deepEqual(await refusedFields(elements, { m: Array.from({ length: 501 }, () => ({ c: 'x' })) }), [
    'm',
  ]);
});

test('a backtracking pattern inside a repeated panel does not block the full model', async () => {
  const validators = [{ type: 'regex', regex: '^(a+)+$' }];
  const elements = [
    { type: 'paneldynamic', name: 'd', templateElements: [{ type: 'text', name: 'e', validators }] },
  ];
  assert.deepEqual(await refusedFields(elements, { d: [{ e: `${'a'.repeat(40)}!` }] }), ['d[0].e']);
  assert.ok((await check(elements, { d: [{ e: 'aaa' }] })).ok);
});

/** A form and answers that keep the full model busy for longer than any deadline. */
function slowForm() {
  const columns = Array.from({ length: 60 }, (_, index) => ({
    name: `c${index}`,
    cellType: 'text',
    visibleIf: '{row.c0} notempty',
  }));
  const rows = Array.from({ length: 500 }, () => Object.fromEntries(columns.map(({ name }) => [name, 'x'])));
  const definition = { pages: [{ name: 'p', elements: [{ type: 'matrixdynamic', name: 'm', columns }] }] };
  return { load: async () => definition, answers: { m: rows } };
}

const loadSignature = async () => ({
  pages: [{ name: 'p', elements: [{ type: 'signaturepad', name: 's' }] }],
});

test('a check that exceeds the deadline reports an issue, and the next one works', async (t) => {
  const hasty = new FormEngine({ deadlineMs: 300 });
  t.after(() => hasty.close());
  const { load, answers } = slowForm();
  const late = await hasty.check(version('slow'), load, answers);
  assert.deepEqual(late, { ok: false, issues: [{ message: 'form_data took too long' }] });
  assert.ok((await hasty.check(version('quick'), loadSignature, { s: 'data:,' })).ok);
});

test('after closing, checks that need the full model are rejected temporarily', async () => {
  const closed = new FormEngine();
  await closed.close();
  await assert.rejects(closed.check(version('x'), loadSignature, {}), ThreadBusyError);
});
