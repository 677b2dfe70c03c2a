/** Running bulk actions, and waiting for operations. */
import type { Client } from './client.ts';
import { eventually } from './poll.ts';

/** Returns what a dry run of a bulk action says. */
export async function previewBulk(api: Client, path: string, body: object) {
  return (await api.post(path, { ...body, dry_run: true })).body;
}

/** Runs a bulk action on the records that a dry run counts; returns the operation at its end. */
export async function runBulk(api: Client, path: string, body: object) {
  const { count } = await previewBulk(api, path, body);
  const { operation_id: id } = (await api.post(path, { ...body, expected_count: count })).body;
  return waitForOperation(api, id);
}

/** Reverts an operation; returns the reverting operation at its end. */
export async function revertOperation(api: Client, id: string) {
  const { operation_id: reverting } = (await api.post(`/api/operations/${id}/revert`, {})).body;
  return waitForOperation(api, reverting);
}

/** Waits until an operation has ended, and returns it. */
export function waitForOperation(api: Client, id: string) {
  return eventually('the end of the operation', async () => {
    const operation = (await api.get(`/api/operations/${id}`)).body;
    return operation.finished_at !== null && operation;
  });
}
