import assert from 'node:assert/strict';
import test from 'node:test';
import { transmissionBody } from '../harness/mail.ts';
import { asOwner, endLeases, startMailSite } from '../harness/mail-site.ts';
import { eventually } from '../harness/poll.ts';
import { startProcess } from '../harness/process.ts';

export const runsOn = ['server'];

const MESSAGES = 2000;
const CONNECTIONS = 5;

test('a kill while 2,000 messages are sent loses none and repeats at most the connections in flight', async () => {
  const { env, process: first, relay, tenant } = await startMailSite(CONNECTIONS);
  const addresses = Array.from({ length: MESSAGES }, (_, n) => `r${n}@domain${n % 10}.example`);
  const recipients = addresses.map((address) => ({ address }));
  await tenant.api.post('/api/transmissions', transmissionBody(tenant, { recipients }));
  await eventually('messages to go out', () => relay.messages.length >= 300, 60_000);
  await first.kill('SIGKILL');
  assert.ok(relay.messages.length < MESSAGES, 'it was in the middle');
  await endLeases(env);
  await startProcess(env);
  const recipientsOf = () => new Set(relay.messages.flatMap(({ rcptTo }) => rcptTo));
  await eventually('every message', () => recipientsOf().size === MESSAGES, 120_000);
  const unsent = async () => {
    const rows = await asOwner(
      env,
      "select count(*)::int as count from email_messages where status <> 'sent'",
    );
    return Number(rows[0]?.count);
  };
  if (env.DATABASE_URL) await eventually('every message to be noted', async () => (await unsent()) === 0);
  assert.ok(relay.messages.length - MESSAGES <= CONNECTIONS, `${relay.messages.length - MESSAGES} repeats`);
  const repeated = Map.groupBy(relay.messages, ({ rcptTo }) => rcptTo.join());
  for (const copies of repeated.values()) {
    const ids = new Set(copies.map(({ raw }) => /^Message-ID: .*$/im.exec(raw.toString('latin1'))?.[0]));
    assert.equal(ids.size, 1, 'a repeated message has the same Message-ID');
  }
});
