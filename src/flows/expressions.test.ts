import assert from 'node:assert/strict';
import test from 'node:test';
import { compilePath, compileTemplate, FlowError, type Json, MAX_OUTPUT_CHARS } from './expressions.ts';

const values = {
  trigger: {
    entity: {
      id: 'a1',
      total: 9.5,
      paid: false,
      none: null,
      customer: { name: 'Ann', 'first-name': 'A', größe: 3 },
      items: [{ name: 'pen' }, { name: 'ink' }],
    },
  },
  actions: { first: { status: 200 } },
};

function resolve(value: unknown, from: Readonly<Record<string, unknown>> = values): Json {
  return compileTemplate(value).resolve(from);
}

test('a text that is one expression keeps the type of the value', () => {
  const { entity } = values.trigger;
  assert.equal(resolve('{{trigger.entity.total}}'), 9.5);
  assert.equal(resolve('{{ trigger.entity.paid }}'), false);
  assert.equal(resolve('{{\ttrigger.entity.none\n}}'), null);
  assert.deepEqual(resolve('{{trigger.entity.items}}'), entity.items);
  assert.deepEqual(resolve('{{trigger.entity.customer}}'), entity.customer);
  assert.equal(resolve('{{actions.first.status}}'), 200);
});

test('inside a text a value is text, nothing is empty, and what is neither is JSON', () => {
  assert.equal(resolve('No. {{trigger.entity.id}}: {{trigger.entity.total}}'), 'No. a1: 9.5');
  assert.equal(resolve('<{{trigger.entity.none}}{{trigger.absent.deep}}>'), '<>');
  assert.equal(
    resolve('{{trigger.entity.paid}} {{trigger.entity.items}}'),
    'false [{"name":"pen"},{"name":"ink"}]',
  );
  assert.equal(resolve(' {{trigger.entity.total}}'), ' 9.5');
  assert.equal(resolve('{{trigger.entity.id}}{{trigger.entity.id}}'), 'a1a1');
});

test('paths index lists, and take names of any letters', () => {
  assert.equal(resolve('{{trigger.entity.items.1.name}}'), 'ink');
  assert.equal(resolve('{{trigger.entity.items.2.name}}'), null);
  assert.equal(resolve('{{trigger.entity.customer.first-name}}'), 'A');
  assert.equal(resolve('{{trigger.entity.customer.größe}}'), 3);
});

test('a template of another kind keeps its own braces', () => {
  const value = {
    html: '{{#if vip}}<b>{{name}}</b>{{/if}} {{{raw}}} {{ trigger.entity.id }}{{actions.first.status}} {{triggered}}',
    other: '{{name}}',
  };
  assert.deepEqual(compileTemplate(value, ['html']).resolve(values), {
    html: '{{#if vip}}<b>{{name}}</b>{{/if}} {{{raw}}} a1200 {{triggered}}',
    other: null,
  });
  assert.throws(() => compileTemplate({ html: '{{trigger.a b}}' }, ['html']), { field: 'html' });
});

test('values are resolved wherever they stand, and names stay as they are', () => {
  const made = resolve({
    '{{x}}': ['{{trigger.entity.total}}', { a: 'is {{trigger.entity.id}}' }],
    n: 5,
    t: true,
    z: null,
  });
  assert.deepEqual(made, { '{{x}}': [9.5, { a: 'is a1' }], n: 5, t: true, z: null });
  assert.equal(compileTemplate({ a: ['x', 1] }).isFixed, true);
  assert.equal(compileTemplate({ a: ['{{trigger.x}}'] }).isFixed, false);
  assert.equal(resolve(''), '');
});

test('only own members of the data are read, and nothing of what made them', () => {
  const hostile = {
    ...values,
    trigger: { entity: JSON.parse('{"__proto__": {"own": 1}, "constructor": 2}') },
  };
  for (const path of [
    'constructor',
    'constructor.constructor',
    '__proto__',
    '__proto__.polluted',
    'trigger.constructor',
    'trigger.__proto__',
    'trigger.entity.id.length',
    'trigger.entity.id.constructor.name',
    'trigger.entity.items.length',
    'trigger.entity.items.map',
    'trigger.entity.items.constructor',
    'trigger.entity.total.toFixed',
    'toString',
    'hasOwnProperty',
  ])
    assert.equal(resolve(`{{${path}}}`), null, path);
  assert.equal(resolve('{{trigger.entity.__proto__.own}}', hostile), 1);
  assert.equal(resolve('{{trigger.entity.constructor}}', hostile), 2);
  // A result is data as well: it changes no prototype.
  const made = resolve(JSON.parse('{"__proto__": {"polluted": "{{trigger.entity.id}}"}}'));
  assert.equal(Object.getPrototypeOf(made), Object.prototype);
  assert.deepEqual(Object.getOwnPropertyNames(made), ['__proto__']);
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});

test('functions among the values read as nothing and are never called', () => {
  const live = { trigger: { call: () => assert.fail('called'), symbol: Symbol('s'), absent: undefined } };
  for (const name of ['call', 'symbol', 'absent']) assert.equal(resolve(`{{trigger.${name}}}`, live), null);
});

test('what is no path is refused with its place, and is never run', () => {
  for (const text of [
    '{{}}',
    '{{ }}',
    '{{a b}}',
    '{{a..b}}',
    '{{.a}}',
    '{{a.}}',
    '{{a[0]}}',
    '{{a()}}',
    '{{1+1}}',
    '{{process.exit(1)}}',
    '{{a|b}}',
    "{{a['b']}}",
    '{{a',
    'text {{ and no end',
    '{{#if a}}',
    `{{${'a.'.repeat(64)}a}}`,
    `{{${'a'.repeat(501)}}}`,
  ])
    assert.throws(
      () => compileTemplate({ list: [0, { text }] }),
      (error) => error instanceof FlowError && error.field === 'list[1].text',
      text,
    );
  assert.throws(() => compilePath('a b'), FlowError);
  // Ends without a beginning are text.
  assert.equal(resolve('a }} b { c }'), 'a }} b { c }');
  assert.equal(resolve('{"total":{{{trigger.entity.total}}}}'), '{"total":{9.5}}');
});

/** A list in a list in a list. */
function nested(depth: number): unknown {
  let value: unknown = 'end';
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

test('definitions and values of 10,000 levels are refused, not walked until the stack ends', () => {
  assert.throws(() => compileTemplate(nested(10_000)), /nested deeper than 64 levels/);
  assert.throws(
    () => resolve('{{trigger.deep}}', { trigger: { deep: nested(10_000) } }),
    /nested deeper than 64 levels/,
  );
  assert.deepEqual(resolve('{{trigger.deep}}', { trigger: { deep: nested(64) } }), nested(64));
  assert.equal(resolve(`{{${Array.from({ length: 64 }, () => '0').join('.')}}}`, { 0: nested(63) }), 'end');
});

test('what expressions make together is bounded, however often a value is named', () => {
  const large = {
    trigger: { text: 'x'.repeat(MAX_OUTPUT_CHARS - 10), list: Array.from({ length: 100_000 }, () => 1) },
  };
  assert.equal(String(resolve('{{trigger.text}}', large)).length, MAX_OUTPUT_CHARS - 10);
  assert.throws(() => resolve('{{trigger.text}}{{trigger.text}}', large), /more than 1000000 characters/);
  assert.throws(() => resolve(['{{trigger.text}}', { a: '{{trigger.text}}' }], large), /more than 1000000/);
  const often = Array.from({ length: 1000 }, () => '{{trigger.list}}');
  assert.throws(() => resolve(often, large), /more than 1000000/);
});

test('a template resolves again and again, with other values, to what these are', () => {
  const template = compileTemplate({ id: '{{trigger.id}}', text: 'no. {{trigger.id}}' });
  for (let id = 0; id < 200; id += 1)
    assert.deepEqual(template.resolve({ trigger: { id } }), { id, text: `no. ${id}` });
});

test('any JSON without braces resolves to itself', () => {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const anyJson = (depth: number): Json => {
    const kind = next(depth > 4 ? 4 : 6);
    if (kind === 0) return null;
    if (kind === 1) return next(2) === 0;
    if (kind === 2) return next(1000) / 8 - 50;
    if (kind === 3) return String.fromCodePoint(...Array.from({ length: next(6) }, () => 0x20 + next(0x5a)));
    const members = Array.from({ length: next(4) }, () => anyJson(depth + 1));
    return kind === 4 ? members : Object.fromEntries(members.map((member, index) => [`k${index}`, member]));
  };
  for (let round = 0; round < 500; round += 1) {
    const value = anyJson(0);
    assert.deepEqual(resolve(value), value);
    assert.deepEqual(resolve('{{v}}', { v: value }), value);
  }
});
