import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { eventually } from '../../test/harness/poll.ts';
import { type Relay, startRelay } from '../../test/harness/relay.ts';
import { DeadlineError, type PoolOptions, SmtpPool } from './smtp-pool.ts';

const mime = Buffer.from('Subject: Hello\r\n\r\nHello\r\n');

function poolTo(t: TestContext, { port }: Relay, options: Partial<PoolOptions> = {}): SmtpPool {
  const pool = new SmtpPool({
    relay: { host: '127.0.0.1', port },
    login: null,
    idleMs: 60_000,
    connections: 1,
    messagesPerConnection: 100,
    ...options,
  });
  t.after(() => pool.close());
  return pool;
}

/** Returns the relay's reply; throws the pool's error otherwise. */
async function send(pool: SmtpPool, to: string, deadlineMs = 20_000): Promise<string> {
  const outcome = await pool.send({ from: 'from@sender.example', to }, mime, deadlineMs);
  if ('reply' in outcome) return outcome.reply;
  throw outcome.error;
}

test('messages that wait for a connection are sent in order', async (t) => {
  const relay = await startRelay();
  const pool = poolTo(t, relay);
  const names = Array.from({ length: 10 }, (_, n) => `r${n}@receiver.example`);
  await Promise.all(names.map((name) => send(pool, name)));
  assert.deepEqual(
    relay.messages.map(({ rcptTo }) => rcptTo[0]),
    names,
  );
  assert.equal(relay.connections, 1);
});

test('a connection is replaced after a number of messages', async (t) => {
  const relay = await startRelay();
  const pool = poolTo(t, relay, { messagesPerConnection: 2 });
  for (let n = 0; n < 5; n += 1) await send(pool, `r${n}@receiver.example`);
  assert.equal(relay.messages.length, 5);
  assert.equal(relay.connections, 3);
});

test('an idle connection is closed, and the next message opens another', async (t) => {
  const relay = await startRelay();
  const pool = poolTo(t, relay, { idleMs: 20 });
  await send(pool, 'a@receiver.example');
  await eventually('the idle connection to end', () => relay.openConnections === 0);
  await send(pool, 'b@receiver.example');
  assert.equal(relay.connections, 2);
});

test('a message that waited too long fails and is not sent later', async (t) => {
  const relay = await startRelay();
  const answered = Promise.withResolvers<null>();
  relay.onMessage = () => answered.promise;
  const pool = poolTo(t, relay);
  const first = send(pool, 'a@receiver.example');
  await assert.rejects(send(pool, 'late@receiver.example', 50), DeadlineError);
  answered.resolve(null);
  await first;
  await send(pool, 'b@receiver.example');
  assert.deepEqual(
    relay.messages.map(({ rcptTo }) => rcptTo[0]),
    ['a@receiver.example', 'b@receiver.example'],
  );
});

test('when connections close between messages, all messages are sent over new ones', async (t) => {
  const relay = await startRelay();
  const pool = poolTo(t, relay, { connections: 3 });
  const round = (name: string) =>
    Promise.all([1, 2, 3].map((n) => send(pool, `${name}${n}@receiver.example`)));
  await round('a');
  for (const { session } of relay.messages) relay.cut(session);
  await round('b');
  assert.equal(new Set(relay.messages.flatMap(({ rcptTo }) => rcptTo)).size, 6);
  assert.equal(relay.messages.length, 6);
});

/** Starts a relay that accepts only this many connections at once and refuses others with this text. */
async function startNarrowRelay(most: number, text: string): Promise<Relay> {
  let open = 0;
  return startRelay({
    onConnect: (_session, callback) => {
      open += 1;
      if (open <= most) callback();
      else callback(Object.assign(new Error(text), { responseCode: 421 }));
    },
    onClose: () => {
      open -= 1;
    },
  });
}

for (const [most, text] of [
  [1, '4.7.0 too many concurrent connections'],
  [1, 'Too many connections from your host'],
  [1, '4.3.2 Concurrent connections limit exceeded'],
  [1, 'Maximum number of simultaneous sessions reached'],
  [2, '4.7.0 mx Error: too many connections from 192.0.2.1'],
  [3, 'Service not available, try again later'],
] as const) {
  test(`a relay that accepts ${most} at once (${text}) gets all messages without waiting for a retry`, async (t) => {
    const relay = await startNarrowRelay(most, text);
    const pool = poolTo(t, relay, { connections: 5 });
    const names = Array.from({ length: 40 }, (_, n) => `r${n}@receiver.example`);
    if (most > 1) await send(pool, 'first@receiver.example');
    await Promise.all(names.map((name) => send(pool, name)));
    assert.ok(relay.messages.length >= 40);
    assert.ok(relay.connections <= 30, `${relay.connections} connections`);
  });
}

test('a relay that rejects everything is recognised', async (t) => {
  const relay = await startNarrowRelay(0, 'Service not available');
  await assert.rejects(
    send(poolTo(t, relay, { connections: 3 }), 'a@receiver.example'),
    /Service not available/,
  );
});

test('two processes share a relay that accepts one connection', async (t) => {
  const relay = await startNarrowRelay(1, 'too many connections');
  const pools = [poolTo(t, relay, { connections: 2 }), poolTo(t, relay, { connections: 2 })];
  const names = Array.from({ length: 6 }, (_, n) => `r${n}@receiver.example`);
  await Promise.all(pools.map((pool) => Promise.all(names.map((name) => send(pool, name)))));
  assert.equal(relay.messages.length, 12);
});
