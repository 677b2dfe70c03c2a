import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import test from 'node:test';
import { type AddressObject, simpleParser } from 'mailparser';
import DKIM from 'nodemailer/lib/dkim';
import { verifyDkim } from '../../test/harness/dkim-verifier.ts';
import { buildMime, type MailMessage } from './message.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const dkim = { domain: 'sender.example', selector: 'key1', privateKey };

function messageWith(parts: Partial<MailMessage> = {}): MailMessage {
  return {
    from: { address: 'from@sender.example', name: 'Sender' },
    to: { address: 'to@receiver.example' },
    subject: 'Hello',
    html: '<p>Hello</p>',
    text: 'Hello',
    headers: {},
    messageId: '<m1@sender.example>',
    date: new Date('2026-01-02T03:04:05.678Z'),
    attachments: [],
    envelope: { from: 'from@sender.example', to: 'to@receiver.example' },
    ...parts,
  };
}

async function parse(message: MailMessage) {
  const mime = await buildMime(message);
  return { mime, parsed: await simpleParser(mime) };
}

/** Returns the field names of the header block, in lower case. */
function fieldNames(mime: Buffer): string[] {
  const headers = mime.subarray(0, mime.indexOf('\r\n\r\n')).toString('latin1');
  return headers.split(/\r\n(?![ \t])/).map((field) => field.slice(0, field.indexOf(':')).toLowerCase());
}

function only(addresses: AddressObject | AddressObject[] | undefined) {
  const list = [addresses].flat().flatMap((each) => each?.value ?? []);
  assert.equal(list.length, 1);
  return { address: list[0]?.address, name: list[0]?.name };
}

function longestLine(mime: Buffer): number {
  return Math.max(
    ...mime
      .toString('latin1')
      .split('\r\n')
      .map((line) => line.length),
  );
}

test('every part arrives unchanged, with names and subjects in any script', async () => {
  const { mime, parsed } = await parse(
    messageWith({
      from: { address: 'info@bücher.example', name: 'Zoë "Z" O’Neil, Bücher <b>' },
      to: { address: 'to@receiver.example', name: '佐藤 花子' },
      replyTo: 'reply@sender.example',
      subject: 'Grüße 👋 an 佐藤 & Zoë: 100 % = ?',
      html: '<p>Grüße 👋</p>',
      text: 'Grüße 👋',
      headers: {
        'X-Tessera-Message': 'abc',
        'List-Unsubscribe': '<https://x.example/u>, <mailto:u@x.example>',
      },
    }),
  );
  assert.deepEqual(only(parsed.from), {
    address: 'info@bücher.example',
    name: 'Zoë "Z" O’Neil, Bücher <b>',
  });
  assert.match(mime.toString('latin1'), /<info@xn--bcher-kva\.example>/);
  assert.deepEqual(only(parsed.to), { address: 'to@receiver.example', name: '佐藤 花子' });
  assert.deepEqual(only(parsed.replyTo), { address: 'reply@sender.example', name: '' });
  assert.equal(parsed.subject, 'Grüße 👋 an 佐藤 & Zoë: 100 % = ?');
  assert.equal(parsed.html, '<p>Grüße 👋</p>');
  assert.equal(parsed.text, 'Grüße 👋');
  assert.equal(parsed.messageId, '<m1@sender.example>');
  assert.equal(parsed.date?.toISOString(), '2026-01-02T03:04:05.000Z');
  assert.equal(parsed.headers.get('x-tessera-message'), 'abc');
});

test('a message may have only one of html and text, or neither', async () => {
  const base = messageWith();
  const { html: _html, ...withoutHtml } = base;
  const { text: _text, ...withoutText } = base;
  assert.equal((await parse(withoutHtml)).parsed.html, false);
  assert.match((await parse(withoutText)).mime.toString(), /Content-Type: text\/html/);
  const { text: _none, ...neither } = withoutHtml;
  assert.equal((await parse({ ...neither, dkim })).parsed.text, undefined);
});

test('lines of the message end in CRLF, whatever the texts use, and have at most 998 bytes', async () => {
  const url = `https://x.example/?${'utm_source=news&amp;'.repeat(200)}q=1`;
  const html = `<a\nhref="${url}">\r\n..\n.\n${'x'.repeat(5000)}\rend</a>`;
  const { mime, parsed } = await parse(
    messageWith({
      ...{ html, text: '.\n..dots\r\n.', subject: 's'.repeat(5000), attachments: [file()] },
      from: { address: 'from@sender.example', name: 'n'.repeat(5000) },
      to: { address: 'to@receiver.example', name: `"${'n'.repeat(5000)}", x` },
    }),
  );
  assert.equal(
    mime
      .toString('latin1')
      .replaceAll('\r\n', '')
      .search(/[\r\n]/),
    -1,
  );
  assert.ok(longestLine(mime) <= 998, `${longestLine(mime)}`);
  assert.equal(parsed.html, html.replace(/\r\n|\r/g, '\n'));
  assert.equal(parsed.text, '.\n..dots\n.');
  assert.equal(parsed.subject?.replaceAll(' ', ''), 's'.repeat(5000));
  assert.equal(only(parsed.from).name?.replaceAll(' ', ''), 'n'.repeat(5000));
});

test('no text can add a header field, a recipient or a body', async () => {
  const evil = 'x\r\nBcc: victim@x.example\r\n\r\n<script>';
  const plain = fieldNames(await buildMime(messageWith({ headers: { 'X-A': 'x' }, attachments: [file()] })));
  const { mime, parsed } = await parse(
    messageWith({
      from: { address: 'from@sender.example', name: evil },
      to: { address: 'to@receiver.example', name: `${evil}, b@x.example` },
      subject: evil,
      messageId: `<m@x>${evil}`,
      headers: { 'X-A': `${evil}\u0000\u2028` },
      attachments: [{ name: evil, type: `text/plain; a=b\r\nX-Evil: 1`, content: Buffer.from('a') }],
    }),
  );
  assert.deepEqual(fieldNames(mime), plain);
  assert.equal(only(parsed.to).address, 'to@receiver.example');
  assert.equal(only(parsed.from).address, 'from@sender.example');
  assert.equal(parsed.cc, undefined);
  assert.doesNotMatch(mime.toString('latin1'), /^(Bcc|X-Evil):/im);
  assert.equal(parsed.html, '<p>Hello</p>');
  assert.equal(parsed.attachments[0]?.contentType, 'application/octet-stream');
});

test('an invalid address is rejected everywhere', async () => {
  for (const address of ['', 'a', 'a@b.test\r\nBcc: c@d.test', 'a@b.test, c@d.test', 'A <a@b.test>']) {
    for (const parts of [{ from: { address } }, { to: { address } }, { replyTo: address }])
      await assert.rejects(buildMime(messageWith(parts)), TypeError, JSON.stringify(address));
  }
});

test('a subject or a name that would take seconds to fold is rejected by name', async () => {
  const text = `${'x'.repeat(899)} `.repeat(73);
  await buildMime(messageWith({ subject: text.slice(0, 65_536) }));
  await assert.rejects(
    buildMime(messageWith({ subject: text })),
    /the subject has more than 65536 characters/,
  );
  const to = { address: 'to@receiver.example', name: text };
  await assert.rejects(buildMime(messageWith({ to })), /the name has more than 65536 characters/);
});

test('an additional header that is reserved or invalid is rejected', async () => {
  for (const name of [
    'From',
    'bcc',
    'Content-Type',
    'Message-ID',
    'DKIM-Signature',
    '',
    'X A',
    'X:',
    'X\r\nY',
    'Ü',
  ])
    await assert.rejects(buildMime(messageWith({ headers: { [name]: 'x' } })), TypeError, name);
});

function file(name = 'Übersicht "2026".csv') {
  return { name, type: 'text/csv', content: Buffer.from('a;ü\n\u0000\xff', 'latin1') };
}

test('attachments arrive byte by byte with name and type', async () => {
  const zip = { name: 'a.zip', type: 'application/zip', content: Buffer.alloc(300_000, 7) };
  const nested = { name: 'nested', type: 'multipart/mixed', content: Buffer.from('--x\r\n\r\nx') };
  const { parsed } = await parse(messageWith({ attachments: [file(), zip, nested], dkim }));
  assert.deepEqual(
    parsed.attachments.map(({ filename, contentType, content }) => ({
      name: filename,
      type: contentType,
      content,
    })),
    [file(), zip, { ...nested, type: 'application/octet-stream' }],
  );
  assert.equal(parsed.text, 'Hello');
});

test('a long file name in any script arrives completely, in lines that every relay accepts', async () => {
  const names = [
    `${'添付'.repeat(100)}.pdf`,
    `${'ü👋'.repeat(60)}.txt`,
    'kurz-ä.txt',
    `${'a b'.repeat(80)}.txt`,
  ];
  const attachments = names.map((name) => ({ ...file(), name }));
  const { parsed, mime } = await parse(messageWith({ attachments }));
  assert.deepEqual(
    parsed.attachments.map(({ filename }) => filename),
    names,
  );
  assert.ok(
    mime
      .toString()
      .split('\r\n')
      .every((line) => line.length <= 998),
  );
  // For readers that do not know extended parameters.
  assert.match(mime.toString(), /^Content-Type: text\/csv;\s+name="=\?UTF-8\?B\?/m);
});

test('a subject of words far apart stays within the line length', async () => {
  const mime = await buildMime(messageWith({ subject: `a${' '.repeat(3000)}${'b'.repeat(2000)}` }));
  assert.ok(
    mime
      .toString()
      .split('\r\n')
      .every((line) => line.length <= 998),
  );
});

test('the media type of an attachment keeps its parameters', async () => {
  const types = ['text/calendar; method=REQUEST', 'text/plain;charset="utf-8"; format=flowed'];
  const attachments = types.map((type) => ({ name: 'a', type, content: Buffer.from('a') }));
  const { mime } = await parse(messageWith({ attachments }));
  const text = mime.toString().replace(/\r\n[ \t]+/g, ' ');
  assert.match(text, /^Content-Type: text\/calendar;.* method=REQUEST/m);
  assert.match(text, /^Content-Type: text\/plain; *charset="?utf-8"?; *format=flowed/m);
});

/** Messages whose canonical form differs from their form on the wire. */
const AWKWARD: readonly Partial<MailMessage>[] = [
  {},
  { subject: `${'lang '.repeat(60)}ü`, from: { address: 'from@sender.example', name: 'a  b\tc' } },
  { text: 'spaces   \n\t\ttabs \t \n\n\n\n', html: '<p>x  y</p>\n \n' },
  { text: '\n\n', html: '' },
  { attachments: [file()], headers: { 'List-Unsubscribe': `<https://x.example/${'u'.repeat(300)}>` } },
  { headers: { 'List-Unsubscribe': '<https://x.example/1>', 'list-unsubscribe': '<https://x.example/2>' } },
  { text: '.\n..\nFrom x\n', html: 'ü'.repeat(4000) },
];

test('an independent verifier accepts the signature', async () => {
  for (const parts of AWKWARD) {
    const verified = verifyDkim(await buildMime(messageWith({ ...parts, dkim })), publicKey);
    assert.equal(verified.domain, 'sender.example');
    assert.equal(verified.selector, 'key1');
  }
});

test("the body's hash equals that of another signer", async () => {
  const hashOf = (signed: Buffer) =>
    /bh=([^;]+);/.exec(signed.toString('latin1'))?.[1]?.replaceAll(/\s/g, '');
  for (const parts of AWKWARD) {
    const signed = await buildMime(messageWith({ ...parts, dkim }));
    const other = new DKIM({ domainName: 'x.example', keySelector: 'x', privateKey });
    assert.equal(hashOf(signed), hashOf(await buffer(other.sign(signed))));
  }
});

test('a signature covers both unsubscribe headers, and sender, subject, date and recipient twice', async () => {
  const headers = {
    'List-Unsubscribe': '<https://x.example/u>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  const { signedFields } = verifyDkim(await buildMime(messageWith({ headers, dkim })), publicKey);
  for (const name of [
    'list-unsubscribe',
    'list-unsubscribe-post',
    'message-id',
    'content-type',
    'mime-version',
  ])
    assert.equal(signedFields.filter((field) => field === name).length, 1, name);
  for (const name of ['from', 'to', 'subject', 'date'])
    assert.equal(signedFields.filter((field) => field === name).length, 2, name);
});

test('a changed body, a changed subject and an added sender break the signature', async () => {
  const signed = (await buildMime(messageWith({ dkim }))).toString('latin1');
  const changes = [
    signed.replace('<p>Hello', '<p>Hallo'),
    signed.replace('Subject: Hello', 'Subject: Hallo'),
    signed.replace('Subject:', 'From: evil@x.example\r\nSubject:'),
    signed.replace('Subject:', 'Reply-To: evil@x.example\r\nSubject:'),
  ];
  for (const changed of changes) {
    assert.notEqual(changed, signed);
    assert.throws(() => verifyDkim(Buffer.from(changed, 'latin1'), publicKey));
  }
});

test('a key that cannot sign is an error, not an unsigned message', async () => {
  const { privateKey: ed25519 } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  for (const wrong of ['', 'no key', publicKey, ed25519])
    await assert.rejects(buildMime(messageWith({ dkim: { ...dkim, privateKey: wrong } })));
});
