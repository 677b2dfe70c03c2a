/** Creates automations and reads their runs. */
import type { Client } from './client.ts';
import { eventually } from './poll.ts';

/** A run in the list of its automation. */
export interface ListedRun {
  readonly run_id: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'skipped';
  readonly error: string | null;
  readonly started_at: string;
  readonly finished_at: string;
  readonly actions: readonly {
    readonly key: string;
    readonly status: string;
    readonly error: string | null;
    // biome-ignore lint/suspicious/noExplicitAny: tests assert on arbitrary results.
    readonly result: any;
  }[];
}

/** A run as GET returns it. */
export interface DetailedRun extends ListedRun {
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

/** An action whose result is the data of the run's trigger. */
export const LOG_TRIGGER = action('told', 'log', { message: '{{trigger}}' });

/** An action that fails permanently. */
export const FAILS = action('fails', 'httpRequest', { method: 'GET', url: '{{trigger.nothing}}' });

/** Returns the body of an automation, by default with a manual trigger; `more` overrides fields. */
export function automation(key: string, actions: readonly object[], more: object = {}) {
  const schedule = { triggerType: 'cronJob', triggerParams: { cronExpression: '0 0 29 2 *' } };
  const entity = 'entityKey' in more ? { triggerParams: {} } : {};
  return { key, name: key, app: 'tests', actions, ...schedule, ...entity, ...more };
}

/** Creates an automation with the trigger in `more`. Without actions in `more` its result is the trigger's data. */
export async function createAutomation(api: Client, key: string, more: object): Promise<void> {
  const body = { key, name: key, app: 'tests', triggerParams: {}, actions: [LOG_TRIGGER], ...more };
  await api.post('/api/automations', body);
}

/** Changes fields of an automation. */
export async function changeAutomation(api: Client, key: string, more: object): Promise<void> {
  const { body } = await api.get(`/api/automations/${key}`);
  await api.put(`/api/automations/${key}`, { ...body, ...more });
}

/** Triggers an automation; returns the id of the run. */
export async function startRun(api: Client, key: string, trigger: object = {}): Promise<string> {
  return (await api.post(`/api/automations/${key}/run`, { trigger }, 202)).body.run_id;
}

interface RunPage {
  readonly results: readonly ListedRun[];
  readonly total: number;
}

async function pageOfRuns(api: Client, key: string): Promise<RunPage> {
  return (await api.get(`/api/automations/${key}/runs?limit=100`)).body;
}

/** Returns the latest runs of an automation, newest first. */
export async function listRuns(api: Client, key: string): Promise<readonly ListedRun[]> {
  return (await pageOfRuns(api, key)).results;
}

/** Counts the runs of an automation. */
export async function countRuns(api: Client, key: string): Promise<number> {
  return (await pageOfRuns(api, key)).total;
}

/** Waits until an automation has `count` runs and all have ended; returns them, newest first. */
export function endedRuns(
  api: Client,
  key: string,
  count: number,
  withinMs?: number,
): Promise<readonly ListedRun[]> {
  return eventually(
    `${count} runs of ${key} to end`,
    async () => {
      const { results, total } = await pageOfRuns(api, key);
      return total >= count && results.every(hasEnded) && results;
    },
    withinMs,
  );
}

/** Like `endedRuns`, but returns all details of the runs, oldest first. */
export async function endedRunsInWhole(
  api: Client,
  key: string,
  count: number,
): Promise<readonly DetailedRun[]> {
  const runs = await endedRuns(api, key, count);
  const detailed = await Promise.all(
    runs.map(async ({ run_id }): Promise<DetailedRun> => {
      return (await api.get(`/api/automations/${key}/runs/${run_id}`)).body;
    }),
  );
  return detailed.reverse();
}

/** Waits until a run has ended; returns it. */
export function endOfRun(api: Client, key: string, runId: string, withinMs = 30_000): Promise<ListedRun> {
  return eventually(
    `the run ${runId} of ${key} to end`,
    async () => {
      const run = (await listRuns(api, key)).find(({ run_id }) => run_id === runId);
      return run && hasEnded(run) && run;
    },
    withinMs,
  );
}

function hasEnded({ status }: ListedRun): boolean {
  return status !== 'queued' && status !== 'running';
}
