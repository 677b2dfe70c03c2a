import assert from 'node:assert/strict';
import test from 'node:test';
import { parseEmbedMessage, parseReceipt, redirectTarget } from './embed-protocol.ts';

test('only http and https redirects are followed', () => {
  const target = (url: unknown): string | null => redirectTarget([{ type: 'redirect', url: String(url) }]);
  assert.equal(target('https://a.example/x?y'), 'https://a.example/x?y');
  assert.equal(target('http://a.example'), 'http://a.example/');
  for (const url of [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,x',
    '/relative',
    'no url',
    '',
  ]) {
    assert.equal(target(url), null);
  }
  assert.equal(redirectTarget([{ type: 'show_message', url: 'https://a.example' }]), null);
});

test('other messages are ignored', () => {
  const good = { type: 'tessera:resize', publicCode: 'a', height: 10 };
  assert.deepEqual(parseEmbedMessage({ ...good, more: 1 }), good);
  const foreign = [
    null,
    'tessera:resize',
    [],
    { ...good, height: Number.NaN },
    { ...good, height: -1 },
    { ...good, height: '10' },
    { ...good, publicCode: undefined },
    { ...good, type: 'resize' },
    { type: 'tessera:ready', publicCode: 'a' },
    { type: 'tessera:complete', publicCode: 'a', result: { submission_id: 's' } },
  ];
  for (const message of foreign) {
    assert.equal(parseEmbedMessage(message), null);
  }
});

test('a receipt keeps every action, including unknown types', () => {
  const receipt = { submission_id: 's', actions: [{ type: 'trigger_journey', journey_id: 'j' }] };
  assert.equal(parseReceipt(receipt), receipt);
  assert.equal(parseReceipt({ submission_id: 's', actions: [{ url: 'x' }] }), null);
  assert.equal(parseReceipt('<html>'), null);
});
