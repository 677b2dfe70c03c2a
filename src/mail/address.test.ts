import assert from 'node:assert/strict';
import test from 'node:test';
import { domainOf, isAddress, normalizeAddress, sendableAddress } from './address.ts';

test('spellings of one address have one normal form', () => {
  for (const text of ['A@X.com', ' a@x.COM\t', '\u00a0a@x.com\u00a0', 'a@x.com\r\n', '\ufeffa@x.com'])
    assert.equal(normalizeAddress(text), 'a@x.com', JSON.stringify(text));
  assert.equal(normalizeAddress('Info@BÜCHER.example'), 'info@xn--bcher-kva.example');
  assert.equal(normalizeAddress('Jose\u0301@x.com'), normalizeAddress('JOS\u00c9@x.com'));
});

test('normalizing is idempotent, and any text can be normalized', () => {
  for (const text of [
    '',
    '@',
    'a@',
    '@b',
    'a@b@C',
    'Ä@Ö.example',
    'a@\u0000',
    'a@..',
    'a@[192.0.2.1]',
    'a@Ä%41.b',
    'a@Ä/b',
  ]) {
    const normal = normalizeAddress(text);
    assert.equal(normalizeAddress(normal), normal, JSON.stringify(text));
  }
});

test('a text of any length is normalized quickly', () => {
  const marks = '\u0301\u0316'.repeat(500_000);
  assert.equal(normalizeAddress(` A${marks}@X.com`), `a${marks}@x.com`);
  assert.equal(isAddress(normalizeAddress(`a${marks}@x.com`)), false);
});

test('a domain longer than any address is not converted, so that a body full of them is read quickly', () => {
  const domain = '\u6c34'.repeat(4000);
  assert.equal(normalizeAddress(`a@${domain}`), `a@${domain}`);
  assert.equal(domainOf(`a@${domain}`), domain);
  assert.equal(isAddress(`a@${domain}`), false);
});

test('deliverable addresses are accepted', () => {
  const good = [
    'a@b.test',
    'first.last+tag@sub.example.com',
    "o'brien&co!#$%*/=?^_`{|}~-@x.com",
    'root@localhost',
    'info@bücher.example',
    'jürgen@xn--bcher-kva.example',
    'квіточка@пошта.укр',
    `${'a'.repeat(64)}@x.com`,
  ];
  for (const text of good) assert.equal(isAddress(text), true, text);
});

test('texts that are no address or could mean several are rejected', () => {
  const bad = [
    '',
    'a',
    '@b.test',
    'a@',
    'a b@x.com',
    'a@x .com',
    ' a@x.com',
    'a@x.com\n',
    'a@x.com\r\nBcc: b@x.com',
    'a@x.com, b@x.com',
    'a@x.com;b@x.com',
    'A <a@x.com>',
    '<a@x.com>',
    'a@b@x.com',
    '"a b"@x.com',
    'a@[192.0.2.1]',
    '.a@x.com',
    'a.@x.com',
    'a..b@x.com',
    'a@-x.com',
    'a@x..com',
    'a@x_y.com',
    'a@ex%41mple.com',
    'a@b\u00fc%41cher.example',
    'a@b\u00fc%2ecom',
    'a@b\u00fccher.example/x',
    'a@b\u00fccher.example?x',
    'a@b\u00fccher.example#x',
    'a@b\u00fccher.example:25',
    'a@b\u00fc\\cher.example',
    'a@b\u00fc_cher.example',
    'a@b\u00fc\uff05cher.example',
    'a\u00a0b@x.com',
    'a\u200bb@x.com',
    'a\u202e@x.com',
    `${'a'.repeat(65)}@x.com`,
    `${'ü'.repeat(33)}@x.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b.'.repeat(130)}com`,
  ];
  for (const text of bad) assert.equal(isAddress(text), false, JSON.stringify(text));
});

test('a domain with invalid characters is not truncated or shortened to another one', () => {
  for (const text of [
    'a@b.com\r\nx',
    'a@b.com\tx',
    'a@bücher.de/x',
    'a@bücher.de?x',
    'a@bücher.de#',
    'a@bücher.de\\x',
  ])
    assert.equal(isAddress(normalizeAddress(text)), false, JSON.stringify(text));
});

test('a text of any length is checked quickly', () => {
  for (const text of [`${'a.'.repeat(4e6)}a@x.com`, `a@${'a.'.repeat(4e6)}com`, `a@ü${'a.'.repeat(4e6)}com`])
    assert.equal(isAddress(normalizeAddress(text)), false);
});

test('a deliverable address keeps its spelling, and otherwise gets its normal form', () => {
  assert.equal(sendableAddress(' Ada@Bücher.example\t'), 'Ada@Bücher.example');
  assert.equal(sendableAddress('Ada@exam\u200bple.com'), 'ada@example.com');
  assert.equal(isAddress(sendableAddress('Ada@@example.com')), false);
});

test('the domain of an address is in lower case and ASCII', () => {
  assert.equal(domainOf('a@X.com'), 'x.com');
  assert.equal(domainOf('a@BÜCHER.example'), 'xn--bcher-kva.example');
  assert.equal(domainOf('a@b\u00fc%41cher.example'), 'b\u00fc%41cher.example');
  assert.equal(domainOf('nobody'), '');
});
