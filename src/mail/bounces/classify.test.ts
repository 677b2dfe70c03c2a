import assert from 'node:assert/strict';
import test from 'node:test';
import type { BounceKind } from './bounce-kinds.ts';
import { classifyBounce } from './classify.ts';

type Expected = 'hard' | 'soft' | 'sender';

function classOf(code: number | null, status: string | null, text: string): Expected {
  const { bounceClass, isAboutSender } = classifyBounce({ code, status, text });
  return isAboutSender ? 'sender' : bounceClass;
}

const KINDS: readonly (readonly [number | null, string | null, string, Expected, BounceKind])[] = [
  [550, '5.1.1', 'User unknown', 'hard', 'no_mailbox'],
  [550, '5.1.1', '', 'hard', 'no_mailbox'],
  [550, '5.1.2', 'Bad destination system', 'hard', 'no_mailbox'],
  [556, '5.1.10', 'Recipient address has null MX', 'hard', 'no_domain'],
  [550, '5.2.1', 'Mailbox disabled', 'hard', 'mailbox_closed'],
  [450, '4.2.1', 'Mailbox temporarily disabled', 'soft', 'mailbox_locked'],
  [450, '4.1.1', 'Unverified address: no answer', 'soft', 'network'],
  [552, '5.2.2', 'Mailbox full', 'soft', 'mailbox_full'],
  [552, '5.3.4', 'Message too big', 'soft', 'too_large'],
  [null, '5.4.4', 'Host or domain name not found', 'hard', 'no_domain'],
  [null, '4.4.7', 'Message expired', 'soft', 'network'],
  [554, '5.7.1', 'Rejected for policy reasons', 'soft', 'policy'],
  [550, '5.7.1', 'Relaying denied', 'sender', 'relaying'],
  [550, '5.7.26', 'This mail is unauthenticated (SPF, DKIM)', 'sender', 'sender_authentication'],
  [554, '5.6.0', 'Bad content', 'soft', 'content'],
  [550, '5.5.0', 'Requested action not taken: mailbox unavailable', 'hard', 'no_mailbox'],
  [550, null, 'Rejected', 'soft', 'undetermined'],
  [550, null, 'The message looks like spam', 'soft', 'content'],
  [554, null, 'Transaction failed', 'soft', 'undetermined'],
  [421, null, 'Service not available', 'soft', 'transient'],
  [451, '4.7.1', 'Greylisted, user unknown to us', 'soft', 'policy'],
  [550, null, 'You have exceeded your hourly sending limit', 'sender', 'sending_quota'],
  [550, null, 'SMTP AUTH is required for message submission on port 587', 'sender', 'login'],
  [554, '5.7.1', '<x@y.test>: Relay access denied', 'sender', 'relaying'],
  [554, null, 'Sending paused for this account', 'sender', 'account'],
  [550, null, 'Client host blocked using zen.spamhaus.org', 'sender', 'sender_reputation'],
  [553, '5.7.1', '<a@b.test>: Sender address rejected: not owned by user', 'sender', 'sender_identity'],
  [null, '5.6.7', '', 'sender', 'needs_smtputf8'],
  [
    null,
    '5.6.7',
    'SMTPUTF8 is required, but was not offered by host mx.b.test[192.0.2.1]',
    'sender',
    'needs_smtputf8',
  ],
  [
    550,
    '5.6.7',
    'SMTPSEND.Utf8RecipientAddress; UTF-8 recipient address not supported',
    'sender',
    'needs_smtputf8',
  ],
  [553, '5.6.7', 'Non-ASCII addresses not permitted for that recipient', 'sender', 'needs_smtputf8'],
  [554, '5.6.9', 'UTF-8 header message cannot be transferred', 'sender', 'needs_smtputf8'],
  [550, null, 'Internationalized email addresses are not supported', 'sender', 'needs_smtputf8'],
  [null, null, '', 'soft', 'undetermined'],
];

for (const [code, status, text, expected, kind] of KINDS) {
  test(`${code ?? '-'} ${status ?? '-'} ${text}: ${expected}, ${kind}`, () => {
    assert.equal(classifyBounce({ code, status, text }).kind, kind);
    assert.equal(classOf(code, status, text), expected);
  });
}

test('the text of the reply takes precedence over the reported status', () => {
  const cases: readonly (readonly [string, string, Expected])[] = [
    ['5.1.1', '552 5.2.2 Over quota', 'soft'],
    ['5.1.1', '550 Administrative prohibition', 'soft'],
    ['5.1.1', '550 Rejected', 'soft'],
    ['5.1.1', '550 5.7.1 Delivery not authorized', 'soft'],
    ['5.1.1', '550 5.7.1 Service unavailable; client [192.0.2.1] blocked', 'sender'],
    ['5.1.1', '450 4.2.0 Greylisted', 'soft'],
    ['5.0.0', '550 no such mailbox', 'hard'],
    ['5.7.1', '550 5.7.1 The recipient does not exist', 'hard'],
    ['5.5.0', '550 5.1.1 rejected', 'hard'],
    ['5.4.1', '550 Benutzer unbekannt', 'hard'],
    ['5.0.0', 'X-Postfix; unknown mail transport error', 'soft'],
  ];
  for (const [status, text, expected] of cases) assert.equal(classOf(null, status, text), expected, text);
});

test('the innermost quoted reply counts', () => {
  const cases: readonly (readonly [string, Expected])[] = [
    ["5.1.0 - Unknown address error 550-'5.2.2 <a@x.test>... Mailbox Full' (delivery attempts: 0)", 'soft'],
    ["5.1.0 - Unknown address error 550-'5.1.1 no such user' (delivery attempts: 0)", 'hard'],
    ["5.3.0 - Other mail system problem 550-'Envelope blocked - User Entry'", 'soft'],
    ['550 5.1.1 <a@x.test>: undeliverable address: host mx[192.0.2.1] said: 452 4.2.2 Mailbox full', 'soft'],
    ['host mx.x.test[192.0.2.1] said: 550 5.1.1 User unknown (in reply to RCPT TO command)', 'hard'],
    ['SMTP error from remote mail server after RCPT TO:<a@x.test>: 550 No Such User Here', 'hard'],
    [
      "550 Mailbox unavailable. The server response was: 550 5.7.1 messages from [192.0.2.1] weren't sent",
      'sender',
    ],
    ["Remote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found'", 'hard'],
    ['554 5.4.0 Depot returns error: <552 5.2.2 Over quota>', 'soft'],
    [
      '... while talking to mx.x.test.:\r\n>>> DATA\r\n<<< 550 5.1.1 unknown user\r\n550 5.1.1 <a@x.test>... User unknown',
      'hard',
    ],
    ['550-Callout verification failed:\r\n550 451 4.7.1 Greylisting in action', 'soft'],
  ];
  for (const [text, expected] of cases) assert.equal(classOf(null, null, text), expected, text);
});

test('names in addresses and links are ignored', () => {
  const cases: readonly (readonly [string, Expected])[] = [
    ['550 5.1.1 <spam-quota@blocked.test>: User unknown', 'hard'],
    ['550 user.unknown@no-such-user.test: Message refused', 'soft'],
    ['550 rejected, see https://x.test/?p=NoSuchUser', 'soft'],
    ['550 5.1.1 no mailbox here. https://x.test/blacklist/spamhaus', 'hard'],
  ];
  for (const [text, expected] of cases) assert.equal(classOf(null, null, text), expected, text);
});

/** Replies about the sender, a connection or a list, in words that also describe missing mailboxes. */
const NOT_ABOUT_THE_MAILBOX = [
  '550 Votre compte a été résilié',
  '550 Votre compte a été supprimé',
  '550 Su cuenta ha sido cancelada por falta de pago',
  '550 La cuenta del remitente ha sido cancelada',
  '550 Il tuo account è stato chiuso',
  '550 Twoje konto zostało usunięte',
  '550 Konto nadawcy zamknięte',
  '550 boîte: votre message a été supprimé car il contient une pièce jointe',
  '550 Casella: allegato eliminato',
  '550 5.7.1 El buzón no acepta mensajes, conexión cerrada',
  '550 account: connessione chiusa',
  '550 Konto: połączenie zamknięte',
  '550 boîte aux lettres fermée le week-end',
  '550 送信元アドレスに誤りがあります',
  '550 差出人のアドレスが正しくありません',
  '550 送信者メールアドレスが間違っています',
  '550 Ihre Adresse ist nicht im Adressbuch des Empfängers',
  '550 Ihr Server ist nicht im Whitelist-Verzeichnis eingetragen',
  '550 The recipient does not have a license to receive external mail in this mailbox',
  '550 Your account does not have a verified address for this mailbox',
  '550 The server does not have an IMAP mailbox licence',
  '550 You are not a local user, authenticate',
  '550 sender account unrecognized',
  '550 permission denied, sender name unrecognized',
  '550 client name unrecognized',
  '550 Ihr Konto wurde gelöscht',
];

test('a closed account of the sender, a closed connection and a missing list entry are not hard', () => {
  for (const text of NOT_ABOUT_THE_MAILBOX) assert.notEqual(classOf(null, null, text), 'hard', text);
});

test('no temporary reply is hard, whatever its text', () => {
  for (const [, , text] of KINDS) {
    assert.equal(classifyBounce({ code: 450, status: null, text }).bounceClass, 'soft');
    assert.equal(classifyBounce({ code: null, status: '4.1.1', text }).bounceClass, 'soft');
  }
});

test('a long reply of any kind is read in linear time', () => {
  const pieces = [
    'a ',
    'user ',
    'exceed ',
    '.',
    '<',
    'a@',
    'sender ',
    'mailbox is ',
    'quota',
    'from ',
    '550 ',
    'said: ',
  ];
  for (const piece of pieces)
    classifyBounce({ code: null, status: null, text: piece.repeat(20_000 / piece.length) });
});
