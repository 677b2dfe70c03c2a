import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import test, { after, type TestContext } from 'node:test';
import { eventually } from '../../test/harness/poll.ts';
import { type Relay, startRelay } from '../../test/harness/relay.ts';
import { asciiAddress } from './address.ts';
import { buildMime, type MailMessage } from './message.ts';
import { createSmtpTransport, type SmtpTransportOptions } from './smtp-transport.ts';
import type { MailTransport } from './transport.ts';

const TENANT = '0197a3b0-0000-7000-8000-000000000001';

function messageTo(address: string, parts: Partial<MailMessage> = {}): MailMessage {
  return {
    from: { address: 'from@sender.example' },
    to: { address: 'shown@receiver.example' },
    subject: 'Hello',
    text: 'Hello',
    headers: {},
    messageId: `<${asciiAddress(address)}>`,
    date: new Date('2026-01-02T03:04:05Z'),
    attachments: [],
    envelope: { from: 'bounce+x@bounces.example', to: address },
    ...parts,
  };
}

async function sendTo(transport: MailTransport, address: string, parts: Partial<MailMessage> = {}) {
  const message = messageTo(address, parts);
  return transport.send(TENANT, message, await buildMime(message));
}

function transportTo(
  t: TestContext,
  url: string,
  options: Partial<SmtpTransportOptions> = {},
): MailTransport {
  const transport = createSmtpTransport(url, { connections: 2, ...options });
  t.after(() => transport.close());
  return transport;
}

/** Returns a port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Starts a server that sends `greeting` to every client, and nothing more. */
async function mute(greeting: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(greeting);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(() => server.close());
  const address = server.address();
  return `smtp://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

/** Starts a relay that accepts everything; returns the commands that it got. */
async function listening(): Promise<{ readonly url: string; readonly commands: string[] }> {
  const commands: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 relay\r\n');
    let isContent = false;
    createInterface(socket).on('line', (line) => {
      if (isContent && line !== '.') return;
      isContent = line === 'DATA';
      commands.push(line);
      socket.write(isContent ? '354 go on\r\n' : '250 fine\r\n');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `smtp://127.0.0.1:${port}`, commands };
}

test('international domains go to the relay in ASCII', async (t) => {
  const { url, commands } = await listening();
  const envelope = { from: 'bounce+x@bücher.example', to: 'info@bücher.example' };
  const sent = await sendTo(transportTo(t, url), envelope.to, { envelope });
  assert.equal(sent.kind, 'sent');
  assert.deepEqual(
    commands.filter((line) => /^(MAIL|RCPT)/.test(line)),
    ['MAIL FROM:<bounce+x@xn--bcher-kva.example>', 'RCPT TO:<info@xn--bcher-kva.example>'],
  );
});

test('a message arrives byte for byte with the sender and recipient of its envelope', async (t) => {
  const relay = await startRelay();
  const message = messageTo('to@receiver.example', {
    text: '.\r\n..\r\n.dot\r\nüml\r\n.',
    html: `${'x'.repeat(3000)}\n.`,
  });
  const mime = await buildMime(message);
  const result = await transportTo(t, relay.url).send(TENANT, message, mime);
  assert.equal(result.kind, 'sent');
  assert.match(result.kind === 'sent' ? result.reply : '', /^250 /);
  const [received] = relay.messages;
  assert.equal(received?.mailFrom, 'bounce+x@bounces.example');
  assert.deepEqual(received?.rcptTo, ['to@receiver.example']);
  assert.deepEqual(received?.raw, mime);
});

test('unusual addresses reach the relay unchanged', async (t) => {
  const relay = await startRelay();
  const transport = transportTo(t, relay.url);
  for (const address of [
    "o'brien&co!#$%*/=?^_`{|}~-@x.example",
    'First.Last+Tag@Sub.example',
    'root@localhost',
  ]) {
    assert.equal((await sendTo(transport, address)).kind, 'sent', address);
    assert.equal(relay.messages.at(-1)?.rcptTo[0]?.toLowerCase(), address.toLowerCase());
  }
});

test('an address beyond ASCII is not sent to a relay without SMTPUTF8, and the error says why', async (t) => {
  const relay = await startRelay({ hideSMTPUTF8: true });
  const transport = transportTo(t, relay.url, { connections: 1 });
  const addresses = [
    ...[
      'jörg@receiver.example',
      'иван@receiver.example',
      '用户@receiver.example',
      'jos\u00e9@b\u00fccher.example',
    ],
    ...[
      'ü@x.example',
      'a.ñ@x.example',
      'ø+tag@x.example',
      'çelik@x.example',
      'łukasz@x.example',
      'δ@x.example',
    ],
  ];
  for (const address of addresses) {
    const result = await sendTo(transport, address);
    assert.ok(result.kind === 'rejected' && result.refused === 'address' && result.permanent, address);
    assert.match(result.reply, /SMTPUTF8/);
  }
  assert.equal((await sendTo(transport, 'info@b\u00fccher.example')).kind, 'sent');
  assert.deepEqual([relay.messages.length, relay.connections], [1, 1]);
});

test('a refusal for lack of SMTPUTF8 behind the relay is about the addresses, not the recipient', async (t) => {
  const relay = await startRelay();
  relay.onRecipient = () => ({
    code: 553,
    text: '5.6.7 Non-ASCII addresses not permitted for that recipient',
  });
  const result = await sendTo(transportTo(t, relay.url), 'jörg@receiver.example');
  assert.ok(result.kind === 'rejected');
  assert.deepEqual([result.refused, result.permanent], ['address', true]);
});

test('an address beyond ASCII is sent to a relay with SMTPUTF8', async (t) => {
  const relay = await startRelay();
  assert.equal((await sendTo(transportTo(t, relay.url), 'jörg@receiver.example')).kind, 'sent');
});

test('the relay is greeted with the given name', async (t) => {
  const relay = await startRelay();
  await sendTo(transportTo(t, relay.url, { ehloName: 'mail.shop.example' }), 'to@receiver.example');
  assert.equal(relay.messages[0]?.session.hostNameAppearsAs, 'mail.shop.example');
});

test('many messages share the connections of the pool', async (t) => {
  const relay = await startRelay();
  const transport = transportTo(t, relay.url, { connections: 3 });
  const addresses = Array.from({ length: 300 }, (_, number) => `to${number}@receiver.example`);
  const results = await Promise.all(addresses.map((address) => sendTo(transport, address)));
  assert.ok(results.every(({ kind }) => kind === 'sent'));
  assert.deepEqual(relay.messages.flatMap(({ rcptTo }) => rcptTo).sort(), addresses.sort());
  assert.ok(relay.connections <= 3, `${relay.connections} connections`);
});

/** The three commands at which a relay can refuse. */
const MOMENTS: Readonly<
  Record<'sender' | 'recipient' | 'message', (relay: Relay, code: number, text: string) => void>
> = {
  sender: (relay, code, text) => {
    relay.onMailFrom = () => ({ code, text });
  },
  recipient: (relay, code, text) => {
    relay.onRecipient = () => ({ code, text });
  },
  message: (relay, code, text) => {
    relay.onMessage = () => ({ code, text });
  },
};

test('a refusal of the relay is returned with its code and text, permanent or temporary, and keeps the connection', async (t) => {
  const relay = await startRelay();
  const transport = transportTo(t, relay.url, { connections: 1 });
  for (const [moment, refuse] of Object.entries(MOMENTS)) {
    for (const [code, permanent] of [
      [450, false],
      [452, false],
      [550, true],
      [552, true],
      [554, true],
    ] as const) {
      refuse(relay, code, `${code % 100 === 50 ? '5.1.1 ' : ''}not for us`);
      const result = await sendTo(transport, 'to@receiver.example');
      assert.ok(result.kind === 'rejected', `${moment} ${code}: ${JSON.stringify(result)}`);
      assert.deepEqual([result.refused, result.code, result.permanent], [moment, code, permanent]);
      assert.match(result.reply, new RegExp(`^${code} .*not for us$`), moment);
    }
    Object.assign(relay, { onMailFrom: () => null, onRecipient: () => null, onMessage: () => null });
  }
  assert.equal((await sendTo(transport, 'to@receiver.example')).kind, 'sent');
  assert.equal(relay.messages.length, 1);
  assert.equal(relay.connections, 1);
});

test('a rejection of the sender is recognised, even if the relay sends it after the recipient', async (t) => {
  const relay = await startRelay();
  const transport = transportTo(t, relay.url);
  for (const text of [
    '5.1.8 Domain not found',
    '5.7.1 <a@b.test>: Sender address rejected: not owned by user',
  ]) {
    relay.onRecipient = () => ({ code: 553, text });
    const result = await sendTo(transport, 'to@receiver.example');
    assert.equal(result.kind === 'rejected' && result.refused, 'sender', text);
  }
});

test('a network address in a refused recipient says nothing about the sender', async (t) => {
  const relay = await startRelay();
  relay.onRecipient = () => ({ code: 550, text: 'user unknown at 5.1.8.200' });
  const result = await sendTo(transportTo(t, relay.url), 'to@receiver.example');
  assert.equal(result.kind === 'rejected' && result.refused, 'recipient');
});

test('one refused recipient in ten does not affect the other nine', async (t) => {
  const relay = await startRelay();
  relay.onRecipient = (address) => (address.startsWith('to7') ? { code: 550, text: 'no such user' } : null);
  const transport = transportTo(t, relay.url);
  const numbers = Array.from({ length: 100 }, (_, number) => number % 10);
  const results = await Promise.all(
    numbers.map((number) => sendTo(transport, `to${number}@receiver.example`)),
  );
  assert.deepEqual(
    results.map(({ kind }) => kind),
    numbers.map((number) => (number === 7 ? 'rejected' : 'sent')),
  );
  assert.equal(relay.messages.length, 90);
});

test('replies about our server or the session say nothing about the message', async (t) => {
  for (const code of [421, 503, 530, 535]) {
    const relay = await startRelay();
    relay.onRecipient = () => ({ code, text: 'not now' });
    const result = await sendTo(transportTo(t, relay.url), 'to@receiver.example');
    assert.equal(result.kind, 'unavailable', `${code}: ${JSON.stringify(result)}`);
  }
});

test('a relay that disconnects during DATA is unavailable, and the message is not repeated', async (t) => {
  const relay = await startRelay();
  let cuts = 0;
  relay.onDataStart = (session) => {
    cuts += 1;
    relay.cut(session);
  };
  const transport = transportTo(t, relay.url);
  const parts = { text: 'x'.repeat(500_000) };
  assert.equal((await sendTo(transport, 'to@receiver.example', parts)).kind, 'unavailable');
  assert.equal(cuts, 1);
  relay.onDataStart = () => {};
  assert.equal((await sendTo(transport, 'to@receiver.example', parts)).kind, 'sent');
  assert.equal(relay.messages.length, 1);
});

test('a message without a reply reports whether any of its body was sent', async (t) => {
  const relay = await startRelay();
  const transport = transportTo(t, relay.url, { connections: 1, deadlineMs: 500 });
  const hasBodyStarted = async () => {
    const result = await sendTo(transport, 'to@receiver.example');
    return result.kind === 'unavailable' ? result.hasBodyStarted : result.kind;
  };
  assert.equal(await hasBodyStarted(), 'sent');
  relay.onMessage = () => ({ code: 421, text: 'closing' });
  assert.equal(await hasBodyStarted(), true);
  relay.onMessage = ({ session }) => {
    relay.cut(session);
    return null;
  };
  assert.equal(await hasBodyStarted(), true);
  relay.onRecipient = () => ({ code: 421, text: 'closing' });
  assert.equal(await hasBodyStarted(), false);
  relay.onRecipient = () => new Promise(() => {});
  assert.equal(await hasBodyStarted(), false);
});

test('a connection that the relay closed between two messages affects neither of them', async (t) => {
  const relay = await startRelay();
  const transport = transportTo(t, relay.url, { connections: 1 });
  assert.equal((await sendTo(transport, 'a@receiver.example')).kind, 'sent');
  const [first] = relay.messages;
  assert.ok(first);
  relay.cut(first.session);
  assert.equal((await sendTo(transport, 'b@receiver.example')).kind, 'sent');
  assert.deepEqual(
    relay.messages.map(({ rcptTo }) => rcptTo[0]),
    ['a@receiver.example', 'b@receiver.example'],
  );
});

test('a relay that is down, does not greet, refuses service or speaks no SMTP is unavailable', async (t) => {
  const urls = [
    `smtp://127.0.0.1:${await closedPort()}`,
    'smtp://no-such-host.invalid:25',
    await mute(''),
    await mute('554 no service\r\n'),
    await mute('421 too many connections\r\n'),
    await mute('HTTP/1.1 400 Bad Request\r\n\r\n'),
    await mute('220 hello\r\n'),
  ];
  for (const url of urls) {
    const result = await sendTo(
      transportTo(t, url, { connectMs: 300, deadlineMs: 600 }),
      'a@receiver.example',
    );
    assert.equal(result.kind, 'unavailable', `${url}: ${JSON.stringify(result)}`);
  }
});

test('a relay that is available again is used immediately', async (t) => {
  const port = await closedPort();
  const transport = transportTo(t, `smtp://127.0.0.1:${port}`);
  assert.equal((await sendTo(transport, 'a@receiver.example')).kind, 'unavailable');
  const relay = await startRelay();
  const forward = createServer((socket) => {
    const upstream = connect(relay.port, '127.0.0.1');
    for (const end of [socket, upstream]) end.on('error', () => {});
    socket.pipe(upstream).pipe(socket);
  });
  await once(forward.listen(port, '127.0.0.1'), 'listening');
  t.after(() => forward.close());
  assert.equal((await sendTo(transport, 'a@receiver.example')).kind, 'sent');
});

test('a relay that never answers is abandoned at the deadline and delays no other connection', async (t) => {
  const relay = await startRelay();
  const answered = Promise.withResolvers<null>();
  relay.onMessage = ({ rcptTo }) => (rcptTo[0]?.startsWith('slow') ? answered.promise : null);
  const transport = transportTo(t, relay.url, { deadlineMs: 3000 });
  const slow = sendTo(transport, 'slow@receiver.example');
  assert.equal((await sendTo(transport, 'quick@receiver.example')).kind, 'sent');
  const result = await slow;
  const error = 'no reply from the relay within 3000 ms';
  assert.deepEqual(result, { kind: 'unavailable', error, hasBodyStarted: true });
  answered.resolve(null);
});

test('closing finishes current messages and accepts no more', async (t) => {
  const relay = await startRelay();
  const answered = Promise.withResolvers<null>();
  const arrived = Promise.withResolvers<void>();
  relay.onMessage = () => {
    arrived.resolve();
    return answered.promise;
  };
  const transport = transportTo(t, relay.url, { connections: 1 });
  const sending = [sendTo(transport, 'a@receiver.example'), sendTo(transport, 'b@receiver.example')];
  await arrived.promise;
  const closed = transport.close();
  assert.equal((await sendTo(transport, 'c@receiver.example')).kind, 'unavailable');
  answered.resolve(null);
  assert.deepEqual(
    (await Promise.all(sending)).map(({ kind }) => kind),
    ['sent', 'sent'],
  );
  await closed;
  assert.equal(relay.messages.length, 2);
});

test('closing abandons a relay that does not answer', async (t) => {
  const relay = await startRelay();
  const arrived = Promise.withResolvers<void>();
  relay.onMessage = () => {
    arrived.resolve();
    return new Promise(() => {});
  };
  const transport = transportTo(t, relay.url, { connections: 1, drainMs: 50 });
  const sending = [sendTo(transport, 'a@receiver.example'), sendTo(transport, 'b@receiver.example')];
  await arrived.promise;
  await transport.close();
  assert.deepEqual(
    (await Promise.all(sending)).map(({ kind }) => kind),
    ['unavailable', 'unavailable'],
  );
});

test('TLS is used if the relay offers it, and smtps from the start', async (t) => {
  const offering = await startRelay({ disabledCommands: ['AUTH'] });
  assert.equal((await sendTo(transportTo(t, offering.url), 'a@receiver.example')).kind, 'sent');
  assert.equal(offering.messages[0]?.session.secure, true);
  const secure = await startRelay({ secure: true, disabledCommands: ['AUTH'] });
  const url = secure.url.replace('smtp:', 'smtps:');
  assert.equal((await sendTo(transportTo(t, url), 'a@receiver.example')).kind, 'sent');
  assert.equal(secure.messages[0]?.session.secure, true);
});

test('user and password of the URL are used, and never in a result', async (t) => {
  const relay = await startRelay({
    authOptional: false,
    disabledCommands: [],
    onAuth: ({ username, password }, _session, callback) =>
      username === 'us@r' && password === 'p@ss:w/rd'
        ? callback(null, { user: username })
        : callback(new Error('no')),
  });
  const urlWith = (password: string) =>
    relay.url.replace('://', `://${encodeURIComponent('us@r')}:${encodeURIComponent(password)}@`);
  assert.equal((await sendTo(transportTo(t, urlWith('p@ss:w/rd')), 'a@receiver.example')).kind, 'sent');
  assert.equal(relay.messages[0]?.session.user, 'us@r');
  const refused = await sendTo(transportTo(t, urlWith('wrong-secret')), 'a@receiver.example');
  assert.equal(refused.kind, 'unavailable');
  assert.doesNotMatch(JSON.stringify(refused), /secret/);
  const anonymous = await sendTo(transportTo(t, relay.url), 'a@receiver.example');
  assert.equal(anonymous.kind, 'unavailable', JSON.stringify(anonymous));
});

test('a password is sent unencrypted only to a loopback address, or if the URL allows it', async (t) => {
  let logins = 0;
  const relay = await startRelay({
    authOptional: false,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username }, _session, callback) => {
      logins += 1;
      callback(null, { user: username });
    },
  });
  const local = relay.url.replace('://', '://user:secret@');
  // It resolves to this machine, too, but is not a loopback address.
  const other = local.replace('127.0.0.1', '0.0.0.0');
  const refused = await sendTo(transportTo(t, other), 'a@receiver.example');
  assert.deepEqual([refused.kind, logins], ['unavailable', 0]);
  for (const url of [local, `${other}?tls=optional`])
    assert.equal((await sendTo(transportTo(t, url), 'a@receiver.example')).kind, 'sent', url);
  assert.equal(logins, 2);
});

test('an envelope that could contain another command is rejected before the relay sees it', async (t) => {
  const relay = await startRelay();
  const transport = transportTo(t, relay.url);
  const message = messageTo('a@receiver.example');
  const mime = await buildMime(message);
  for (const address of ['a@x.example>\r\nRCPT TO:<b@x.example', 'a@x.example\r\nDATA', '']) {
    for (const envelope of [
      { ...message.envelope, to: address },
      { from: address || '\r\n', to: 'a@x.example' },
    ]) {
      const result = await transport.send(TENANT, { ...message, envelope }, mime);
      assert.equal(result.kind, 'rejected', JSON.stringify({ envelope, result }));
    }
  }
  assert.equal(relay.messages.length, 0);
});

test('a closed pool leaves no connection open', async (t) => {
  const relay = await startRelay();
  const transport = transportTo(t, relay.url);
  await sendTo(transport, 'a@receiver.example');
  assert.equal(relay.openConnections, 1);
  await transport.close();
  await eventually('the connection to end', () => relay.openConnections === 0);
});
