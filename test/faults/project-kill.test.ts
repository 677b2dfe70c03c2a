import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { startApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { wholeTenant } from '../../src/tenancy/scope.ts';
import { createClient } from '../harness/client.ts';
import { createProject } from '../harness/documents.ts';
import { countStored, fillProject, isBeingDeleted } from '../harness/many-documents.ts';
import { eventually } from '../harness/poll.ts';
import { killProcesses, startProcess } from '../harness/process.ts';
import { startOwnApp } from '../harness/test-app.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const DOCUMENTS = 20_000;
/** A job that was killed is retried when its lease ends. */
const LEASE_BOUND_MS = 150_000;

test('a kill during a deletion leaves no record, and each has one entry in history', async () => {
  const first = await startOwnApp();
  after(killProcesses);
  const tenant = await first.createTenant();
  const { id } = await createProject(tenant.api);
  await fillProject(first.app.platform, tenant, id, DOCUMENTS);
  await first.app.stop();

  const killed = await startProcess({ ...first.env, LOG_LEVEL: 'info' });
  const api = createClient(killed.url, { 'x-api-key': tenant.apiKey });
  await api.delete(`/api/pages/project_metadata/${id}`);
  await killed.kill('SIGKILL');

  const { platform, stop } = await startApp(loadConfig(first.env), { log: pino({ level: 'fatal' }) });
  after(stop);
  const left = await countStored(platform, tenant, id);
  assert.ok(left > 0 && left < DOCUMENTS, `${left} were left: it was in the middle`);
  await eventually(
    'the end of the deletion',
    async () => !(await isBeingDeleted(platform, tenant, id)),
    LEASE_BOUND_MS,
  );
  assert.equal(await countStored(platform, tenant, id), 0);
  const { rows } = await platform.scoped(wholeTenant(tenant.tenantId)).raw(
    (of) => sql<{ entries: number }>`
      select count(*)::int as entries from record_history
      where tenant_id = ${of}::uuid and entity_type = 'pages_document' and deleted`,
  );
  assert.equal(rows[0]?.entries, DOCUMENTS);
});
