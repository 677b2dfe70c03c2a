/** A process whose automations run actions of all types (`ACTION_CASES`), for tests that kill it. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after } from 'node:test';
import { ACTION_CASES, type CaseSite, prepareCases, type Subject } from './action-cases.ts';
import { action, automation, type ListedRun, listRuns, startRun } from './automations.ts';
import { createClient } from './client.ts';
import { createMailTenantAt } from './mail.ts';
import { endLeases } from './mail-site.ts';
import { signIn } from './members.ts';
import { startModelProvider } from './model-provider.ts';
import { eventually } from './poll.ts';
import { killProcesses, startProcess, type TestProcess } from './process.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { testEnv } from './test-app.ts';
import { createTestDatabase } from './test-database.ts';

/** Maximum wait for all runs to end. */
const MAX_WAIT_MS = 180_000;

/** A database with one process that serves requests. */
export interface ActionSite {
  /** The environment, for further processes on the same data. */
  readonly env: Readonly<Record<string, string>>;
  readonly receiver: Receiver;
  /** Client and data of the running process. */
  current(): CaseSite;
  /** Kills the process and starts another. */
  restart(): Promise<void>;
}

/** Starts a site with `more` in the environment of its process; it is stopped after the file's tests. */
export async function startActionSite(more: Readonly<Record<string, string>> = {}): Promise<ActionSite> {
  const database = await createTestDatabase();
  after(async () => {
    await killProcesses();
    await database.remove();
  });
  const receiver = await startReceiver();
  const models = await startModelProvider();
  const env = { ...testEnv(database), LOG_LEVEL: 'info', LLM_BASE_URL: models.url, ...more };
  let running: TestProcess = await startProcess(env);
  const admin = createClient(running.url, { authorization: `Bearer ${env.ADMIN_TOKEN}` });
  const tenant = await createMailTenantAt(running.url, admin);
  const { token } = await signIn(tenant.api, tenant.ownerEmail);
  const facts = await prepareCases(tenant.api);
  return {
    env,
    receiver,
    restart: async () => {
      assert.equal((await running.kill('SIGKILL')).signal, 'SIGKILL');
      await endLeases(env);
      running = await startProcess(env);
    },
    current: () => ({
      api: createClient(running.url, { 'x-api-key': tenant.apiKey }),
      owner: createClient(running.url, { authorization: `Bearer ${token}` }),
      ...{ domain: tenant.domain, receiverUrl: receiver.url, facts },
    }),
  };
}

/** Delays the responses to calls whose path begins with a prefix, until the returned function is called. */
export function delayCalls(receiver: Receiver, prefix: string): () => void {
  const delayed: ServerResponse[] = [];
  receiver.answer = ({ path }, response) => {
    if (path.startsWith(prefix)) delayed.push(response);
    else response.end('{}');
  };
  return () => {
    receiver.answer = (_request, response) => {
      response.end('{}');
    };
    for (const response of delayed) response.end('{}');
  };
}

/** Returns the calls to a path. */
export function callsOf({ received }: Receiver, path: string) {
  return received.filter((request) => request.path === path);
}

/** Returns the idempotency keys of the calls to a path. */
export function keysOf(receiver: Receiver, path: string): Set<unknown> {
  return new Set(callsOf(receiver, path).map(({ headers }) => headers['idempotency-key']));
}

/** Runs of automations with one action of each type. */
export interface AllActions {
  readonly runs: number;
  /** Subjects by action type, one for each run. */
  readonly subjects: ReadonlyMap<string, readonly Subject[]>;
}

/** Starts `runs` runs with one action of each type. */
export async function startAllActions(site: CaseSite, runs: number): Promise<AllActions> {
  const actions = Object.entries(ACTION_CASES).map(([key, { params }]) => action(key, key, params(site)));
  // On a busy machine a run with all actions takes longer than the usual limit.
  const triggerParams = { cronExpression: '0 0 29 2 *', timeoutMs: MAX_WAIT_MS };
  await site.api.post('/api/automations', automation('all', actions, { triggerParams }));
  const triggers: Record<string, Subject>[] = Array.from({ length: runs }, () => ({}));
  const subjects = new Map<string, Subject[]>();
  for (const [key, { subject }] of Object.entries(ACTION_CASES)) {
    const own: Subject[] = [];
    for (const [n, trigger] of triggers.entries()) {
      const created = await subject(site, `n${n}_${key}`);
      own.push(created);
      trigger[key] = created;
    }
    subjects.set(key, own);
  }
  for (const trigger of triggers) await startRun(site.api, 'all', trigger);
  return { runs, subjects };
}

/** Waits until all runs have succeeded, and asserts that each action has happened once per run. */
export async function assertAllHappened(site: ActionSite, { runs, subjects }: AllActions): Promise<void> {
  const ended = await eventually('all runs to end', () => endedRuns(site.current(), runs), MAX_WAIT_MS);
  assert.deepEqual(
    ended.filter(({ status }) => status !== 'succeeded'),
    [],
  );
  for (const [key, { countEffects }] of Object.entries(ACTION_CASES)) {
    if (countEffects === null) continue;
    await assertTimes(key, runs, () => countEffects(site.current(), subjects.get(key) ?? []));
  }
  for (const { name } of subjects.get('httpRequest') ?? [])
    assert.equal(keysOf(site.receiver, `/${name}`).size, 1, 'a repeated call has the same key');
}

/** Waits until `count` returns at least `times`, then asserts that it returns exactly that. */
export async function assertTimes(what: string, times: number, count: () => Promise<number>): Promise<void> {
  await eventually(`${what} to happen`, async () => (await count()) >= times);
  assert.equal(await count(), times, `${what} must happen ${times} times`);
}

async function endedRuns(site: CaseSite, count: number): Promise<readonly ListedRun[] | null> {
  const runs = await listRuns(site.api, 'all');
  const ended = runs.filter(({ status }) => status !== 'queued' && status !== 'running');
  return ended.length === count ? ended : null;
}
