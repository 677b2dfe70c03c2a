import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { startOwnApp, startTestApp } from '../../../../test/harness/test-app.ts';
import { readTrackingToken, signTrackingToken, type TokenPurpose } from './tracking-tokens.ts';

const { platform } = (await startTestApp()).app;
const other = (await startOwnApp()).app.platform;

const subjects = fc.record({ tenantId: fc.uuid(), messageId: fc.uuid() });
const urls = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.string({ unit: 'grapheme' }),
);
const purposes = fc.constantFrom<TokenPurpose>('open', 'click', 'unsubscribe');
const SPELLED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('a click token contains its message and its address, character for character', () => {
  fc.assert(
    fc.property(subjects, urls, (subject, url) => {
      const token = signTrackingToken(platform, 'click', subject, url);
      assert.match(token, /^[\w-]+$/);
      assert.deepEqual(readTrackingToken(platform, 'click', token), { ...subject, url, originalUrl: url });
    }),
  );
});

test('a token with a changed, added or removed character is invalid', () => {
  const changes = fc.record({ at: fc.nat(), character: fc.constantFrom(...SPELLED) });
  fc.assert(
    fc.property(purposes, subjects, urls, changes, (purpose, subject, url, { at, character }) => {
      const token = signTrackingToken(platform, purpose, subject, purpose === 'click' ? url : '');
      const place = at % token.length;
      const altered = [
        token.slice(0, place) + character + token.slice(place + 1),
        token.slice(0, place) + character + token.slice(place),
        token.slice(0, place) + token.slice(place + 1),
        token.slice(0, place),
      ];
      for (const each of altered.filter((text) => text !== token))
        assert.equal(readTrackingToken(platform, purpose, each), null);
    }),
  );
});

test('a token is valid for no other purpose and no other installation', () => {
  fc.assert(
    fc.property(subjects, (subject) => {
      const token = signTrackingToken(platform, 'open', subject);
      assert.equal(readTrackingToken(platform, 'click', token), null);
      assert.equal(readTrackingToken(platform, 'unsubscribe', token), null);
      assert.equal(readTrackingToken(other, 'open', token), null);
    }),
  );
});

test('any text is parsed without an error', () => {
  fc.assert(
    fc.property(purposes, fc.string({ unit: 'binary' }), (purpose, text) => {
      assert.equal(readTrackingToken(platform, purpose, text), null);
    }),
  );
});
