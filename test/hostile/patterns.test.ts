/**
 * Patterns and conditions of one tenant that would block the process for seconds, while a second tenant continues to
 * work.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { action, automation, createAutomation, endOfRun, startRun } from '../harness/automations.ts';
import { createRecordsTenant } from '../harness/records.ts';
import { formBody } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const SLOW = '.{0,450}c';
const LONG = 'a'.repeat(20_000);
const attacker = await createRecordsTenant(app, [
  { name: 'note', fields: [{ name: 'text', type: 'text', pattern: SLOW }] },
]);
const other = await app.createTenant();

/**
 * Runs an attack while another tenant repeats a small request; returns the attack's response and the number of those
 * requests.
 */
async function withNeighbour<T>(attack: () => Promise<T>): Promise<{ result: T; answered: number }> {
  let isOver = false;
  let answered = 0;
  const asking = (async () => {
    while (!isOver) {
      await other.api.get('/api/tenant/info');
      answered += 1;
    }
  })();
  const result = await attack().finally(() => {
    isOver = true;
  });
  await asking;
  return { result, answered };
}

test('records with a pattern that takes seconds are rejected by name, and others are served meanwhile', async () => {
  const records = Array.from({ length: 10 }, (_, index) => ({ text: `${LONG.slice(0, -2)}b${index}` }));
  const { result, answered } = await withNeighbour(() =>
    attacker.owner.post('/api/note/bulk', { records }, 400),
  );
  assert.match(result.body.errors[0].field, /^records\[\d\]\.text$/);
  assert.match(result.body.errors[0].message, /takes too long to match/);
  assert.ok(answered >= 10, `${answered} answers`);
  assert.deepEqual((await attacker.owner.get('/api/note')).body.data, []);
});

test('many texts are matched both in the main thread and in the worker thread', async () => {
  const mail = '^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,63}$';
  const fields = [{ name: 'email', type: 'string', pattern: mail }];
  await attacker.api.post('/api/entities', { name: 'reader', fields });
  for (const count of [20, 50, 80, 500]) {
    const records = Array.from({ length: count }, (_, index) => ({
      email: `reader.${index}.of.${count}@example.com`,
    }));
    await attacker.owner.post('/api/reader/bulk', { records });
  }
});

test('a definition of 200 ordinary patterns is accepted', async () => {
  const ordinary = [
    '^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,63}$',
    '^\\+?[0-9 ()-]{6,20}$',
    '^[0-9]{5}(-[0-9]{4})?$',
    '^.{1,255}$',
  ];
  const fields = Array.from({ length: 200 }, (_, index) => ({
    ...{ name: `f${index}`, type: 'string', pattern: ordinary[index % ordinary.length] },
  }));
  await attacker.api.post('/api/entities', { name: 'ordinary', fields });
});

test('texts that match a slow pattern immediately are accepted', async () => {
  await attacker.owner.post('/api/note', { text: 'abc' });
  assert.equal((await attacker.owner.post('/api/note', { text: 'ab' }, 400)).body.errors[0].field, 'text');
});

test('a definition of patterns that take seconds to compile is rejected by name', async () => {
  const fields = Array.from({ length: 150 }, (_, index) => ({
    ...{ name: `f${index}`, type: 'string', pattern: `\\p{L}{1,480}${index}` },
  }));
  const { result, answered } = await withNeighbour(() =>
    attacker.api.post('/api/entities', { name: 'slow', fields }, 400),
  );
  assert.match(result.body.issues[0].field, /^fields\[\d+\]\.pattern$/);
  assert.ok(answered >= 5, `${answered} answers`);
});

test('many definitions with large patterns are accepted in sequence', async () => {
  for (let number = 0; number < 12; number += 1) {
    const fields = Array.from({ length: 50 }, (_, index) => ({
      ...{ name: `f${index}`, type: 'string', pattern: `^[a-z]{2,${420 + index}}${number}$` },
    }));
    await attacker.api.post('/api/entities', { name: `large${number}`, fields });
  }
});

test('a form whose patterns are too large in total is rejected by name', async () => {
  const elements = Array.from({ length: 200 }, (_, index) => ({
    ...{ type: 'text', name: `q${index}` },
    validators: [{ type: 'regex', regex: `^[a-z]{2,400}${index}$` }],
  }));
  const form = { ...formBody(), formBuilderOptions: { pages: [{ name: 'p', elements }] } };
  const { body } = await attacker.api.post('/api/forms', form, 400);
  assert.match(
    body.issues[0].field,
    /^formBuilderOptions\.pages\[0\]\.elements\[\d+\]\.validators\[0\]\.regex$/,
  );
});

test('conditions that take seconds fail their run, and others are served meanwhile', async () => {
  const rules = Array.from({ length: 60 }, (_, index) => ({
    ...{ field: '{{trigger.text}}', operator: 'matches', value: `.{0,${300 + index}}c` },
  }));
  const conditionalActions = [{ condition: { rules, combinator: 'or' }, actions: [] }];
  await createAutomation(attacker.api, 'slow', { triggerType: 'webhook', actions: [], conditionalActions });
  const { result, answered } = await withNeighbour(async () =>
    endOfRun(attacker.api, 'slow', await startRun(attacker.api, 'slow', { text: LONG })),
  );
  assert.equal(result.status, 'failed');
  assert.match(result.error ?? '', /conditionalActions\[0\]: The evaluation takes too long/);
  assert.ok(answered >= 10, `${answered} answers`);
});

test('an expensive condition within the deadline is evaluated in the thread', async () => {
  const rule = { field: '{{trigger.text}}', operator: 'matches', value: '^.{0,100}c' };
  const say = action('say', 'log', { message: 'yes' });
  const conditionalActions = [{ condition: { rules: [rule], combinator: 'and' }, actions: [say] }];
  await createAutomation(attacker.api, 'costly', { triggerType: 'webhook', actions: [], conditionalActions });
  for (const [text, status] of [
    [`c${LONG.slice(1)}`, 'succeeded'],
    [LONG, 'skipped'],
  ]) {
    const { actions } = await endOfRun(
      attacker.api,
      'costly',
      await startRun(attacker.api, 'costly', { text }),
    );
    assert.equal(actions[0]?.status, status);
  }
});

test('a condition with a pattern that cannot be compiled is rejected by name', async () => {
  const rule = { field: 'a', operator: 'matches', value: '(' };
  const conditionalActions = [{ condition: { rules: [rule], combinator: 'and' }, actions: [] }];
  const { body } = await attacker.api.post(
    '/api/automations',
    automation('bad', [], { conditionalActions }),
    400,
  );
  assert.deepEqual(
    [body.code, body.issues[0].field],
    ['INVALID_AUTOMATION', 'conditionalActions[0].condition.rules[0].value'],
  );
});
