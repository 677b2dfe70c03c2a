import type { Platform } from '../platform.ts';

/** Precision of the recorded times; writing them on every request would double the cost of a read. */
const PRECISION_MS = 60_000;

/** Records that a credential was used at `now`, by `write`, unless that was recorded within the last minute. */
export type UseRecorder = (
  id: string,
  lastUsedAt: Date | null,
  now: Date,
  write: () => Promise<unknown>,
) => void;

/** Returns a recorder that writes outside the request; `task` names it in logs of errors. */
export function useRecorder(platform: Platform, task: string): UseRecorder {
  const writing = new Map<string, Promise<unknown>>();
  platform.onClose(async () => {
    await Promise.all(writing.values());
  });
  return (id, lastUsedAt, now, write) => {
    const last = lastUsedAt?.getTime() ?? 0;
    if (now.getTime() - last < PRECISION_MS || writing.has(id)) return;
    const written = write()
      .catch((error) => platform.observe({ event: 'background.failed', task, error }))
      .finally(() => writing.delete(id));
    writing.set(id, written);
  };
}
