import type { Client } from './client.ts';
import { eventually } from './poll.ts';

/** A run as its own address shows it, as far as tests look into it. */
export interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly error: string | null;
  readonly started_at: string;
  readonly finished_at: string;
  readonly trigger: {
    readonly entity: Readonly<Record<string, unknown>>;
    readonly previous: Readonly<Record<string, unknown>> | null;
  };
  readonly chain: readonly string[];
  readonly actions: readonly {
    readonly key: string;
    readonly status: string;
    readonly error: string | null;
    readonly result: Readonly<Record<string, unknown>> | null;
  }[];
}

/** An action of an automation. */
export function action(key: string, actionTypeKey: string, params: object) {
  return { key, name: key, actionTypeKey, params };
}

/** Defines an automation; with `entityKey` of records. Returns its key. */
export async function defineAutomation(
  api: Client,
  { key, ...more }: { readonly key: string; readonly triggerType: string; readonly [more: string]: unknown },
): Promise<string> {
  await api.post('/api/automations', { key, app: 'test', name: key, triggerParams: {}, ...more });
  return key;
}

/** The first page of the runs of an automation with these statuses. */
async function listRuns(api: Client, key: string) {
  const { body } = await api.get(`/api/automations/${key}/runs?limit=100`);
  return body as { readonly results: readonly Run[]; readonly total: number };
}

/** The runs of an automation, oldest first, when there are so many and all of them have ended. */
export async function endedRuns(api: Client, key: string, count: number): Promise<readonly Run[]> {
  const found = await eventually(`${count} runs of ${key} to end`, async () => {
    const { results, total } = await listRuns(api, key);
    const haveEnded = results.every(({ status }) => ['succeeded', 'failed', 'skipped'].includes(status));
    return total >= count && haveEnded && results;
  });
  const runs = await Promise.all(
    found.map(async ({ run_id }) => (await api.get(`/api/automations/${key}/runs/${run_id}`)).body as Run),
  );
  return runs.reverse();
}

/** How many runs an automation has, with those of one status; 0 when none are asked for. */
export async function countRuns(api: Client, key: string): Promise<number> {
  return (await listRuns(api, key)).total;
}
