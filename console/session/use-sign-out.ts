import { CONSOLE_PATH } from '../base-path.ts';
import { useUserApi } from './session-context.tsx';

/** Returns a function that ends the session and opens the sign-in page. */
export function useSignOut(): () => Promise<void> {
  const api = useUserApi();
  return async () => {
    await api.browserSessions.signOut();
    location.assign(`${CONSOLE_PATH}/sign-in`);
  };
}
