import assert from 'node:assert/strict';
import { isAscii } from 'node:buffer';
import test, { type TestContext } from 'node:test';
import { type Refusal, type RelayedMessage, startRelay } from '../../test/harness/relay.ts';
import { buildMime, type MailMessage } from './message.ts';
import { createSmtpTransport } from './smtp-transport.ts';
import type { MailTransport } from './transport.ts';

const SENT = { kind: 'sent', reply: '250 OK: message queued' };
const TENANT = '0197a3b0-0000-7000-8000-000000000001';

async function sendTo(transport: MailTransport, address: string, parts: Partial<MailMessage> = {}) {
  const message = {
    from: { address: 'from@sender.example' },
    to: { address: 'shown@receiver.example' },
    subject: 'Hello',
    text: 'Hello',
    headers: {},
    messageId: '1@sender.example',
    date: new Date('2026-01-02T03:04:05Z'),
    attachments: [],
    envelope: { from: 'bounce+x@bounces.example', to: address },
    ...parts,
  };
  return transport.send(TENANT, message, await buildMime(message));
}

function transportTo(t: TestContext, url: string): MailTransport {
  const transport = createSmtpTransport(url, { connections: 1 });
  t.after(() => transport.close());
  return transport;
}

const INTERNATIONAL_FIELDS: readonly (readonly [string, Partial<MailMessage>])[] = [
  ...[
    'jörg@x.example',
    'иван@x.example',
    '用户@x.example',
    'δοκιμή@x.example',
    'ünal+shop@bücher.example',
  ].flatMap((address): (readonly [string, Partial<MailMessage>])[] => [
    ['From', { from: { address } }],
    [
      'From',
      { from: { address, name: 'A name that is long enough to put its address on another line, yes' } },
    ],
    ['Reply-To', { replyTo: address }],
    ['To', { to: { address, name: 'José' } }],
    ['Message-ID', { messageId: address }],
  ]),
];

test('a header address beyond ASCII is not sent to a relay without SMTPUTF8, and the error names the field', async (t) => {
  const relay = await startRelay({ hideSMTPUTF8: true });
  const transport = transportTo(t, relay.url);
  for (const [field, parts] of INTERNATIONAL_FIELDS) {
    const result = await sendTo(transport, 'to@receiver.example', parts);
    assert.ok(result.kind === 'rejected' && result.refused === 'address' && result.permanent, field);
    assert.match(result.reply, new RegExp(`SMTPUTF8.*: ${field}: `));
  }
  assert.equal(relay.messages.length, 0);
  const encoded = { from: { address: 'info@bücher.example', name: 'Jörg' }, subject: 'Größe', text: 'ä' };
  const headers = { 'X-Name': 'Ünal', 'List-Unsubscribe': '<https://x.example/?e=j%C3%B6rg>' };
  const sent = await sendTo(transport, 'to@receiver.example', { ...encoded, headers });
  assert.deepEqual([sent.kind, relay.messages.length, relay.connections], ['sent', 1, 1]);
});

/** Rejects international header fields without the parameter SMTPUTF8, and the parameter without need (RFC 6531). */
function checkParameter({ raw, session }: RelayedMessage): Refusal | null {
  const { mailFrom, rcptTo } = session.envelope;
  const isStated = mailFrom !== false && Reflect.get(Object(mailFrom.args), 'SMTPUTF8') === true;
  const addresses = [mailFrom, ...rcptTo].map((each) =>
    each === false ? '' : each.address.replace(/@.*/, ''),
  );
  const header = raw.subarray(0, raw.indexOf('\r\n\r\n'));
  const isNeeded = !isAscii(header) || /\P{ASCII}/u.test(addresses.join());
  return isStated === isNeeded
    ? null
    : { code: 550, text: `5.6.7 SMTPUTF8 ${isNeeded ? 'missing' : 'needless'}` };
}

for (const [name, options] of [
  ['with pipelining', {}],
  ['without pipelining', { hidePIPELINING: true }],
] as const)
  test(`header addresses beyond ASCII are sent with the parameter SMTPUTF8, others without, ${name}`, async (t) => {
    const relay = await startRelay(options);
    relay.onMessage = checkParameter;
    const transport = transportTo(t, relay.url);
    const ascii: Partial<MailMessage> = {
      from: { address: 'info@bücher.example', name: 'Jörg SMTPUTF8' },
      replyTo: 'info@xn--bcher-kva.example',
      subject: 'Größe 用户',
      text: 'jörg@x.example',
      headers: { 'X-Name': 'Ünal' },
    };
    for (const [field, parts] of INTERNATIONAL_FIELDS) {
      assert.deepEqual(await sendTo(transport, 'to@receiver.example', parts), SENT, field);
      assert.deepEqual(await sendTo(transport, 'to@bücher.example', ascii), SENT, `after ${field}`);
      assert.deepEqual(await sendTo(transport, 'jörg@x.example', { ...ascii, ...parts }), SENT, field);
    }
    assert.equal(relay.connections, 1);
  });
