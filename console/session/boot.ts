import type { Session } from './session.ts';

/** Returns the session that the server embedded in the page. @throws Error on a page that the server did not make. */
export function bootSession(): Session {
  const text = document.getElementById('session')?.textContent ?? '';
  const session: Session | null = JSON.parse(text);
  if (session === null) throw new Error('The page has no session');
  return session;
}
