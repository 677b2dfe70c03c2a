/** Megabytes of one tenant's mail: memory stays bounded, and other tenants do not wait. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { SMTPServerOptions } from 'smtp-server';
import { createMailTenantAt, transmissionBody } from '../harness/mail.ts';
import { startOwnSite } from '../harness/own-site.ts';
import { eventually } from '../harness/poll.ts';
import { startRelay } from '../harness/relay.ts';
import { residentMib, withoutResidentMemory } from '../harness/resident-memory.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const LINKS = 6500;
const RECIPIENTS = 1000;
const MIB = 1024 * 1024;
/** Number of messages that would need a gigabyte more than allowed if memory were unbounded. */
const WATCHED = 40;
/** Allowance over the memory before: the budget, threads and their heaps, and garbage that is not collected yet. */
const MAX_GROWTH_MIB = 700;
/** Time for another tenant's message and call on a busy machine, in ms. */
const PATIENCE_MS = 30_000;
/** Maximum number of messages of the other tenant until the large ones arrive; nearly 100 on an idle machine. */
const MAX_OTHER_MESSAGES = 500;

/** A megabyte with a different link in every line. */
const html = Array.from(
  { length: LINKS },
  (_, n) => `<p><a href="https://shop.example/articles/${n}?from=news">${'x'.repeat(90)} ${n}</a></p>\n`,
).join('');

/** Recipients and sizes of received messages; the messages themselves would fill this process. */
const arrived: { readonly address: string; readonly bytes: number }[] = [];
const onData: SMTPServerOptions['onData'] = (stream, { envelope }, done) => {
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  stream.on('end', () => {
    arrived.push({ address: envelope.rcptTo[0]?.address ?? '', bytes });
    done();
  });
};

test('1 MB with 6,500 tracked links to 1,000 recipients leaves memory bounded and others served', {
  skip: withoutResidentMemory,
}, async () => {
  assert.ok(html.length > MIB);
  const relay = await startRelay({ onData });
  const { server, admin } = await startOwnSite({ SMTP_URL: relay.url });
  const heavy = await createMailTenantAt(server.url, admin);
  const other = await createMailTenantAt(server.url, admin);
  /** Sends a message of the other tenant and waits until it arrives. */
  const sendToPerson = async (address: string) => {
    await other.api.post('/api/transmissions', transmissionBody(other, { recipients: [{ address }] }));
    const isThere = () => arrived.some((each) => each.address === address);
    await eventually(`the message to ${address}`, isThere, PATIENCE_MS);
  };
  await sendToPerson('before@person.example');

  const before = await residentMib(server.pid);
  await heavy.api.post(
    '/api/transmissions',
    transmissionBody(heavy, {
      content: { from: `shop@${heavy.domain}`, subject: 'News', html },
      recipients: Array.from({ length: RECIPIENTS }, (_, n) => ({
        address: `r${n}@domain${n % 10}.example`,
      })),
      options: { transactional: false, click_tracking: true, open_tracking: true },
    }),
  );
  let most = before;
  for (let count = 0; arrived.filter(({ bytes }) => bytes > MIB).length < WATCHED; count += 1) {
    assert.ok(count < MAX_OTHER_MESSAGES, 'the large messages arrive');
    await sendToPerson(`meanwhile${count}@person.example`);
    const startedAt = performance.now();
    await other.api.get('/api/forms/none', 404);
    assert.ok(performance.now() - startedAt < PATIENCE_MS, 'a call is answered');
    most = Math.max(most, await residentMib(server.pid));
    await pause(20);
  }
  const more = Math.round(most - before);
  assert.ok(more < MAX_GROWTH_MIB, `${more} MiB above the ${Math.round(before)} MiB before`);
});
