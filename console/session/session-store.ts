/** Holds the session of the page. Calls that need the user's password wait for it and are then repeated. */
import type { Session } from './session.ts';

/** Reason to ask for the user's password: the session has ended, or a call is sensitive. */
export type PasswordReason = 'session-ended' | 'confirmation';

/** The session, and whether calls wait for the user. */
export interface SessionState {
  readonly session: Session;
  /** Reason for which calls wait for the user's password; null if none waits. */
  readonly waitsFor: PasswordReason | null;
}

/** The session of the page. */
export class SessionStore {
  #state: SessionState;
  /** Resolves to true when the user has entered the password, and to false when they cancel. */
  #answer = Promise.withResolvers<boolean>();
  readonly #listeners = new Set<() => void>();

  constructor(session: Session) {
    this.#state = { session, waitsFor: null };
  }

  /** Registers a listener for changes. Returns a function that removes it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The current state. */
  readonly state = (): SessionState => this.#state;

  /** Replaces the session, after the user has entered the password or changed their profile. Waiting calls continue. */
  replace(session: Session): void {
    this.#finish({ session, waitsFor: null }, true);
  }

  /** Cancels the confirmation: waiting calls return the server's refusal. */
  cancelConfirmation(): void {
    this.#finish({ ...this.#state, waitsFor: null }, false);
  }

  /** Sends a request. If it needs the user's password, waits until they have entered it and sends it again. */
  readonly fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const reason = await passwordReason(response);
    if (reason === null) return response;
    this.#set({ ...this.#state, waitsFor: reason });
    if (!(await this.#answer.promise)) return response;
    const headers = new Headers(init?.headers);
    headers.set('X-CSRF-Token', this.#state.session.csrf_token);
    return fetch(input, { ...init, headers });
  };

  #finish(state: SessionState, isAnswered: boolean): void {
    const { resolve } = this.#answer;
    this.#answer = Promise.withResolvers();
    this.#set(state);
    resolve(isAnswered);
  }

  #set(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

async function passwordReason(response: Response): Promise<PasswordReason | null> {
  if (response.status === 401) return 'session-ended';
  if (response.status !== 403) return null;
  const text = await response.clone().text();
  return text.includes('"CONFIRMATION_REQUIRED"') ? 'confirmation' : null;
}
