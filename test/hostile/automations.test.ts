/** Expressions, conditions and values that try to break their evaluation. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { action, automation, endOfRun, type ListedRun, startRun } from '../harness/automations.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const app = await startTestApp();
const tenant = await app.createTenant();

const DEEP = 10_000;
const MB = 1024 * 1024;
/** Memory that may remain after many runs with too large results. */
const MAX_GROWTH_BYTES = 150 * MB;

/** Creates an automation that logs a message; returns its key. */
async function logging(key: string, message: string, more: object = {}): Promise<string> {
  await tenant.api.post('/api/automations', automation(key, [action('say', 'log', { message })], more));
  return key;
}

async function run(key: string, trigger: object): Promise<ListedRun> {
  return endOfRun(tenant.api, key, await startRun(tenant.api, key, trigger));
}

/** Returns the JSON text of a value nested in this many arrays, or objects. */
const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;

function postRaw({ api }: Pick<TestTenant, 'api'>, path: string, rawBody: string) {
  return api.send('POST', path, { rawBody, headers: { 'content-type': 'application/json' } });
}

for (const [index, path] of [
  'trigger.__proto__.constructor.name',
  'trigger.constructor.name',
  'constructor.constructor',
  '__proto__',
  'trigger.body.toString',
  'trigger.items.length',
  'trigger.items.constructor',
  'actions.__proto__.say',
  'actions.constructor',
  'trigger.text.length',
].entries()) {
  test(`{{${path}}} is empty: only JSON members are read`, async () => {
    const key = await logging(`proto_${index}`, `<{{${path}}}>`);
    const { status, actions } = await run(key, { items: [1, 2], text: 'text', body: {} });
    assert.deepEqual([status, actions[0]?.result], ['succeeded', { message: '<>' }]);
  });
}

test('own members are readable under any name', async () => {
  const key = await logging('own', '{{trigger.__proto__.name}} {{trigger.constructor}}');
  const body = '{"trigger": {"__proto__": {"name": "own"}, "constructor": "member"}}';
  const started = await postRaw(tenant, `/api/automations/${key}/run`, body);
  // A body that names a prototype may be rejected; it never becomes one.
  assert.ok([202, 400].includes(started.status), started.text);
  if (started.status === 400) return;
  const { actions } = await endOfRun(tenant.api, key, started.body.run_id);
  assert.deepEqual(actions[0]?.result, { message: 'own member' });
});

for (const [what, text] of [
  ['code', '{{process.exit(1)}}'],
  ['a call', '{{trigger.entity.name()}}'],
  ['code in brackets', '{{trigger[process.exit(1)]}}'],
  ['a call behind brackets', '{{trigger["constructor"]("x")}}'],
  ['nothing', '{{}}'],
  ['what is not closed', 'Hello {{trigger.entity'],
  ['a path of ten thousand parts', `{{${Array.from({ length: DEEP }, () => 'a').join('.')}}}`],
]) {
  test(`a definition with ${what} for an expression is rejected with its path`, async () => {
    const body = automation('refused', [action('say', 'log', { message: text })]);
    const { body: answer } = await tenant.api.post('/api/automations', body, 400);
    assert.equal(answer.code, 'INVALID_AUTOMATION');
    assert.equal(answer.issues[0].field, 'actions[0].params.message');
  });
}

test('definitions nested ten thousand levels deep are rejected', async () => {
  const rule = '{"rules":[';
  const deep = {
    params: JSON.stringify(automation('deep', [action('say', 'log', { message: 'MARK' })])),
    rules: JSON.stringify(
      automation('deep', [], { conditionalActions: [{ condition: 'MARK', actions: [] }] }),
    ),
  };
  for (const body of [
    deep.params.replace('"MARK"', nested(DEEP, '[', ']')),
    deep.params.replace('"MARK"', nested(DEEP, '{"a":', '}')),
    deep.rules.replace('"MARK"', nested(DEEP, rule, '],"combinator":"and"}')),
  ]) {
    const { status, text } = await postRaw(tenant, '/api/automations', body);
    assert.equal(status, 400, text.slice(0, 500));
  }
});

test('a value nested ten thousand levels deep fails only the action that uses it', async () => {
  const key = 'deep_value';
  const actions = [
    action('before', 'log', { message: 'Here' }),
    action('say', 'log', { message: '{{trigger.deep}}' }),
  ];
  await tenant.api.post('/api/automations', automation(key, actions));
  for (const value of [nested(DEEP, '[', ']'), nested(DEEP, '{"a":', '}')]) {
    const started = await postRaw(tenant, `/api/automations/${key}/run`, `{"trigger":{"deep":${value}}}`);
    assert.ok([202, 400].includes(started.status), started.text.slice(0, 500));
    if (started.status === 400) continue;
    const { status, error } = await endOfRun(tenant.api, key, started.body.run_id);
    assert.equal(status, 'failed');
    assert.match(error ?? '', /nested deeper than 64 levels/);
  }
  assert.equal((await run(key, { deep: 'shallow' })).status, 'succeeded');
});

test('an expression with a huge result fails its run with a reason, immediately and in bounded memory', async () => {
  const key = await logging('huge', '{{trigger.text}}'.repeat(1000));
  const text = 'x'.repeat(900_000);
  await run(key, { text });
  const before = process.memoryUsage().rss;
  for (let n = 0; n < 8; n += 1) {
    const { status, error, actions } = await run(key, { text });
    assert.equal(status, 'failed');
    assert.match(error ?? '', /produce more than 1000000 characters/);
    assert.equal(actions.length, 1);
  }
  const growth = process.memoryUsage().rss - before;
  assert.ok(growth < MAX_GROWTH_BYTES, `memory grew by ${Math.round(growth / MB)} MB`);
});

test('a backtracking pattern is matched in linear time', async () => {
  const rules = [{ field: '{{trigger.text}}', operator: 'matches', value: '^(a+)+$' }];
  const conditionalActions = [
    { condition: { combinator: 'and', rules }, actions: [action('say', 'log', { message: 'It matched' })] },
  ];
  await tenant.api.post('/api/automations', automation('pattern', [], { conditionalActions }));
  const { status, actions } = await run('pattern', { text: `${'a'.repeat(50_000)}!` });
  assert.deepEqual([status, actions.map((each) => each.status)], ['succeeded', ['skipped']]);
});

test('hostile triggers have the same result in a dry run as in a run', async () => {
  const dry = (key: string, rawBody: string) => postRaw(tenant, `/api/automations/${key}/test`, rawBody);
  const huge = await dry('huge', JSON.stringify({ trigger: { text: 'x'.repeat(900_000) } }));
  assert.deepEqual([huge.status, huge.body.status], [200, 'failed']);
  const deep = await dry('deep_value', `{"trigger":{"deep":${nested(DEEP, '[', ']')}}}`);
  assert.ok(deep.status === 400 || deep.body.status === 'failed', deep.text.slice(0, 500));
});
