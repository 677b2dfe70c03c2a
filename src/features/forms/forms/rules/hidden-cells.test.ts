/** Answers in hidden cells of matrices are dropped, like those of hidden questions in panels. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { checkDefinition } from './definition-check.ts';
import { FormEngine } from './form-engine.ts';

type Json = Record<string, unknown>;

const engine = new FormEngine({ deadlineMs: 30_000 });
after(() => engine.close());

const shown = { name: 'n', cellType: 'text' };
const hidden = { name: 'h', cellType: 'text', visibleIf: "{row.n} = 'on'" };
const columns = [shown, hidden];
const rows = ['r1', 'r2'];
const dynamic = { type: 'matrixdynamic', name: 'm', columns };
const fixed = { type: 'matrixdropdown', name: 'm', rows, columns };
const details = (elements: Json[]) => ({
  type: 'matrixdynamic',
  name: 'm',
  columns: [shown],
  detailPanelMode: 'underRow',
  detailElements: elements,
});
const withColumn = (column: Json, matrix: Json = dynamic) => ({
  ...matrix,
  columns: [shown, { ...hidden, ...column }],
});
const ON = { n: 'on', h: 'y' };
const OFF = { n: 'off', h: 'x' };

/** An element, the sent answers, the stored answers, and settings of the form. */
const CASES: Record<string, [element: Json, sent: Json, stored: Json, settings?: Json]> = {
  'a row that a visitor adds': [dynamic, { m: [OFF, ON] }, { m: [{ n: 'off' }, ON] }],
  'a row of the form': [fixed, { m: { r1: OFF, r2: ON } }, { m: { r1: { n: 'off' }, r2: ON } }],
  'by another question': [
    withColumn({ visibleIf: "{a} = 'z'" }, fixed),
    { a: 'y', m: { r1: OFF, r2: ON } },
    { a: 'y', m: { r1: { n: 'off' }, r2: { n: 'on' } } },
  ],
  'shown by another question': [
    withColumn({ visibleIf: "{a} = 'z'" }, fixed),
    { a: 'z', m: { r1: OFF } },
    { a: 'z', m: { r1: OFF } },
  ],
  'a question of a detail panel': [
    details([{ type: 'text', name: 'h', visibleIf: "{row.n} = 'on'" }]),
    { m: [OFF, ON] },
    { m: [{ n: 'off' }, ON] },
  ],
  'a hidden panel inside of a detail panel': [
    details([{ type: 'panel', name: 'q', visible: false, elements: [{ type: 'text', name: 'h' }] }]),
    { m: [OFF, ON] },
    { m: [{ n: 'off' }, { n: 'on' }] },
  ],
  'a matrix inside of a repeated panel': [
    { type: 'paneldynamic', name: 'p', templateElements: [dynamic] },
    { p: [{ m: [OFF, ON] }] },
    { p: [{ m: [{ n: 'off' }, ON] }] },
  ],
  'a cell with several choices': [
    withColumn({ cellType: 'checkbox', choices: [1, 2] }),
    { m: [{ n: 'off', h: [1, 2] }] },
    { m: [{ n: 'off' }] },
  ],
  'a cell of numbers, with its total': [
    withColumn({ inputType: 'number', totalType: 'sum' }),
    {
      m: [
        { n: 'off', h: 1 },
        { n: 'on', h: 2 },
      ],
      'm-total': { h: 3 },
    },
    { m: [{ n: 'off' }, { n: 'on', h: 2 }], 'm-total': { h: 2 } },
  ],
  'a cell that depends on a hidden cell': [
    { ...dynamic, columns: [...columns, { name: 'k', cellType: 'text', visibleIf: '{row.h} notempty' }] },
    { m: [{ ...OFF, k: 'v' }] },
    { m: [{ n: 'off' }] },
  ],
  'a cell that is always hidden': [
    withColumn({ visibleIf: undefined, visible: false }),
    { m: [OFF] },
    { m: [{ n: 'off' }] },
  ],
  'the only answer of a row': [
    withColumn({ visibleIf: "{a} = 'z'" }, fixed),
    { m: { r1: { h: 'x' }, r2: { n: 'b' } } },
    { m: { r2: { n: 'b' } } },
  ],
  'in a form that drops answers at once': [
    dynamic,
    { m: [OFF, ON] },
    { m: [{ n: 'off' }, ON] },
    { clearInvisibleValues: 'onHidden' },
  ],
  'in a form that keeps them': [dynamic, { m: [OFF] }, { m: [OFF] }, { clearInvisibleValues: 'none' }],
};

for (const [name, [element, sent, stored, settings]] of Object.entries(CASES))
  test(`hidden cells: ${name}`, async () => {
    const definition = {
      pages: [{ name: 'p', elements: [{ type: 'text', name: 'a' }, element] }],
      ...settings,
    };
    assert.deepEqual(checkDefinition(definition), []);
    const version = { tenantId: 't', code: name, version: 1 };
    assert.deepEqual(await engine.check(version, async () => definition, sent), {
      ok: true,
      answers: stored,
    });
  });
