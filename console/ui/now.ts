import { useSyncExternalStore } from 'react';

const STEP_MS = 30_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Returns the time in ms, rounded to half a minute, and renders again when it changes. One timer serves all users. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => Math.round(Date.now() / STEP_MS) * STEP_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, STEP_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
