import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { wholeTenant } from '../../src/tenancy/scope.ts';
import { tenantRow } from '../../src/tenancy/tenant-row.ts';
import { type Client, createClient } from '../harness/client.ts';
import { createMailTenant, mailsTo } from '../harness/mail.ts';
import { eventually } from '../harness/poll.ts';
import { startProcess, type TestProcess } from '../harness/process.ts';
import { startRelay } from '../harness/relay.ts';
import { startOwnApp } from '../harness/test-app.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const ROWS = 30_000;
/** The job of a killed process is retried when its lease ends. */
const LEASE_BOUND_MS = 120_000;

const relay = await startRelay();
const site = await startOwnApp({ SMTP_URL: relay.url });
const { tenantId, defaultUnitId, apiKey } = await createMailTenant(site);
await site.app.platform.scoped(wholeTenant(tenantId)).raw(
  (tenant) => sql`
  insert into subscribers (tenant_id, id, owner_bu_id, version, created_at, updated_at, first_name, email, address_key, active)
  select tenant_row.tenant_id, md5(n::text)::uuid, ${defaultUnitId}::uuid, 1, now(), now(), 'Ada',
    'ada' || n || '@example.com', 'ada' || n || '@example.com', true
  from generate_series(1, ${ROWS}::int) n cross join ${tenantRow(tenant)}`,
);
// The embedded database belongs to one process.
await site.app.stop();

// The log contains a line for each startup.
const env = { ...site.env, LOG_LEVEL: 'info' };

const at = ({ url }: TestProcess): Client => createClient(url, { 'x-api-key': apiKey });

test('an export interrupted by a kill is written again and mailed once', async () => {
  const first = await startProcess(env);
  const receiver_email = 'reader@example.com';
  const body = { receiver_email, report_type: 'subscribers', output_format: 'csv', filters: {} };
  const { messageId } = (await at(first).post('/api/reports/export', body)).body;
  await eventually('the export to be written', async () => {
    const { status } = (await at(first).get(`/api/reports/export/${messageId}`)).body;
    return status === 'running';
  });
  await first.kill('SIGKILL');
  assert.deepEqual(relay.messages, []);

  const next = await startProcess(env);
  const ended = await eventually(
    'the export to be sent',
    async () => {
      const progress = (await at(next).get(`/api/reports/export/${messageId}`)).body;
      return progress.status === 'sent' ? progress : null;
    },
    LEASE_BOUND_MS,
  );
  assert.equal(ended.rows, ROWS);
  const [mail, ...more] = await mailsTo(relay, receiver_email);
  assert.deepEqual(more, []);
  const lines = String(mail?.attachments[0]?.content).split('\r\n');
  assert.equal(new Set(lines).size, ROWS + 2);
});
