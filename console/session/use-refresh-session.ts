import { useSessionStore, useUserApi } from './session-context.tsx';

/** Returns a function that reads the session again, after the user's tenants, units or profile have changed. */
export function useRefreshSession(): () => Promise<void> {
  const store = useSessionStore();
  const api = useUserApi();
  return async () => store.replace(await api.browserSessions.get());
}
