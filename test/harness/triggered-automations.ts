import type { Client } from './client.ts';
import { eventually } from './poll.ts';

/** A run as the API shows it. */
export interface ShownRun {
  readonly run_id: string;
  readonly status: string;
  readonly error: string | null;
  readonly actions: readonly { readonly key: string; readonly status: string; readonly result: unknown }[];
}

/** An action that keeps what the run's trigger has as its result. */
export const TELLS_TRIGGER = {
  key: 'told',
  name: 'Tell',
  actionTypeKey: 'log',
  params: { message: '{{trigger}}' },
};

/** An action that fails for good. */
export const FAILS = {
  key: 'fails',
  name: 'Fail',
  actionTypeKey: 'httpRequest',
  params: { method: 'GET', url: '{{trigger.nothing}}' },
};

/** Defines an automation, which is set off as `more` says. */
export async function createAutomation(api: Client, key: string, more: object): Promise<void> {
  await api.post('/api/automations', { key, name: key, app: 'test', actions: [TELLS_TRIGGER], ...more });
}

/** Replaces some of an automation. */
export async function changeAutomation(api: Client, key: string, more: object): Promise<void> {
  const { body } = await api.get(`/api/automations/${key}`);
  await api.put(`/api/automations/${key}`, { ...body, ...more });
}

/** The runs of an automation, the newest first. */
export async function listRuns(api: Client, key: string): Promise<readonly ShownRun[]> {
  return (await api.get(`/api/automations/${key}/runs?limit=100`)).body.results;
}

/** The runs once there are so many, all of which have ended. */
export function endedRuns(
  api: Client,
  key: string,
  count: number,
  withinMs?: number,
): Promise<readonly ShownRun[]> {
  return eventually(
    `${count} runs of ${key}`,
    async () => {
      const runs = await listRuns(api, key);
      const isOver = runs.every(({ status }) => ['succeeded', 'failed', 'skipped'].includes(status));
      return runs.length >= count && isOver && runs;
    },
    withinMs,
  );
}
