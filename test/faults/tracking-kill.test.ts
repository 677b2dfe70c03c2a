/** Opens and clicks of a process that is killed, and of one whose database does not answer. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { simpleParser } from 'mailparser';
import pg from 'pg';
import { transmissionBody } from '../harness/mail.ts';
import { asOwner, type MailSite, startMailSite } from '../harness/mail-site.ts';
import { eventually } from '../harness/poll.ts';
import { databaseKind } from '../harness/test-database.ts';

export const runsOn = ['embedded', 'server'];

const RECIPIENTS = 4;
const HEADERS = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0' };

/** Sends a message with a link to each recipient. Returns the addresses of their pixels and links. */
async function sendTracked({ relay, tenant }: MailSite) {
  const { domain } = tenant;
  const body = transmissionBody(tenant, {
    recipients: Array.from({ length: RECIPIENTS }, (_, n) => ({ address: `r${n}@example.com` })),
    options: { transactional: true, open_tracking: true, click_tracking: true },
    content: {
      from: `Shop <shop@${domain}>`,
      subject: 'Hello',
      html: '<html><body><a href="https://shop.test/">Shop</a></body></html>',
    },
  });
  await tenant.api.post('/api/transmissions', body);
  await eventually('all messages', () => relay.messages.length === RECIPIENTS);
  const texts = await Promise.all(
    relay.messages.map(async ({ raw }) => (await simpleParser(raw)).html || ''),
  );
  const found = (pattern: RegExp) => texts.map((text) => pattern.exec(text)?.[0] ?? 'missing');
  return { pixels: found(/http[^"]*\/t\/o\/[\w-]+/), links: found(/http[^"]*\/t\/c\/[\w-]+/) };
}

/** Opens an address as a mail program does. */
async function open(process: MailSite['process'], address: string): Promise<number> {
  const url = new URL(new URL(address).pathname, process.url);
  const response = await fetch(url, { headers: HEADERS, redirect: 'manual' });
  await response.arrayBuffer();
  return response.status;
}

/** Counts recorded events and the messages that they changed. */
async function recorded(env: MailSite['env']) {
  const [row] = await asOwner(
    env,
    `select (select count(*)::int from email_message_events where type = 'open') as opens,
      (select count(*)::int from email_message_events where type = 'click') as clicks,
      count(opened_at)::int as opened, count(clicked_at)::int as clicked from email_messages`,
  );
  return row;
}

test('a kill loses no open and no click that was answered', async () => {
  const site = await startMailSite(RECIPIENTS);
  const { pixels, links } = await sendTracked(site);
  const statuses = await Promise.all([...pixels, ...links.slice(0, 2)].map((url) => open(site.process, url)));
  await site.process.kill('SIGKILL');
  assert.deepEqual(statuses, [200, 200, 200, 200, 302, 302]);
  assert.deepEqual(await recorded(site.env), { opens: 4, clicks: 2, opened: 4, clicked: 2 });
});

test('a link leads to its target while the database does not answer, and the click is recorded afterwards', {
  skip: databaseKind() === 'embedded' && 'a locked table needs TEST_DATABASE_URL',
}, async () => {
  const site = await startMailSite(RECIPIENTS);
  const { links } = await sendTracked(site);
  const [connectionString] = site.env.DATABASE_URL?.split('?') ?? [];
  const other = new pg.Client({ connectionString });
  await other.connect();
  await other.query('begin');
  await other.query('lock table email_message_events in access exclusive mode');
  assert.deepEqual(await Promise.all(links.map((url) => open(site.process, url))), [302, 302, 302, 302]);
  await other.query('commit');
  await other.end();
  await eventually('the clicks', async () => (await recorded(site.env))?.clicks === RECIPIENTS);
});
