import assert from 'node:assert/strict';
import test from 'node:test';
import { htmlToText, inlineStyles } from './skeleton.ts';

/** Moves the style sheets of HTML into attributes. */
function inline(css: string, body: string, attributes = ''): string {
  const html = `<html><head><style${attributes}>${css}</style></head><body>${body}</body></html>`;
  return inlineStyles([{ kind: 'text', text: html }])
    .map((piece) => (piece.kind === 'text' ? piece.text : ''))
    .join('');
}

const BODY = '<p class="a" id="i">x</p><p>y</p><a href="#">l</a>';

test('rules that cannot be inlined stay in a style element, word for word', () => {
  const rules = [
    '@import url("https://fonts.example/a.css;b");',
    '@media (max-width:600px){ p{color:red} .a{color:blue} }',
    '@media screen and (prefers-color-scheme: dark){ p{color:white} }',
    '@supports (display:grid){ p{display:grid} }',
    '@font-face{font-family:"A";src:url(a.woff2)}',
    '@keyframes k{from{opacity:0}to{opacity:1}}',
    '@layer base{p{margin:0}}',
    '[data-ogsc] p{color:white}',
    '[data-ogsb] .a{background:black}',
    '#outlook a{padding:0}',
    '.ExternalClass{width:100%}',
    '#MessageViewBody a{color:inherit}',
    'u + .body p{color:navy}',
    'a:hover{color:red}',
    'a:focus-visible{outline:none}',
    'p::before{content:"}"}',
    'p:after{content:"x"}',
    'p::first-line{color:gray}',
    'input:checked + p{display:none}',
    '.a:is(.b,.c){color:red}',
    '@charset "utf-8";',
    '@media (-webkit-min-device-pixel-ratio:0){p{color:red}}',
    '@media screen{@media (min-width:1px){p{color:red}}}',
    '@container (min-width:400px){p{color:red}}',
    '@property --x{syntax:"<length>";inherits:false;initial-value:0}',
    '@scope (.a){p{color:red}}',
    '* [summary=Block]{margin:0}',
    '[class~="x_a"]{color:red}',
    "[class*='gmail']{color:red}",
    '.x_a p{color:red}',
    'div > u ~ div .gmail{display:none}',
    'body[data-outlook-cycle] .a{color:red}',
    'a[x-apple-data-detectors]{color:inherit!important}',
    'a:visited{color:blue}',
    'a:not(:hover){color:red}',
    'p:has(a){color:red}',
    'p:lang(de){quotes:none}',
    'p:nth-child(2 of .a){color:red}',
    'p:hover::before{content:"x"}',
    'p & a{color:red}',
    'svg|p{color:red}',
    'tbody td{padding:0}',
    '.\\31 0{color:red}',
  ];
  for (const rule of rules) {
    const html = inline(rule, BODY);
    assert.ok(html.includes(rule), `${rule}: ${html}`);
    assert.doesNotMatch(html, / style="/, rule);
    assert.doesNotMatch(html, /data-embed/);
  }
});

test('rules that set custom properties stay in addition to the attributes', () => {
  const html = inline(':root{--brand:red} p{--space:1px;color:var(--brand)}', BODY);
  assert.match(html, /:root\{--brand:red\}/);
  assert.match(html, /p\{--space:1px;color:var\(--brand\)\}/);
});

test('rules for elements that only a parser adds stay', () => {
  const [piece] = inlineStyles([
    { kind: 'text', text: '<style>body p{color:red} p{margin:0}</style><p>x</p>' },
  ]);
  assert.match(piece?.kind === 'text' ? piece.text : '', /body p\{color:red\}[\s\S]*<p style="margin: 0;">/);
});

test('each selector of a list is inlined if possible', () => {
  const html = inline('a, a:hover, [data-ogsc] a{color:red}', BODY);
  assert.match(html, /<a href="#" style="color: red;">/);
  assert.match(html, /a:hover,\[data-ogsc\] a\{color:red\}/);
});

test('the specificity of selectors is that of CSS', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['p:first-child{color:red} p{color:blue}', 'red'],
    ['p:first-child{color:red} p.a{color:blue}', 'blue'],
    ['p.a{color:blue} p:first-child{color:red}', 'red'],
    ['p:first-child{color:red} .a{color:blue}', 'red'],
    ['.a{color:blue} p{color:red}', 'blue'],
    ['#i{color:red} p.a:first-child{color:blue}', 'red'],
    ['p:nth-child(1):first-of-type{color:red} p.a{color:blue}', 'red'],
    ['p:not(.b){color:red} p{color:blue}', 'red'],
    ['body p{color:red} p{color:blue}', 'red'],
    ['p[class]{color:red} p:first-child{color:blue}', 'blue'],
    ['p:first-child{color:red} body p.a{color:blue}', 'blue'],
    ['p{color:red !important} p.a{color:blue}', 'red'],
  ];
  for (const [css, color] of cases)
    assert.match(inline(css, BODY), new RegExp(`id="i" style="color: ${color};"`), css);
});

test('style sheets in comments, for other media or with a marker are unchanged', () => {
  const comment = '<!--[if mso]><style>p{mso-x:y}</style><![endif]-->';
  const html = inline('p{color:red}', `${comment}${BODY}`);
  assert.ok(html.includes(comment));
  assert.doesNotMatch(html, /style="[^"]*mso/);
  assert.match(
    inline('p{color:red}', BODY, ' media="print"'),
    /<style media="print">p\{color:red\}<\/style>/,
  );
  assert.match(inline('p{color:red}', BODY, ' media="screen"'), /style="color: red;"/);
  assert.match(inline('p{color:red}', BODY, ' data-embed'), /<style>p\{color:red\}<\/style>/);
});

test('invalid style sheets do no harm', () => {
  for (const css of [
    'p{color:red',
    '}p{color:red}',
    '/* p{',
    '@media{',
    'p{color:"red',
    ',{}',
    '{}',
    '@',
    '<!-- p{color:red} -->',
  ])
    assert.match(inline(css, BODY), /<p[^>]*>x<\/p>/, css);
});

test('plain text contains the text of linked images, separated by a space', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['<a href="https://x.test/"><img src="a.png" alt="Shop"></a>', 'Shop [https://x.test/]'],
    ['<a href="https://x.test/"><img alt="Shop">now</a>', 'Shop now [https://x.test/]'],
    ['<a href="https://x.test/">now<img alt="Shop"></a>', 'now Shop [https://x.test/]'],
    ['See<a href="https://x.test/"><img alt="Shop"></a>', 'See Shop [https://x.test/]'],
    ['<a href="https://x.test/"><span><img alt=" Big  sale "></span></a>', 'Big sale [https://x.test/]'],
    ['<a href="https://x.test/"><img alt="A"><img alt="B"></a>', 'A B [https://x.test/]'],
    ['<a href="https://x.test/"><img alt=""></a>', 'https://x.test/'],
    ['<a href="https://x.test/"><img></a>', 'https://x.test/'],
    ['<p>Text <img alt="decoration"> more</p>', 'Text more'],
    ['<a href="https://x.test/"><img alt="Über &amp; mehr"></a>', 'Über & mehr [https://x.test/]'],
  ];
  for (const [html, text] of cases) assert.equal(htmlToText(html), text, html);
});
