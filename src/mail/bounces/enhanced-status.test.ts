import assert from 'node:assert/strict';
import test from 'node:test';
import { enhancedStatusIn } from './enhanced-status.ts';

test('a status is found in the text, but not within longer numbers', () => {
  const found = {
    '5.1.1 unknown user': '5.1.1',
    '550-5.7.26 Unauthenticated (see 5.1.1)': '5.7.26',
    '[4.2.2]': '4.2.2',
    'client 5.1.1.200 blocked, 5.7.1.': '5.7.1',
    'client 15.1.1 and 203.5.1.1 and 5.1.1.200': null,
    '2.0.0 Ok': null,
    '': null,
  };
  for (const [text, status] of Object.entries(found)) assert.equal(enhancedStatusIn(text), status, text);
});
