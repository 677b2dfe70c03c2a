/**
 * `minSelectedChoices` and `maxSelectedChoices`, in forms with compiled rules and in forms that need the full model.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { FormEngine } from './form-engine.ts';

type Json = Record<string, unknown>;

const engine = new FormEngine({ deadlineMs: 30_000 });
after(() => engine.close());

const choices = ['x', 'y', 'z', { value: 'all', isExclusive: true }];
const limits = { choices, minSelectedChoices: 2, maxSelectedChoices: 2 };
const upload = { type: 'file', name: 'f' };
const inPanel = {
  type: 'paneldynamic',
  name: 'p',
  templateElements: [{ type: 'checkbox', name: 'a', ...limits }],
};
const inCells = {
  type: 'matrixdynamic',
  name: 'm',
  columns: [{ name: 'a', cellType: 'checkbox', ...limits }],
};

async function fieldsOf(elements: readonly Json[], answers: Json): Promise<readonly (string | undefined)[]> {
  const version = { tenantId: 't', code: JSON.stringify(elements), version: 1 };
  const result = await engine.check(
    version,
    async () => ({ pages: [{ name: 'p', elements: [...elements] }] }),
    answers,
  );
  return result.ok ? [] : result.issues.map(({ field }) => field);
}

const KINDS = { compiled: [], 'full-model': [upload] };

for (const type of ['checkbox', 'tagbox'])
  for (const [kind, others] of Object.entries(KINDS))
    test(`a ${type} of a ${kind} form takes as many choices as it allows`, async () => {
      const elements = [{ type, name: 'a', ...limits }, ...others];
      assert.deepEqual(await fieldsOf(elements, { a: ['x', 'y'] }), []);
      assert.deepEqual(await fieldsOf(elements, { a: ['x'] }), ['a']);
      assert.deepEqual(await fieldsOf(elements, { a: ['x', 'y', 'z'] }), ['a']);
    });

for (const [kind, others] of Object.entries(KINDS))
  test(`a ranking of a ${kind} form has a maximum if it does not rank all choices`, async () => {
    const all = { type: 'ranking', name: 'a', choices: ['x', 'y', 'z'], maxSelectedChoices: 2 };
    assert.deepEqual(await fieldsOf([all, ...others], { a: ['z', 'y', 'x'] }), []);
    const some = { ...all, selectToRankEnabled: true };
    assert.deepEqual(await fieldsOf([some, ...others], { a: ['z', 'y'] }), []);
    assert.deepEqual(await fieldsOf([some, ...others], { a: ['z', 'y', 'x'] }), ['a']);
  });

for (const [kind, others] of Object.entries(KINDS))
  test(`limits of a ${kind} form do not apply to an exclusive choice or a hidden question`, async () => {
    const elements = [{ type: 'checkbox', name: 'a', ...limits }, ...others];
    assert.deepEqual(await fieldsOf(elements, { a: ['all'] }), []);
    const hidden = [
      { type: 'checkbox', name: 'a', visibleIf: "{b} = 'on'", ...limits },
      { type: 'text', name: 'b' },
    ];
    assert.deepEqual(await fieldsOf([...hidden, ...others], { a: ['x', 'y', 'z'], b: 'off' }), []);
    assert.deepEqual(await fieldsOf([...hidden, ...others], { a: ['x', 'y', 'z'], b: 'on' }), ['a']);
  });

test('the limits hold in panels and cells', async () => {
  assert.deepEqual(await fieldsOf([inPanel], { p: [{ a: ['x', 'y'] }, { a: ['x', 'y', 'z'] }] }), ['p[1].a']);
  assert.deepEqual(await fieldsOf([inCells], { m: [{ a: ['x', 'y'] }, { a: ['x', 'y', 'z'] }] }), ['m[1].a']);
});
