/** Holds the session of the page, and repeats calls after the user has signed in again. */
import type { Session } from './session.ts';

/** What screens see of the session. */
export interface SessionState {
  readonly session: Session;
  /** True while calls wait until the user has signed in again. */
  readonly isExpired: boolean;
}

/** The session of the page. */
export class SessionStore {
  #state: SessionState;
  #signedIn = Promise.withResolvers<void>();
  readonly #listeners = new Set<() => void>();

  constructor(session: Session) {
    this.#state = { session, isExpired: false };
  }

  /** Registers a listener for changes. Returns a function that removes it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The current state. */
  readonly state = (): SessionState => this.#state;

  /** Replaces the session, after a sign-in or a change of the profile, and continues waiting calls. */
  replace(session: Session): void {
    this.#set({ session, isExpired: false });
    this.#signedIn.resolve();
    this.#signedIn = Promise.withResolvers();
  }

  /** Sends a request. If the session has ended, waits until the user has signed in again and repeats it. */
  readonly fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.status !== 401) return response;
    this.#set({ ...this.#state, isExpired: true });
    await this.#signedIn.promise;
    const headers = new Headers(init?.headers);
    headers.set('X-CSRF-Token', this.#state.session.csrf_token);
    return fetch(input, { ...init, headers });
  };

  #set(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
