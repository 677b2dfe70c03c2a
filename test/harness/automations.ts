/** Automations and their runs as tests make and see them. */
import type { Client } from './client.ts';
import { eventually } from './poll.ts';

/** A run as the list of its automation tells it. */
export interface ToldRun {
  readonly run_id: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'skipped';
  readonly error: string | null;
  readonly started_at: string;
  readonly finished_at: string;
  readonly actions: readonly {
    readonly key: string;
    readonly status: string;
    readonly error: string | null;
    // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came of it.
    readonly result: any;
  }[];
}

/** A run as its own address tells it. */
export interface WholeRun extends ToldRun {
  readonly trigger: {
    readonly entity: Readonly<Record<string, unknown>>;
    readonly previous: Readonly<Record<string, unknown>> | null;
  };
  readonly chain: readonly string[];
}

/** An action of an automation. */
export function action(key: string, actionTypeKey: string, params: object) {
  return { key, name: key, actionTypeKey, params };
}

/** An action that keeps what the run's trigger has as its result. */
export const TELLS_TRIGGER = action('told', 'log', { message: '{{trigger}}' });

/** An action that fails for good. */
export const FAILS = action('fails', 'httpRequest', { method: 'GET', url: '{{trigger.nothing}}' });

/** The body of an automation that is set off by hand, unless `more` says by what. */
export function automation(key: string, actions: readonly object[], more: object = {}) {
  const schedule = { triggerType: 'cronJob', triggerParams: { cronExpression: '0 0 29 2 *' } };
  const entity = 'entityKey' in more ? { triggerParams: {} } : {};
  return { key, name: key, app: 'tests', actions, ...schedule, ...entity, ...more };
}

/** Defines an automation, which is set off as `more` says, and tells by what it was unless that says what it does. */
export async function createAutomation(api: Client, key: string, more: object): Promise<void> {
  const body = { key, name: key, app: 'tests', triggerParams: {}, actions: [TELLS_TRIGGER], ...more };
  await api.post('/api/automations', body);
}

/** Replaces some of an automation. */
export async function changeAutomation(api: Client, key: string, more: object): Promise<void> {
  const { body } = await api.get(`/api/automations/${key}`);
  await api.put(`/api/automations/${key}`, { ...body, ...more });
}

/** Sets an automation off; returns the id of the run. */
export async function startRun(api: Client, key: string, trigger: object = {}): Promise<string> {
  return (await api.post(`/api/automations/${key}/run`, { trigger }, 202)).body.run_id;
}

interface RunPage {
  readonly results: readonly ToldRun[];
  readonly total: number;
}

async function pageOfRuns(api: Client, key: string): Promise<RunPage> {
  return (await api.get(`/api/automations/${key}/runs?limit=100`)).body;
}

/** The newest runs of an automation, the newest first. */
export async function listRuns(api: Client, key: string): Promise<readonly ToldRun[]> {
  return (await pageOfRuns(api, key)).results;
}

/** How many runs an automation has had. */
export async function countRuns(api: Client, key: string): Promise<number> {
  return (await pageOfRuns(api, key)).total;
}

/** The newest runs, the newest first, once there are so many of them and all have ended. */
export function endedRuns(
  api: Client,
  key: string,
  count: number,
  withinMs?: number,
): Promise<readonly ToldRun[]> {
  return eventually(
    `${count} runs of ${key} to end`,
    async () => {
      const { results, total } = await pageOfRuns(api, key);
      return total >= count && results.every(hasEnded) && results;
    },
    withinMs,
  );
}

/** The same with all that each run tells, the oldest first. */
export async function endedRunsInWhole(
  api: Client,
  key: string,
  count: number,
): Promise<readonly WholeRun[]> {
  const runs = await endedRuns(api, key, count);
  const whole = await Promise.all(
    runs.map(async ({ run_id }): Promise<WholeRun> => {
      return (await api.get(`/api/automations/${key}/runs/${run_id}`)).body;
    }),
  );
  return whole.reverse();
}

/** Waits until a run has ended; returns it. */
export function endOfRun(api: Client, key: string, runId: string, withinMs = 30_000): Promise<ToldRun> {
  return eventually(
    `the run ${runId} of ${key} to end`,
    async () => {
      const run = (await listRuns(api, key)).find(({ run_id }) => run_id === runId);
      return run && hasEnded(run) && run;
    },
    withinMs,
  );
}

function hasEnded({ status }: ToldRun): boolean {
  return status !== 'queued' && status !== 'running';
}
