import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type Client, createClient } from '../test/harness/client.ts';
import { type BenchDatabase, createBenchDatabase, openPool } from './harness/bench-database.ts';
import { type Child, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import type { Measured } from './harness/load.ts';
import { aimOn, type Bench } from './harness/options.ts';
import { seedSubscribers } from './harness/sample-subscribers.ts';
import { createSampleTenants, type SampleTenant } from './harness/sample-tenant.ts';
import { startSmtpSink } from './harness/smtp-sink.ts';

const AIM = 0.4;
const ROWS = 1_000_000;
/** Poll interval for an export in ms, much shorter than an export takes. */
const POLL_MS = 50;
const GROWTH_AIM_MIB = 100;

/**
 * Export of a tenant's subscribers until its mail is sent, against a bare COPY of the same columns that is discarded.
 */
export const reports: Bench = async (kind, options, onEnd) => {
  const rows = options.rows ?? ROWS;
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [tenant] = await createSampleTenants(database, [{ forms: 0 }]);
  if (!tenant) throw new Error('No tenant was created.');
  await database.asOwner((client) => seedSubscribers(client, tenant, rows));
  const sink = await startSmtpSink();
  onEnd(sink.stop);
  const tessera = await startTessera({ ...database.env, SMTP_URL: sink.relayUrl }, options);
  onEnd(tessera.stop);
  const admin = createClient(tessera.url, { authorization: `Bearer ${database.env.ADMIN_TOKEN}` });
  const domain = { domain: `${tenant.code}.example`, verified: true };
  await admin.post(`/admin/tenants/${tenant.code}/sending-domains`, domain);
  const api = createClient(tessera.url, { 'x-api-key': tenant.apiKey });
  if (kind === 'embedded') {
    // It has no COPY to a client, and the process uses its only connection.
    const { rate, cpuMicros } = await exportAll(tessera, api, rows);
    console.log(
      `reports (${kind}): ${rate.toFixed(0)} rows per second, ${cpuMicros?.toFixed(1)} us of processor time each`,
    );
    return true;
  }
  const isReached = await compare({
    name: `reports (${kind})`,
    against: 'a bare COPY of the same columns',
    aim: aimOn(kind, AIM),
    limit: () => copyAll(database, tenant, rows),
    tessera: () => exportAll(tessera, api, rows),
  });
  const before = await tessera.residentMebibytes();
  const growth = (await tessera.peakMebibytes(() => exportAll(tessera, api, rows))) - before;
  const isBounded = growth <= GROWTH_AIM_MIB;
  console.log(
    `reports (${kind}): at most ${growth.toFixed(0)} MiB more than ${before.toFixed(0)} during the export ` +
      `(aim ${GROWTH_AIM_MIB}${isBounded ? '' : ', MISSED'})`,
  );
  return isReached && isBounded;
};

async function exportAll(tessera: Child, api: Client, rows: number): Promise<Measured> {
  const cpuBefore = await tessera.cpuSeconds();
  const begun = performance.now();
  const { messageId } = (
    await api.post('/api/reports/export', {
      receiver_email: 'reader@example.com',
      report_type: 'subscribers',
      output_format: 'csv',
      filters: {},
    })
  ).body;
  for (;;) {
    const { body } = await api.get(`/api/reports/export/${messageId}`);
    if (body.status === 'failed' || (body.rows !== null && body.rows !== rows))
      throw new Error(`The export ended as ${JSON.stringify(body)}.`);
    if (body.status === 'sent') break;
    await pause(POLL_MS);
  }
  const seconds = (performance.now() - begun) / 1000;
  const cpuMicros = ((await tessera.cpuSeconds()) - cpuBefore) * (1e6 / rows);
  return { rate: rows / seconds, count: rows, cpuMicros };
}

async function copyAll({ env }: BenchDatabase, { tenantId }: SampleTenant, rows: number): Promise<Measured> {
  const { pool, close } = await openPool(env);
  const client = await pool.connect();
  try {
    const begun = performance.now();
    const copied = await copyToNowhere(client, tenantId);
    if (copied !== rows) throw new Error(`${copied} rows were copied.`);
    return { rate: rows / ((performance.now() - begun) / 1000), count: rows, cpuMicros: null };
  } finally {
    client.release();
    await close();
  }
}

/** `pg` drops what COPY sends. */
async function copyToNowhere(client: pg.PoolClient, tenantId: string): Promise<number> {
  const groups = (isAudience: boolean) => `(select coalesce(json_agg(m.group_id order by m.group_id), '[]')
    from subscriber_group_members m where m.tenant_id = '${tenantId}' and m.subscriber_id = s.id
      and m.is_audience = ${isAudience})`;
  const { rowCount } = await client.query(`copy (
    select id, first_name, last_name, email, active, inactive_reason, ${groups(true)}, ${groups(false)},
      additional_fields_data ->> 'city', additional_fields_data ->> 'visits',
      (select coalesce(json_agg(json_build_object('subscription_type_id', p.subscription_type_id, 'subscribed', p.subscribed,
          'subscribed_date', p.subscribed_date, 'unsubscribed_date', p.unsubscribed_date)), '[]')
        from subscription_preferences p where p.tenant_id = '${tenantId}' and p.subscriber_id = s.id),
      owner_bu_id, version, created_at, updated_at
    from subscribers s where s.tenant_id = '${tenantId}' order by created_at desc, id desc) to stdout (format csv, header)`);
  return rowCount ?? 0;
}
