import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { type Client, createClient } from '../test/harness/client.ts';
import { type BenchDatabase, createBenchDatabase } from './harness/bench-database.ts';
import { startTessera } from './harness/children.ts';
import type { Bench } from './harness/options.ts';
import { createMailSender } from './harness/sample-mail.ts';
import { seedSubscribers } from './harness/sample-subscribers.ts';
import { createSampleTenants, type SampleTenant } from './harness/sample-tenant.ts';
import { type SmtpSink, startSmtpSink } from './harness/smtp-sink.ts';

/** Default number of subscribers (`--rows`). Half of them are in the list, and nine in ten of those are active. */
const SUBSCRIBERS = 200_000;
const RECIPIENT_SHARE = 0.45;
const CONNECTIONS = 20;
const FIRST_WITHIN_MS = 3000;
const SNAPSHOT_AIM = 0.5;
/** Recipients of the small email whose figures are read for comparison. */
const FEW = 20;
const READS = 40;
/** Maximum ratio of the time to read the large email's figures to that of the small email's. */
const READING_AIM = 1.5;
const POLL_MS = 50;

const HTML =
  '<p>Hello {{subscriber.first_name}} of {{subscriber.city}}. <a href="https://shop.example/p">Have a look</a></p>';

/**
 * An email to 90,000 recipients: time to its first message, the audience snapshot, and reading its figures. The relay
 * pauses during the snapshot, so that the snapshot has the machine to itself, like its limit.
 */
export const campaign: Bench = async (kind, options, onEnd) => {
  const subscribers = options.rows ?? SUBSCRIBERS;
  const recipients = subscribers * RECIPIENT_SHARE;
  const sink = await startSmtpSink();
  onEnd(sink.stop);
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [tenant] = await createSampleTenants(database, [{ forms: 0 }]);
  if (!tenant) throw new Error('No tenant was created.');
  const lists = await database.asOwner((client) => seedSubscribers(client, tenant, subscribers));
  const bareMs = await database.asOwner((client) => insertBare(client, tenant, lists.half));
  const relay = { SMTP_URL: sink.relayUrl, SMTP_CONNECTIONS: String(CONNECTIONS) };
  const tessera = await startTessera({ ...database.env, ...relay }, options);
  onEnd(tessera.stop);
  const { api, from } = await prepare(tessera.url, database, tenant);
  const few = await send(api, from, await createFew(api), sink);
  await sink.waitFor(FEW);
  const many = await send(api, from, lists.half, sink);
  const isFast = reportTime(kind, 'first message handed over', many.firstMs, FIRST_WITHIN_MS);
  await sink.pause();
  const snapshotMs = await snapshotTime(api, many);
  await sink.resume();
  const ratio = bareMs / snapshotMs;
  const isSnapshotFast = ratio >= SNAPSHOT_AIM;
  console.log(
    `campaign (${kind}): audience snapshot of ${recipients} recipients ${ratio.toFixed(2)} of a bare insert ... select ` +
      `(aim ${SNAPSHOT_AIM}${isSnapshotFast ? '' : ', MISSED'}); ${snapshotMs.toFixed(0)}/${bareMs.toFixed(0)} ms`,
  );
  const isReadDuring = await compareReads(`${kind}, while sending`, api, many, few);
  const arrivals = await sink.waitFor(recipients);
  const seconds = ((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)) / 1000;
  const memory = await tessera.residentMebibytes();
  console.log(
    `campaign (${kind}): ${(recipients / seconds).toFixed(0)} messages a second, ${memory.toFixed(0)} MiB`,
  );
  await untilSent(api, many);
  const isReadAfter = await compareReads(`${kind}, afterwards`, api, many, few);
  return isFast && isSnapshotFast && isReadDuring && isReadAfter;
};

/** The limit: writes the same messages with one statement, without checks for duplicates. Rolled back. */
async function insertBare(
  client: pg.PoolClient,
  { tenantId }: SampleTenant,
  listId: string,
): Promise<number> {
  await client.query('begin');
  const begun = performance.now();
  await client.query(
    `insert into email_messages (tenant_id, id, target_id, lane, state, due_at, attempts, transmission_id, position,
       created_at, subscriber_id, recipient, address, name, status)
     select s.tenant_id, gen_random_uuid(), s.id, 1, 'pending', 'infinity', 0, $2::uuid, row_number() over (), now(), s.id,
       s.address_key, s.email, s.first_name, 'queued'
     from subscriber_group_members m join subscribers s on s.tenant_id = m.tenant_id and s.id = m.subscriber_id
     where m.tenant_id = $1 and m.group_id = $2 and s.active`,
    [tenantId, listId],
  );
  const ms = performance.now() - begun;
  await client.query('rollback');
  await client.query('vacuum email_messages');
  return ms;
}

async function prepare(url: string, { env }: BenchDatabase, { code, apiKey }: SampleTenant) {
  const { api } = await createMailSender(url, { adminToken: env.ADMIN_TOKEN ?? '', code, apiKey });
  const dates = { start_date: '2026-01-01', colour: '#000000' };
  await api.post('/api/campaigns', { code: 'BENCH', name: 'Bench', audience: 'All', ...dates });
  return { api: createClient(url, { 'x-api-key': apiKey }), from: `shop@${code}.example` };
}

/** Creates a small list with its subscribers. */
async function createFew(api: Client): Promise<string> {
  const { id } = (await api.post('/api/lists', { name: 'Few' })).body;
  for (let n = 0; n < FEW; n += 1) {
    const data = { additional_fields_data: { city: 'Ghent' }, lists: [id], audiences: [] };
    const subscriber = { first_name: 'Few', email: `few${n}@example.com`, active: true };
    await api.post('/api/subscribers', { ...subscriber, ...data });
  }
  return id;
}

interface Sent {
  readonly id: string;
  readonly path: string;
  readonly begun: number;
  /** Time until the first message arrived. */
  readonly firstMs: number;
}

async function send(api: Client, from: string, listId: string, sink: SmtpSink): Promise<Sent> {
  await sink.reset();
  const more = { status: 'Ready', from_email: from, list_ids: [listId], content: { html: HTML } };
  const email = { name: 'Bench', subject: 'For {{subscriber.first_name}}', ...more };
  const { id } = (await api.post('/api/campaigns/BENCH/emails', email)).body;
  const path = `/api/campaigns/BENCH/emails/${id}`;
  const begun = performance.now();
  await api.get(`${path}/process`);
  await sink.waitFor(1);
  return { id, path, begun, firstMs: performance.now() - begun };
}

/** Returns the time until all messages were written. */
async function snapshotTime(api: Client, { path, begun }: Sent): Promise<number> {
  const { job_id: jobId } = (await api.get(`${path}/process`)).body;
  for (;;) {
    const { counts, state } = (await api.get(`/api/transmissions/${jobId}`)).body;
    if (counts.recipients > 0 || state === 'completed') return performance.now() - begun;
    await wait(POLL_MS);
  }
}

async function untilSent(api: Client, { path }: Sent): Promise<void> {
  while ((await api.get(path)).body.status !== 'Sent') await wait(POLL_MS);
}

/** Requests that read an email and its figures. */
const READ_REQUESTS: Readonly<Record<string, (api: Client, sent: Sent) => Promise<unknown>>> = {
  figures: (api, { path }) => api.get(path),
  'clicked links': (api, { path }) => api.get(`${path}/clicked-links-data`),
  'first page of engagement': (api, { id }) =>
    api.post('/api/campaigns/BENCH/engagements', { page: 1, limit: 20, filters: { marketingEmailId: id } }),
};

/** Compares reading the large email with reading the small one, alternating, so that other load affects both. */
async function compareReads(when: string, api: Client, many: Sent, few: Sent): Promise<boolean> {
  let isReached = true;
  for (const [what, read] of Object.entries(READ_REQUESTS)) {
    const [ofMany, ofFew]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < READS; turn += 1) {
      ofMany.push(await timed(() => read(api, many)));
      ofFew.push(await timed(() => read(api, few)));
    }
    const [manyMs, fewMs] = [median(ofMany), median(ofFew)];
    const isNear = manyMs <= fewMs * READING_AIM;
    isReached &&= isNear;
    console.log(
      `campaign (${when}): ${what} ${(manyMs / fewMs).toFixed(2)} of the time for ${FEW} recipients ` +
        `(aim ${READING_AIM} at most${isNear ? '' : ', MISSED'}); ${manyMs.toFixed(1)}/${fewMs.toFixed(1)} ms`,
    );
  }
  return isReached;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function reportTime(kind: string, what: string, ms: number, aimMs: number): boolean {
  const isReached = ms <= aimMs;
  console.log(
    `campaign (${kind}): ${what} after ${ms.toFixed(0)} ms (aim ${aimMs}${isReached ? '' : ', MISSED'})`,
  );
  return isReached;
}
