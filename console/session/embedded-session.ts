import type { Session } from './session.ts';

/** Returns the session that the server embedded in the page. @throws Error if the page has none. */
export function readEmbeddedSession(): Session {
  const text = document.getElementById('session')?.textContent ?? '';
  const session: Session | null = JSON.parse(text);
  if (session === null) throw new Error('The page has no session');
  return session;
}
