import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { startOwnApp, startTestApp } from '../../test/harness/test-app.ts';
import { isAddress } from './address.ts';
import { bounceAddress, parseBounceAddress } from './verp.ts';

const { platform } = (await startTestApp()).app;
const { platform: other } = (await startOwnApp()).app;
const message = { tenantId: randomUUID(), messageId: randomUUID() };
const address = bounceAddress(platform, { ...message, domain: 'bounces.example' });

test('a bounce address identifies its message, whatever its domain and surrounding white space', () => {
  assert.deepEqual(parseBounceAddress(platform, address), message);
  assert.deepEqual(parseBounceAddress(platform, ` ${address}\r\n`), message);
  assert.deepEqual(parseBounceAddress(platform, address.replace('bounces.example', 'MX.example')), message);
});

test('the same message always gets the same address, another message another', () => {
  assert.equal(bounceAddress(platform, { ...message, domain: 'bounces.example' }), address);
  const next = bounceAddress(platform, { ...message, messageId: randomUUID(), domain: 'bounces.example' });
  assert.notEqual(next, address);
});

test('a bounce address is valid for any prefix, which is truncated if needed', () => {
  for (const start of ['', 'b', 'bounces', 'return-path', 'x'.repeat(64), 'ü'.repeat(40), '😀'.repeat(10)]) {
    const bounce = bounceAddress(platform, { ...message, domain: 'b.example', localPartStart: start });
    assert.equal(isAddress(bounce), true, bounce);
    assert.ok(bounce.startsWith([...start].slice(0, 3).join('')), bounce);
    assert.deepEqual(parseBounceAddress(platform, bounce), message, bounce);
  }
  assert.match(
    bounceAddress(platform, { ...message, domain: 'b.example', localPartStart: 'return-path' }),
    /^return-path\+/,
  );
});

test('an altered or foreign address identifies nothing', () => {
  const [localPart = '', domain] = address.split('@');
  const flipped = localPart.at(-1) === 'A' ? 'B' : 'A';
  const wrong = [
    `${localPart.slice(0, -1)}${flipped}@${domain}`,
    `${localPart.slice(0, 10)}${localPart[10] === 'A' ? 'B' : 'A'}${localPart.slice(11)}@${domain}`,
    `${localPart.slice(0, -1)}@${domain}`,
    `${localPart}=@${domain}`,
    localPart.replace('+', '-'),
    `${localPart.replace('+', '-')}@${domain}`,
    'bounce@b.example',
    '@',
    '',
    `+${'!'.repeat(50)}@b.example`,
    bounceAddress(other, { ...message, domain: 'bounces.example' }),
  ];
  for (const text of wrong) assert.equal(parseBounceAddress(platform, text), null, text);
});

test('ids other than UUIDs are rejected', () => {
  for (const messageId of ['', 'x'.repeat(36), randomUUID().slice(1)])
    assert.throws(() => bounceAddress(platform, { ...message, messageId, domain: 'b.example' }), RangeError);
});
