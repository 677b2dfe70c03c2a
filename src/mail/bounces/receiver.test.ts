import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { createTransport } from 'nodemailer';
import { type ReceivedMail, startBounceReceiver } from './receiver.ts';

const RAW = 'Subject: x\r\n\r\n.dot\r\n..\r\nend\r\n';

/** Starts a receiver; returns it with the mails that it accepted. */
async function start(take: (mail: ReceivedMail) => Promise<void> = async () => {}) {
  const taken: ReceivedMail[] = [];
  const errors: unknown[] = [];
  const receiver = await startBounceReceiver({
    host: '127.0.0.1',
    port: 0,
    accepts: (address) => address.startsWith('ours'),
    record: async (mail) => {
      await take(mail);
      taken.push(mail);
    },
    onError: (error) => errors.push(error),
  });
  after(() => receiver.close());
  const send = (to: string[], from = '') =>
    createTransport({ host: '127.0.0.1', port: receiver.port, ignoreTLS: true }).sendMail({
      envelope: { from, to },
      raw: RAW,
    });
  return { receiver, taken, errors, send };
}

const refused = (code: number) => (error: unknown) =>
  error instanceof Error && 'responseCode' in error && error.responseCode === code;

test('mail is received unchanged, with its recipients and whether it has a sender', async () => {
  const { taken, send } = await start();
  await send(['ours+AbC@x.test', 'theirs@x.test']);
  await send(['ours@x.test'], 'a@b.test');
  assert.deepEqual(
    taken.map(({ recipients, hasNullSender }) => [recipients, hasNullSender]),
    [
      [['ours+AbC@x.test'], true],
      [['ours@x.test'], false],
    ],
  );
  assert.equal(taken[0]?.raw.toString(), RAW);
  await assert.rejects(send(['theirs@x.test']), refused(550));
});

test('mail that cannot be recorded gets a temporary rejection, and is accepted at the next attempt', async () => {
  let failures = 1;
  const { taken, errors, send } = await start(async () => {
    failures -= 1;
    if (failures === 0) throw new Error('The database is away.');
  });
  await assert.rejects(send(['ours@x.test']), refused(451));
  await send(['ours@x.test']);
  assert.deepEqual([taken.length, errors.length], [1, 1]);
});

test('closing waits for mail that is being recorded and accepts no more', async () => {
  const { promise: recorded, resolve: finish } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { receiver, taken, send } = await start(async () => {
    begin();
    await recorded;
  });
  const sent = send(['ours@x.test']);
  await begun;
  const closed = receiver.close();
  await assert.rejects(send(['ours@x.test']));
  assert.equal(taken.length, 0);
  finish();
  await sent;
  await closed;
  assert.equal(taken.length, 1);
});

test('a port in use is an error', async () => {
  const { receiver } = await start();
  const same = {
    port: receiver.port,
    host: '127.0.0.1',
    accepts: () => true,
    record: async () => {},
    onError: () => {},
  };
  await assert.rejects(startBounceReceiver(same), /EADDRINUSE/);
});
