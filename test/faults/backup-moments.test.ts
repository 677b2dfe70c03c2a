/** Backups while the service accepts submissions. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import type { SqlPool } from '../../src/db/pool.ts';
import { startFaultSite, undelivered } from '../harness/fault-site.ts';
import { asOwner, freshDatabase, freshFolder } from '../harness/fresh-database.ts';
import { eventually } from '../harness/poll.ts';
import { runTessera, startProcess } from '../harness/process.ts';
import { listSubmissionIds, submitMany } from '../harness/submission-load.ts';
import { testServerUrl } from '../harness/test-database.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

/** Deliveries of an ended process are retried when their lease ends. */
const LEASE_BOUND_MS = 60_000;

const serverUrl = testServerUrl();
const folder = await freshFolder();

/** Backs up the database of `from` and restores it into an empty one; returns the environment of that. */
async function moveAway(
  from: Readonly<Record<string, string>>,
  name: string,
): Promise<Record<string, string>> {
  const file = join(folder, name);
  const written = await runTessera(['backup', file], from);
  assert.equal(written.code, 0, written.output);
  const { DATABASE_URL: _, ...shared } = from;
  const env = { ...shared, ...(await freshDatabase(serverUrl)) };
  const restored = await runTessera(['restore', file], env);
  assert.equal(restored.code, 0, restored.output);
  return env;
}

/** Counts the submissions and the rows written with each; the numbers are equal if the backup is consistent. */
async function countSubmissions({ pool }: SqlPool): Promise<Record<string, number>> {
  const { rows } = await pool.query<Record<string, number>>(`
    select (select count(*) from form_submissions) as submissions,
      (select sum(submissions)::bigint from form_counts) as counted,
      (select count(*) from form_submissions s join record_history h on h.tenant_id = s.tenant_id
        and h.entity_type = 'form_submission' and h.sort_key = s.id::text) as versions,
      (select count(*) from record_history where entity_type = 'form_submission') as all_versions,
      (select count(*) from form_submissions s join webhook_deliveries d on d.submission_id = s.id) as deliveries,
      (select count(*) from webhook_deliveries) as all_deliveries`);
  return rows[0] ?? {};
}

test('a backup during submissions contains each with its history, count and delivery', async () => {
  const site = await startFaultSite();
  let going = true;
  const streaming = Promise.withResolvers<void>();
  const stream = async () => {
    const ids: string[] = [];
    while (going) {
      const { accepted, failed } = await submitMany(site.at(site.process), site.formCode, {
        count: 20,
        concurrency: 4,
      });
      ids.push(...accepted);
      if (failed > 0) break;
      streaming.resolve();
    }
    return ids;
  };
  const submitted = stream();
  await streaming.promise;
  // The embedded database belongs to one process, so that process is stopped first.
  if (!serverUrl) await site.process.kill('SIGTERM');
  const env = await moveAway(site.env, 'streaming.backup');
  going = false;
  const accepted = await submitted;

  const counts = await asOwner(env, countSubmissions);
  assert.ok(Number(counts.submissions) >= 20, 'those from before the backup are there');
  assert.deepEqual(new Set(Object.values(counts)), new Set([counts.submissions]), JSON.stringify(counts));
  if (serverUrl) await site.process.kill('SIGTERM');
  const restored = await startProcess(env);
  const stored = await listSubmissionIds(site.at(restored), site.formCode);
  assert.equal(stored.size, counts.submissions);
  if (!serverUrl)
    assert.deepEqual(
      accepted.filter((id) => !stored.has(id)),
      [],
    );
  await eventually(
    'every restored submission to be delivered',
    () => undelivered(stored, site.receiver).length === 0,
    LEASE_BOUND_MS,
  );
});
