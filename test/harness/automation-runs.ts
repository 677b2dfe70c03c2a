/** Automations and their runs as tests make and see them. */
import type { Client } from './client.ts';
import { eventually } from './poll.ts';

type Api = { readonly api: Client };

/** A run as its automation tells it. */
export interface ToldRun {
  readonly run_id: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'skipped';
  readonly error: string | null;
  readonly actions: readonly {
    readonly key: string;
    readonly status: string;
    readonly error: string | null;
    // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came of it.
    readonly result: any;
  }[];
}

/** The body of an automation that is set off by hand, unless `more` says by what. */
export function automation(key: string, actions: readonly object[], more: object = {}) {
  const schedule = { triggerType: 'cronJob', triggerParams: { cronExpression: '0 0 29 2 *' } };
  const entity = 'entityKey' in more ? { triggerParams: {} } : {};
  return { key, name: key, app: 'tests', actions, ...schedule, ...entity, ...more };
}

/** Sets an automation off; returns the id of the run. */
export async function startRun({ api }: Api, key: string, trigger: object = {}): Promise<string> {
  return (await api.post(`/api/automations/${key}/run`, { trigger }, 202)).body.run_id;
}

/** The newest runs of an automation. */
export async function runsOf({ api }: Api, key: string, limit = 100): Promise<ToldRun[]> {
  return (await api.get(`/api/automations/${key}/runs?limit=${limit}`)).body.results;
}

/** How many runs an automation has had. */
export async function runTotal({ api }: Api, key: string): Promise<number> {
  return (await api.get(`/api/automations/${key}/runs?limit=1`)).body.total;
}

/** Waits until a run has ended; returns it. */
export function endOfRun(site: Api, key: string, runId: string, withinMs = 30_000): Promise<ToldRun> {
  return eventually(
    `the run ${runId} of ${key} to end`,
    async () => {
      const run = (await runsOf(site, key)).find(({ run_id }) => run_id === runId);
      return run && run.status !== 'queued' && run.status !== 'running' ? run : null;
    },
    withinMs,
  );
}
