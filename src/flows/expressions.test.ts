import assert from 'node:assert/strict';
import test from 'node:test';
import { parseWritten } from '../db/written-json.ts';
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

test('inside a text, text stays text, null is empty, and other values are JSON', () => {
  assert.equal(resolve('No. {{trigger.entity.id}}: {{trigger.entity.total}}'), 'No. a1: 9.5');
  assert.equal(resolve('<{{trigger.entity.none}}{{trigger.absent.deep}}>'), '<>');
  assert.equal(
    resolve('{{trigger.entity.paid}} {{trigger.entity.items}}'),
    'false [{"name":"pen"},{"name":"ink"}]',
  );
  assert.equal(resolve(' {{trigger.entity.total}}'), ' 9.5');
  assert.equal(resolve('{{trigger.entity.id}}{{trigger.entity.id}}'), 'a1a1');
});

test('paths can index lists, and contain names of any letters', () => {
  assert.equal(resolve('{{trigger.entity.items.1.name}}'), 'ink');
  assert.equal(resolve('{{trigger.entity.items.2.name}}'), null);
  assert.equal(resolve('{{trigger.entity.customer.first-name}}'), 'A');
  assert.equal(resolve('{{trigger.entity.customer.größe}}'), 3);
});

/** Bodies of form builders, spreadsheets, JSON-LD, CRMs and languages other than English. */
const body = JSON.parse(`{
  "First Name": "Ann", "a.b": 1, "a": {"b": 2, "c d": {"e.f": [10, {"g h": "deep"}]}}, "@type": "Person", "@id": 0,
  "items[0]": "flat", "items": [{"Unit Price": 3.5}, "second"], "What's your name?": "O'Hara", "say \\"hi\\"": "hi",
  "back\\\\slash": "b", "price (€)": "9", "": "empty", "{{x}}": "braces", "}": "brace", "tab\\there": "t", "名 前": "花子", "x:lang": "en",
  "hub.challenge": "c-1", "$ref": "#/x", "0": "zero", " padded ": "p", "urlencode": "u", "12345678901234567890": 1, "n": 12345678901234567890
}`);

test('a key of any characters is written in brackets and quotes', () => {
  const cases: readonly (readonly [path: string, value: Json])[] = [
    ['["First Name"]', 'Ann'],
    ["['First Name']", 'Ann'],
    ['[ "First Name" ]', 'Ann'],
    ["['a.b']", 1],
    ['.a.b', 2],
    ['["a"]["b"]', 2],
    ["['a'].b", 2],
    ["['hub.challenge']", 'c-1'],
    ['.a["c d"]["e.f"][1]["g h"]', 'deep'],
    ['.a["c d"]["e.f"].0', 10],
    ['["@type"]', 'Person'],
    ['["@id"]', 0],
    ['["items[0]"]', 'flat'],
    ['.items[0]["Unit Price"]', 3.5],
    ['.items[ 1 ]', 'second'],
    ['.items.1', 'second'],
    ['["What\'s your name?"]', "O'Hara"],
    ["['What\\'s your name?']", "O'Hara"],
    ['["say \\"hi\\""]', 'hi'],
    ['["back\\\\slash"]', 'b'],
    ['["price (€)"]', '9'],
    ['[""]', 'empty'],
    ['["{{x}}"]', 'braces'],
    ["['}']", 'brace'],
    ['["tab\there"]', 't'],
    ['["名 前"]', '花子'],
    ['["x:lang"]', 'en'],
    ['["$ref"]', '#/x'],
    ['.$ref', '#/x'],
    ['[0]', 'zero'],
    ['[" padded "]', 'p'],
    ['.urlencode', 'u'],
    ['["12345678901234567890"]', 1],
    ['["absent key"].x', null],
    ['["First Name"].length', null],
    ['["__proto__"]', null],
    ['["constructor"]["name"]', null],
  ];
  for (const [path, value] of cases) {
    const from = { trigger: { body } };
    assert.deepEqual(resolve(`{{trigger.body${path}}}`, from), value, path);
    assert.deepEqual(resolve(`{{ trigger["body"]${path} }}`, from), value, path);
    const inText = value === null ? '' : String(value);
    assert.equal(resolve(`<{{trigger.body${path}}}|{{trigger.body${path}}}>`, from), `<${inText}|${inText}>`);
    const own = compileTemplate({ html: `{{name}}{{ trigger.body${path}}}{{#if x}}` }, ['html']);
    assert.deepEqual(own.resolve(from), { html: `{{name}}${inText}{{#if x}}` }, path);
    assert.deepEqual(compilePath(`trigger.body${path}`).read(from), value, path);
  }
  assert.deepEqual(
    resolve('{{ trigger.body["First Name"]}} {{trigger.body[\'a.b\']}}', { trigger: { body } }),
    'Ann 1',
  );
});

test('`urlencode` encodes a value for a URL', () => {
  const cases: readonly (readonly [value: unknown, encoded: Json])[] = [
    ['plain', 'plain'],
    ['a b', 'a%20b'],
    ['a&b=c', 'a%26b%3Dc'],
    ['q?#/', 'q%3F%23%2F'],
    ['50%', '50%25'],
    ['a+b@example.com', 'a%2Bb%40example.com'],
    ['größe 花', 'gr%C3%B6%C3%9Fe%20%E8%8A%B1'],
    ['line\nbreak', 'line%0Abreak'],
    ['../../admin', '..%2F..%2Fadmin'],
    ['http://x/', 'http%3A%2F%2Fx%2F'],
    ['\ud83d', '%EF%BF%BD'],
    ['😀', '%F0%9F%98%80'],
    [7.5, '7.5'],
    [true, 'true'],
    [['a', 1], '%5B%22a%22%2C1%5D'],
    [{ a: 1 }, '%7B%22a%22%3A1%7D'],
    ['', ''],
    [null, null],
    [undefined, null],
  ];
  for (const [value, encoded] of cases) {
    const from = { trigger: { body: { q: value, 'a b': value } } };
    for (const expression of ['urlencode trigger.body.q', ' urlencode  trigger.body["a b"] '])
      assert.deepEqual(resolve(`{{${expression}}}`, from), encoded, String(value));
    assert.equal(
      resolve('https://x.example/?q={{urlencode trigger.body.q}}&r=1', from),
      `https://x.example/?q=${encoded ?? ''}&r=1`,
    );
    const own = compileTemplate({ html: '{{urlencode trigger.body.q}}{{urlencode name}}' }, ['html']);
    assert.deepEqual(own.resolve(from), { html: `${encoded ?? ''}{{urlencode name}}` });
  }
  assert.equal(
    resolve('{{urlencode trigger.body.n}}', {
      trigger: { body: parseWritten('{"n": 12345678901234567890}') },
    }),
    '12345678901234567890',
  );
  assert.throws(
    () => resolve('{{urlencode t}}', { t: ' '.repeat(MAX_OUTPUT_CHARS / 2) }),
    /more than 1000000/,
  );
});

test('texts that only begin like expressions are rejected in linear time', () => {
  for (const part of ['{{', '{{a["', "{{['{{['", '[["x"', '{{a[ ', '{{a["b"]', '{{a["\\'])
    assert.throws(() => compileTemplate(`{{${part.repeat(200_000)}`), FlowError, part);
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

test('values are resolved at every level, and names stay unchanged', () => {
  const result = resolve({
    '{{x}}': ['{{trigger.entity.total}}', { a: 'is {{trigger.entity.id}}' }],
    n: 5,
    t: true,
    z: null,
  });
  assert.deepEqual(result, { '{{x}}': [9.5, { a: 'is a1' }], n: 5, t: true, z: null });
  assert.equal(compileTemplate({ a: ['x', 1] }).isFixed, true);
  assert.equal(compileTemplate({ a: ['{{trigger.x}}'] }).isFixed, false);
  assert.equal(resolve(''), '');
});

test('only own members of the data are read, no prototypes', () => {
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
  const result = resolve(JSON.parse('{"__proto__": {"polluted": "{{trigger.entity.id}}"}}'));
  assert.equal(Object.getPrototypeOf(result), Object.prototype);
  assert.deepEqual(Object.getOwnPropertyNames(result), ['__proto__']);
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});

test('functions among the values read as null and are never called', () => {
  const live = { trigger: { call: () => assert.fail('called'), symbol: Symbol('s'), absent: undefined } };
  for (const name of ['call', 'symbol', 'absent']) assert.equal(resolve(`{{trigger.${name}}}`, live), null);
});

test('an invalid path is refused with its field, and never executed', () => {
  for (const text of [
    '{{}}',
    '{{ }}',
    '{{a b}}',
    '{{a..b}}',
    '{{.a}}',
    '{{a.}}',
    '{{a()}}',
    '{{1+1}}',
    '{{process.exit(1)}}',
    '{{a|b}}',
    '{{a[b]}}',
    '{{a[]}}',
    '{{a[-1]}}',
    '{{a[1.5]}}',
    '{{["a"]}}',
    '{{a["b]}}',
    '{{a["b"}}',
    '{{a["b"]c}}',
    '{{a.["b"]}}',
    '{{a["b"].}}',
    '{{a[\'b"]}}',
    '{{a["b"]["c}}',
    '{{a[`b`]}}',
    '{{urlencode a b}}',
    '{{urlencode urlencode a}}',
    '{{encodeURIComponent a.b}}',
    '{{urlencode(a.b)}}',
    '{{[0]}}',
    `{{a${'[0]'.repeat(64)}}}`,
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
  // Closing braces without opening ones are text.
  assert.equal(resolve('a }} b { c }'), 'a }} b { c }');
  assert.equal(resolve('{"total":{{{trigger.entity.total}}}}'), '{"total":{9.5}}');
});

/** Nests a list this deep. */
function nested(depth: number): unknown {
  let value: unknown = 'end';
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

test('definitions and values of 10,000 levels are refused without a stack overflow', () => {
  assert.throws(() => compileTemplate(nested(10_000)), /nested deeper than 64 levels/);
  assert.throws(
    () => resolve('{{trigger.deep}}', { trigger: { deep: nested(10_000) } }),
    /nested deeper than 64 levels/,
  );
  assert.deepEqual(resolve('{{trigger.deep}}', { trigger: { deep: nested(64) } }), nested(64));
  assert.equal(resolve(`{{${Array.from({ length: 64 }, () => '0').join('.')}}}`, { 0: nested(63) }), 'end');
});

test('the total output of expressions is limited', () => {
  const large = {
    trigger: { text: 'x'.repeat(MAX_OUTPUT_CHARS - 10), list: Array.from({ length: 100_000 }, () => 1) },
  };
  assert.equal(String(resolve('{{trigger.text}}', large)).length, MAX_OUTPUT_CHARS - 10);
  assert.throws(() => resolve('{{trigger.text}}{{trigger.text}}', large), /more than 1000000 characters/);
  assert.throws(() => resolve(['{{trigger.text}}', { a: '{{trigger.text}}' }], large), /more than 1000000/);
  const often = Array.from({ length: 1000 }, () => '{{trigger.list}}');
  assert.throws(() => resolve(often, large), /more than 1000000/);
});

test('a template can be resolved several times with different values', () => {
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
