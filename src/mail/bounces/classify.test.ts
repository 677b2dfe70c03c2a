import assert from 'node:assert/strict';
import test from 'node:test';
import { type BounceKind, classifyBounce } from './classify.ts';

const CASES: readonly (readonly [number | null, string | null, string, 'hard' | 'soft', BounceKind])[] = [
  [550, '5.1.1', 'User unknown', 'hard', 'invalid_recipient'],
  [550, '5.1.2', 'Bad destination system', 'hard', 'invalid_recipient'],
  [556, '5.1.10', 'Recipient address has null MX', 'hard', 'invalid_recipient'],
  [550, '5.2.1', 'Mailbox disabled', 'hard', 'mailbox_inactive'],
  [450, '4.2.1', 'Mailbox temporarily disabled', 'soft', 'mailbox_inactive'],
  [450, '4.1.1', 'Unverified address', 'soft', 'invalid_recipient'],
  [552, '5.2.2', 'Mailbox full', 'soft', 'mailbox_full'],
  [552, '5.3.4', 'Message too big', 'soft', 'too_large'],
  [null, '5.4.4', 'Host not found', 'soft', 'dns_failure'],
  [null, '4.4.7', 'Message expired', 'soft', 'timeout'],
  [554, '5.7.1', 'Rejected for policy reasons', 'soft', 'blocked'],
  [550, '5.7.1', 'Relaying denied', 'soft', 'relaying_denied'],
  [550, '5.7.1', 'Recipient address rejected: User unknown', 'hard', 'invalid_recipient'],
  [550, '5.7.26', 'This mail is unauthenticated (SPF, DKIM)', 'soft', 'blocked'],
  [554, '5.6.0', 'Bad content', 'soft', 'spam_content'],
  [550, '5.5.0', 'Requested action not taken: mailbox unavailable', 'hard', 'invalid_recipient'],
  [
    554,
    '5.0.0',
    'This user does not have a yahoo.com account; mailbox not found',
    'hard',
    'invalid_recipient',
  ],
  [550, null, 'No such user here', 'hard', 'invalid_recipient'],
  [550, null, 'Rejected', 'hard', 'invalid_recipient'],
  [550, null, 'Blocked: see https://blocklist.test', 'soft', 'blocked'],
  [550, null, 'The message looks like spam', 'soft', 'spam_content'],
  [553, null, 'Mailbox name not allowed', 'hard', 'invalid_recipient'],
  [552, null, 'Exceeded', 'soft', 'mailbox_full'],
  [554, null, 'Transaction failed', 'soft', 'undetermined'],
  [554, null, 'delivery error: This account has been disabled or discontinued', 'hard', 'mailbox_inactive'],
  [421, null, 'Service not available', 'soft', 'transient'],
  [451, '4.7.1', 'Greylisted, user unknown to us', 'soft', 'blocked'],
  [553, '5.7.1', '<a@b.test>: Sender address rejected: not owned by user', 'soft', 'blocked'],
  [550, '5.1.8', '<a@b.test>: Sender address rejected: Domain not found', 'soft', 'blocked'],
  [550, null, 'Sender verify failed', 'soft', 'blocked'],
  [null, null, '', 'soft', 'undetermined'],
];

for (const [code, status, text, bounceClass, kind] of CASES) {
  test(`${code ?? '-'} ${status ?? '-'} ${text}: ${bounceClass}, ${kind}`, () => {
    assert.deepEqual(classifyBounce({ code, status, text }), { bounceClass, kind });
  });
}

test('nothing that is temporary is hard, whatever the words', () => {
  for (const [, , text] of CASES) {
    assert.equal(classifyBounce({ code: 450, status: null, text }).bounceClass, 'soft');
    assert.equal(classifyBounce({ code: 550, status: '4.1.1', text }).bounceClass, 'soft');
  }
});
