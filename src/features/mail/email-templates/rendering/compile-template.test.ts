import assert from 'node:assert/strict';
import test from 'node:test';
import Handlebars from 'handlebars';
import { checkTemplate, compileTemplate } from './compile-template.ts';
import type { RenderResult, RenderSource, TemplateError } from './contract.ts';
import { findSnippetNames, renderSource } from './render-source.ts';
import { toTemplateError } from './template-fault.ts';
import { joinParts } from './text-parts.ts';

type Json = Record<string, unknown>;

function sourceOf(more: Partial<RenderSource>): RenderSource {
  return renderSource({ subject: '', html: '', text: null, generateText: false, snippets: {}, ...more });
}

function render(more: Partial<RenderSource>, data: unknown = {}, maxMs = 1000): RenderResult {
  try {
    const message = compileTemplate(sourceOf(more), true, () => {}).render(data, maxMs);
    return message.ok ? { ...message, html: joinParts(message.html) } : message;
  } catch (thrown) {
    return { ok: false, error: toTemplateError(thrown, 'html') };
  }
}

function rendered(more: Partial<RenderSource>, data: unknown = {}) {
  const result = render(more, data);
  assert.ok(result.ok, JSON.stringify(result));
  return result;
}

function htmlOf(html: string, data: unknown = {}, snippets: Record<string, string> = {}): string {
  return rendered({ html, snippets }, data).html;
}

function errorOf(more: Partial<RenderSource>, data: unknown = {}): TemplateError {
  const result = render(more, data);
  assert.ok(!result.ok, JSON.stringify(result));
  return result.error;
}

const DATA: Json = {
  name: 'Ada <b>&"\'',
  n: 0,
  yes: true,
  no: false,
  nothing: null,
  empty: [],
  list: ['a', 'b', 'c'],
  people: [
    { name: 'X', tags: ['p', 'q'] },
    { name: 'Y', tags: [] },
  ],
  map: { one: 1, two: 2 },
  deep: { er: { value: 'v' } },
};

for (const template of [
  'Hello {{name}}!',
  '{{{name}}} {{&name}}',
  '{{#if yes}}a{{else}}b{{/if}} {{#if n}}a{{else}}b{{/if}} {{#if n includeZero=true}}a{{/if}}',
  '{{#if missing}}a{{else}}b{{/if}}{{#if deep.er.none}}x{{/if}}{{#unless missing}}c{{/unless}}',
  '{{#if no}}a{{else if nothing}}b{{else if yes}}c{{else}}d{{/if}}',
  '{{#each list}}{{@index}}{{this}}{{#unless @last}}, {{/unless}}{{/each}}',
  '{{#each list}}{{#if @first}}first {{/if}}{{.}}{{/each}}',
  '{{#each empty}}x{{else}}none{{/each}}',
  '{{#each map}}{{@key}}={{this}};{{/each}}',
  '{{#each people}}{{name}}:{{#each tags}}{{../name}}{{this}}{{@../index}}{{else}}-{{/each}} {{/each}}',
  '{{#each people as |person i|}}{{i}}{{person.name}}{{#each person.tags as |tag|}}{{tag}}{{person.name}}{{/each}}{{/each}}',
  '{{#with deep}}{{er.value}}{{#with er}}{{value}}{{../../n}}{{@root.n}}{{/with}}{{/with}}',
  '{{#with deep as |d|}}{{d.er.value}}{{/with}}{{#with empty}}x{{else}}y{{/with}}',
  '{{#people}}{{name}};{{/people}}{{^empty}}none{{/empty}}{{#yes}}{{name}}{{/yes}}{{#deep}}{{er.value}}{{/deep}}',
  '{{#people}}{{name}}{{../n}}{{/people}}{{#yes}}{{^empty}}{{name}}{{/empty}}{{/yes}}',
  '{{#each people as |person|}}{{^../empty}}{{person.name}}{{../n}}{{/../empty}}{{^tags}}{{else}}{{this}}{{person.name}}{{/tags}}{{/each}}',
  '{{#no}}a{{else}}b{{/no}}{{^no}}c{{/no}}{{#nothing}}x{{/nothing}}',
  '{{lookup map "one"}} {{#each list}}{{lookup ../map "two"}}{{/each}}{{list.[1]}} {{list.length}}',
  '  {{#if yes}}  \n  line\n  {{/if}}\nnext {{~ name ~}} x',
  '{{! comment }}a{{!-- b }} --}}c\n{{! alone }}\nd \\{{name}} {{nothing}}{{n}}{{no}}',
  '{{#each people}}\n  {{#if tags}}\n    {{name}}\n  {{/if}}\n{{/each}}\nend',
]) {
  test(`renders like Handlebars: ${JSON.stringify(template)}`, () => {
    assert.equal(htmlOf(template, DATA), Handlebars.compile(template)(DATA));
  });
}

test('an undefined variable is an error that names variable, line and column', () => {
  assert.deepEqual(errorOf({ html: '<p>\n  {{ user.nick }}</p>' }, { user: {} }), {
    kind: 'render',
    message: 'The variable "user.nick" is not defined (line 2, column 6).',
    part: 'html',
    variable: 'user.nick',
    line: 2,
    column: 6,
  });
});

test('the error for an undefined variable suggests the variable one level down', () => {
  const { message } = errorOf({ html: '{{first_name}}' }, { journey: {}, subscriber: { first_name: 'Ada' } });
  assert.equal(
    message,
    'The variable "first_name" is not defined; did you mean "subscriber.first_name"? (line 1, column 3).',
  );
});

for (const [template, variable] of [
  ['{{a}}', 'a'],
  ['{{{a}}}', 'a'],
  ['{{uppercase a}}', 'a'],
  ['{{#each a}}{{/each}}', 'a'],
  ['{{#with a}}{{/with}}', 'a'],
  ['{{#a}}{{/a}}', 'a'],
  ['{{^a}}{{/a}}', 'a'],
  ['{{#if (uppercase a)}}{{/if}}', 'a'],
  ['{{#each list}}{{a}}{{/each}}', 'a'],
  ['{{../a}}', '../a'],
  ['{{@index}}', '@index'],
] as const) {
  test(`${template} without data is an error`, () => {
    assert.equal(errorOf({ html: template }, { list: [{}] }).variable, variable);
  });
}

for (const path of [
  'constructor',
  '__proto__',
  'toString',
  'list.constructor',
  'list.push',
  'list.__proto__.length',
  'name.length',
  'constructor.constructor',
  'hasOwnProperty',
  '@root.constructor',
  '@constructor',
]) {
  test(`${path} does not reach a prototype`, () => {
    assert.equal(errorOf({ html: `{{${path}}}` }, { list: [1], name: 'x' }).variable, path);
    assert.equal(htmlOf(`{{#if ${path}}}reached{{/if}}`, { list: [1], name: 'x' }), '');
    assert.equal(errorOf({ html: `{{lookup list "constructor"}}` }, { list: [1] }).kind, 'render');
  });
}

test('data that looks like functions or prototypes is only data', () => {
  const data = JSON.parse(
    '{"__proto__": {"x": "own"}, "toString": "mine", "o": {"toString": 1, "toJSON": 2}}',
  );
  assert.equal(htmlOf('{{__proto__.x}} {{toString}} {{{o}}}', data), 'own mine {"toString":1,"toJSON":2}');
});

for (const template of [
  '{{#if x}}',
  '{{/if}}',
  '{{#if x}}{{/each}}',
  '{{name',
  '{{}}',
  '{{> partial}}',
  '{{#> layout}}{{/layout}}',
  '{{* decorator}}',
  '{{unknown x}}',
  '{{log x}}',
  '{{#unknown x}}{{/unknown}}',
  '{{#if}}{{/if}}',
  '{{#if a b}}{{/if}}',
  '{{#if a evil=true}}{{/if}}',
  '{{uppercase}} {{uppercase a b}}',
  '{{formatDate a}}',
  '{{formatDate a b c d}}',
  '{{formatDate a b language="de"}}',
  '{{formatDate a b "de" locale="de"}}',
  '{{uppercase a locale="de"}}',
  '{{#each (constructor "return process")}}{{/each}}',
  '{{snippet "a" b}}',
  '{{snippet a b=1}}',
  '{{snippet (a)}}',
  '{{"text"}}',
]) {
  test(`${template} is rejected when it is compiled`, () => {
    assert.throws(
      () => checkTemplate(sourceOf({ html: template })),
      (thrown) => toTemplateError(thrown, 'html').kind === 'syntax',
    );
  });
}

test('a syntax error names the line', () => {
  const { message, line, part } = errorOf({ subject: 'x\n{{#if a}}b' });
  assert.deepEqual([line, part], [2, 'subject']);
  assert.match(message, /not closed \(line 2/);
});

test('values are escaped in HTML, but not in subject and text', () => {
  const { subject, html, text } = rendered(
    { subject: '{{v}}', html: '<p title="{{v}}">{{v}}</p>', text: '{{v}}' },
    { v: `<"'&>` },
  );
  assert.equal(subject, `<"'&>`);
  assert.equal(text, `<"'&>`);
  assert.equal(html, '<p title="&lt;&quot;&#x27;&amp;&gt;">&lt;&quot;&#x27;&amp;&gt;</p>');
});

test('a subject is one line, whatever its data', () => {
  assert.equal(rendered({ subject: 'A {{v}}' }, { v: 'b\r\nBcc: x' }).subject, 'A b Bcc: x');
});

for (const [template, expected] of [
  [
    '<a href="https://x.test/?q={{v}}&r={{v}}">',
    '<a href="https://x.test/?q=a%20%26%22%27b&r=a%20%26%22%27b">',
  ],
  ["<img src='{{base}}?q={{v}}'>", "<img src='https://x.test/?q=a%20%26%22%27b'>"],
  ['<a HREF = "/p/{{v}}">', '<a HREF = "/p/a &amp;&quot;&#x27;b">'],
  ['<a href="{{base}}">?{{v}}', '<a href="https://x.test/">?a &amp;&quot;&#x27;b'],
  ['<a title="?{{v}}">', '<a title="?a &amp;&quot;&#x27;b">'],
  ['<a href="?{{{v}}}">', `<a href="?a &"'b">`],
  ['<a title={{v}}>', '<a title=a&#x20;&amp;&quot;&#x27;b>'],
  ['<a href=?q={{v}}>', '<a href=?q=a%20%26%22%27b>'],
  ['<a href="{{#if v}}?q={{v}}{{else}}{{v}}{{/if}}">', '<a href="?q=a%20%26%22%27b">'],
  ['<img alt="a"{{#if v}}src="?{{v}}"{{/if}}>', '<img alt="a"src="?a%20%26%22%27b">'],
  ['<![endif]{{#if v}}>{{v}}{{/if}}', '<![endif]>a &amp;&quot;&#x27;b'],
  ['<!-- <a href="? --><b>{{v}}</b>', '<!-- <a href="? --><b>a &amp;&quot;&#x27;b</b>'],
  ['1 < 2 <b>{{v}}</b>', '1 < 2 <b>a &amp;&quot;&#x27;b</b>'],
] as const) {
  test(`values are encoded according to their context: ${template}`, () => {
    assert.equal(htmlOf(template, { v: `a &"'b`, base: 'https://x.test/' }), expected);
  });
}

test('formatDate writes the tokens in UTC', () => {
  const format = (value: unknown, pattern: string) => htmlOf(`{{{formatDate v "${pattern}"}}}`, { v: value });
  assert.equal(format('2026-03-09T07:05:02Z', 'DD MMM YYYY HH:mm:ss MM'), '09 Mar 2026 07:05:02 03');
  assert.equal(format('2026-03-09T01:00:00+02:00', 'YYYY-MM-DD'), '2026-03-08');
  assert.equal(format('2026-03-09T23:30:00', 'DD HH'), '09 23');
  assert.equal(format('2026-03-09', 'DD.MM.YYYY HH'), '09.03.2026 00');
  assert.equal(format(0, 'YYYY'), '1970');
});

test('formatDate supports the usual tokens, and literal text in brackets', () => {
  const at = '2026-03-02T15:04:09Z';
  const format = (pattern: string, v: unknown = at) => htmlOf(`{{{formatDate v "${pattern}"}}}`, { v });
  for (const [pattern, expected] of [
    ['YY M D H h', '26 3 2 15 3'],
    ['hh:mm A / HH:mm a', '03:04 PM / 15:04 pm'],
    ['dddd, ddd', 'Monday, Mon'],
    ['MMMM Do, YYYY', 'March 2nd, 2026'],
    ['D [de] MMM [YYYY]', '2 de Mar YYYY'],
    ['YYYY-MM-DDTHH:mm:ssZ', '2026-03-02T15:04:09+00:00'],
    ['DD/MM/YYYY', '02/03/2026'],
  ] as const)
    assert.equal(format(pattern), expected, pattern);
  assert.equal(format('h A', '2026-03-02T00:10:00Z'), '12 AM');
  assert.equal(format('Do', '2026-03-11'), '11th');
  assert.equal(format('Do', '2026-03-23'), '23rd');
});

test('formatDate writes names of months and days in a language', () => {
  const data = { v: '2026-03-09', lang: 'pt-BR' };
  assert.equal(htmlOf('{{formatDate v "dddd, D MMMM" locale="de"}}', data), 'Montag, 9 März');
  assert.equal(htmlOf('{{formatDate v "D [de] MMMM" locale=lang}}', data), '9 de março');
  assert.equal(htmlOf('{{formatDate v "MMMM" "fr"}}', data), 'mars');
  assert.equal(
    htmlOf('{{formatDate v "D MMMM" locale="pl"}} {{formatDate v "MMMM" locale="pl"}}', data),
    '9 marca marzec',
  );
});

test('formatDate rejects unknown letters and languages, with their position', () => {
  for (const call of [
    '"DD de MMM"',
    '"QQ"',
    '"s"',
    '"MMM" locale="nowhere"',
    '"MMM" locale="x_y"',
    '"MMM" locale=5',
  ]) {
    const error = errorOf({ html: `x {{formatDate v ${call}}}` }, { v: 0 });
    assert.deepEqual([error.kind, error.line, error.column], ['render', 1, 3], call);
  }
});

test('formatDate reports an invalid time with its position', () => {
  for (const v of ['soon', '', null, true, {}, '2026-13-01', '01/02/2026', 1e300]) {
    const error = errorOf({ html: 'x {{formatDate v "YYYY"}}' }, { v });
    assert.deepEqual([error.kind, error.line, error.column], ['render', 1, 3]);
  }
});

test('uppercase escapes after changing the text', () => {
  assert.equal(htmlOf('{{uppercase v}}', { v: 'straße & co' }), 'STRASSE &amp; CO');
});

test('snippets are included with their variables, up to depth 5', () => {
  const snippets = {
    a: '[{{x}}{{{snippet "b-1"}}}]',
    'b-1': '({{#each l}}{{this}}{{{snippet c}}}{{/each}})',
    c: 'c',
  };
  assert.equal(htmlOf('{{{snippet a}}}!', { x: '<', l: [1, 2] }, snippets), '[&lt;(1c2c)]!');
  const chain = Object.fromEntries(
    [1, 2, 3, 4, 5].map((level) => [`s${level}`, `{{{snippet s${level + 1}}}}`]),
  );
  assert.equal(htmlOf('{{{snippet s1}}}', {}, { ...chain, s5: 'deep' }), 'deep');
  assert.match(
    errorOf({ html: '{{{snippet s1}}}', snippets: { ...chain, s6: 'x' } }).message,
    /deeper than 5/,
  );
});

test('a cycle of snippets is an error that shows it', () => {
  const snippets = { a: '{{{snippet b}}}', b: 'x\n {{{snippet a}}}' };
  const error = errorOf({ html: '{{{snippet a}}}', snippets });
  assert.match(error.message, /a → b → a/);
  assert.deepEqual([error.kind, error.snippet, error.line, error.column], ['render', 'b', 2, 2]);
});

test('a snippet name of several words needs no quotes', () => {
  const snippets = { 'order footer 2024': '1', true: '2' };
  assert.equal(htmlOf('{{{snippet order footer 2024}}}{{{snippet  true}}}', {}, snippets), '12');
});

test('a name of any length gives a readable error', () => {
  const name = '😀'.repeat(1000);
  const { message, variable = '' } = errorOf({ html: `{{${name}}}` });
  assert.ok(message.length < 400 && variable.length < 400);
  assert.ok(message.isWellFormed() && variable.isWellFormed());
});

test('an unknown snippet is a rendering error, not a syntax error', () => {
  const source = { html: '<p>{{{snippet gone}}}</p>' };
  checkTemplate(sourceOf(source));
  assert.deepEqual([errorOf(source).kind, errorOf(source).column], ['render', 4]);
  assert.equal(errorOf({ html: '{{{snippet constructor}}}' }).kind, 'render');
});

test('an error inside a snippet names the snippet and the position in it', () => {
  const error = errorOf({ html: '\n\n{{{snippet s}}}', snippets: { s: 'ab {{missing}}' } });
  assert.deepEqual([error.snippet, error.line, error.column, error.variable], ['s', 1, 6, 'missing']);
});

test('style sheets are inlined around values and blocks', () => {
  const html =
    '<html><head><style>.a{color:{{brand}};} p{margin:0} @media print{p{margin:1px}}</style></head><body>' +
    '<table>{{#each rows}}<tr><td class="a" {{#if @first}}id="f"{{/if}}>{{this}}</td></tr>{{/each}}</table>' +
    '<p class="{{#if x}}a{{/if}}">{{x}}</p></body></html>';
  const out = htmlOf(html, { brand: 'red', rows: ['1', '2'], x: '<' });
  assert.match(
    out,
    /<tr><td class="a" id="f" style="color: red;">1<\/td><\/tr><tr><td class="a" {1,2}style="color: red;">2/,
  );
  assert.match(out, /<p class="a" style="margin: 0;">&lt;<\/p>/);
  assert.match(out, /@media print/);
});

test('HTML that inlining would change beyond its styles keeps its style sheet', () => {
  const html = '<style>p{margin:0}</style><p style="{{#if x}}color:red{{/if}}">{{x}}</p>';
  const out = htmlOf(html, { x: 1 });
  assert.match(out, /color: ?red/);
  assert.match(out, /margin: ?0/);
});

test('without a style sheet the HTML stays byte for byte', () => {
  const html = '<TABLE><tr><td Class=x>é&nbsp;<br/></td></TABLE>';
  assert.equal(htmlOf(html), html);
});

test('plain text is derived from the HTML, with its values and loops', () => {
  const html =
    '<style>p{color:red}</style><h1>Hi {{name}}</h1><table>{{#each rows}}<tr><td>{{this}}</td></tr>{{/each}}</table>' +
    '<p>See <a href="https://x.test/?q={{name}}">our page</a> &amp; {{{rich}}}</p><img src="x" alt="y">';
  const { text } = rendered(
    { html, text: 'ignored', generateText: true },
    { name: "O'Neil <x>", rows: ['one', 'two'], rich: '<b>bold</b>' },
  );
  assert.equal(
    text,
    "Hi O'Neil <x>\n\none\ntwo\n\nSee our page [https://x.test/?q=O%27Neil%20%3Cx%3E] & bold",
  );
});

test('a message without a text part gets none unless it is generated', () => {
  assert.equal(rendered({ html: 'x' }).text, null);
});

test('output over 10 MiB is an error', () => {
  const rows = Array.from({ length: 1000 }, () => 'x'.repeat(1000));
  const error = errorOf({ html: '{{#each rows}}{{#each ../rows}}{{this}}{{/each}}{{/each}}' }, { rows });
  assert.match(error.message, /larger than 10 MiB/);
  assert.match(errorOf({ html: '{{v}}{{v}}{{v}}' }, { v: 'é'.repeat(2_000_000) }).message, /10 MiB/);
  assert.ok(render({ html: '{{v}}' }, { v: 'é'.repeat(5_000_000) }).ok);
});

test('a loop without output still ends in time', () => {
  const rows = Array.from({ length: 3000 }, (_, index) => index);
  const html = '{{#each rows}}{{#each ../rows}}{{#each ../../rows}}{{/each}}{{/each}}{{/each}}';
  const result = render({ html }, { rows }, 50);
  assert.ok(!result.ok);
  assert.match(result.error.message, /longer than 50 ms/);
});

test('snippets that multiply are rejected before they exhaust the memory', () => {
  const bomb = Object.fromEntries(
    [1, 2, 3, 4].map((level) => [`s${level}`, `{{{snippet s${level + 1}}}}`.repeat(100)]),
  );
  const error = errorOf({ html: '{{{snippet s1}}}', snippets: { ...bomb, s5: 'x'.repeat(1000) } });
  assert.match(error.message, /too large/);
});

test('excessively nested blocks are an error', () => {
  for (const depth of [101, 1000]) {
    const html = '{{#if a}}'.repeat(depth) + '{{/if}}'.repeat(depth);
    assert.match(errorOf({ html }).message, /deep/);
  }
});

test('snippets are found and included in every valid spelling', () => {
  const snippets = { 'x y': 'found' };
  for (const html of [
    '{{{snippet "x y"}}}',
    "{{{ snippet 'x y' }}}",
    '{{{snippet [x y]}}}',
    '{{{snippet x  y}}}',
    '{{~{snippet x y}~}}',
    '{{~{ snippet "x y" }}}',
    '{{&snippet x y}}',
    '{{~& snippet "x y" ~}}',
    '{{~snippet x y~}}',
  ]) {
    assert.equal(htmlOf(html, {}, snippets), 'found', html);
    assert.deepEqual(findSnippetNames(html), ['x y'], html);
  }
  assert.deepEqual(findSnippetNames('{{{snippet a}}}{{{snippet b}}}', null, '{{{snippet a}}} {{snippets}}'), [
    'a',
    'b',
  ]);
  assert.deepEqual(findSnippetNames('{{{snippet order  footer 2024 }}}{{x}}'), ['order footer 2024']);
});

test("a template's source is exactly what is rendered", () => {
  const contents = { ...{ subject: 's', html: 'h', text: null }, generateText: true, snippets: {} };
  const { key, ...source } = renderSource({ ...contents, ...{ attachments: ['large'] } });
  assert.deepEqual(source, contents);
  assert.equal(key, renderSource(contents).key);
});

test('snippet names are found in one pass, also with many unclosed braces', () => {
  for (const opened of ['{{snippet [', '{{snippet "', "{{snippet '", '{{snippet  ', '{{'])
    assert.ok(findSnippetNames(opened.repeat(400_000)).length <= 1, opened);
});

test('style sheets that depend on blocks stay in place', () => {
  const html = '<style>{{#if x}}p{margin:{{x}} }{{/if}}</style><p>{{x}}</p>';
  assert.equal(htmlOf(html, { x: 1 }), '<style>p{margin:1 }</style><p>1</p>');
});
