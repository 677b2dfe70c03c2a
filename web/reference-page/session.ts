/**
 * The user's session on this page. Tokens are only in memory, not in cookies or storage. Leaving the page ends the
 * session.
 */
import { isRecord } from '../is-record.ts';

/** Credentials; the tenant's code is needed only by users of several tenants. */
export interface Login {
  readonly email: string;
  readonly password: string;
  readonly tenant_code?: string;
}

/** Result of an attempt to sign in. */
export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly name: string; readonly email: string }
  /** The password is correct, and the tenant must be chosen. */
  | { readonly kind: 'which-tenant' }
  | { readonly kind: 'refused'; readonly message: string };

/** The session of this page. */
export interface Session {
  signIn(login: Login): Promise<SignInOutcome>;
  /** Returns a valid access token; null if no user is signed in. Never rejects. */
  freshToken(): Promise<string | null>;
  /** Checks if the session is still valid, after a call was answered with 401. Never rejects. */
  review(): Promise<void>;
  /** Discards the tokens and ends the session, even while the page is being left. */
  signOut(): void;
}

interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly receivedAt: number;
}

/** Age in ms from which an access token is refreshed. It is valid for an hour. */
const refreshAfterMs = 55 * 60 * 1000;
const timeoutMs = 30_000;
const unexpected = 'Unexpected response from the service. Try again.';
const wrongWithTenant = 'Incorrect email address, password or tenant code.';
const unreachable = 'The service cannot be reached. Try again.';

/** Creates a session. @param onEnded called when the service has ended the session, but not after `signOut` */
export function createSession(onEnded: () => void): Session {
  let tokens: Tokens | null = null;
  let exchange: Promise<void> | null = null;
  const exchangeTokens = async ({ refresh }: Tokens) => {
    const response = await post('auth/refresh', { refresh_token: refresh });
    const answer: unknown = await response.json();
    if (tokens?.refresh !== refresh) return;
    if (response.ok) tokens = parseTokens(answer);
    else if (response.status === 401) tokens = null;
    if (tokens === null) onEnded();
  };
  const review = () => {
    if (tokens === null) return Promise.resolve();
    // A network error does not end the session; the next call will report it.
    exchange ??= exchangeTokens(tokens)
      .catch(() => {})
      .finally(() => {
        exchange = null;
      });
    return exchange;
  };
  return {
    async signIn(login) {
      const outcome = await signInWith(login).catch(() => unreachable);
      if (typeof outcome === 'string') return { kind: 'refused', message: outcome };
      if (outcome.kind === 'signed-in') tokens = outcome.tokens;
      return outcome;
    },
    async freshToken() {
      if (tokens !== null && Date.now() - tokens.receivedAt >= refreshAfterMs) await review();
      return tokens?.access ?? null;
    },
    review,
    signOut() {
      if (tokens === null) return;
      const { refresh } = tokens;
      tokens = null;
      post('auth/logout', { refresh_token: refresh }, { keepalive: true }).catch(() => {});
    },
  };
}

type SignedIn = Extract<SignInOutcome, { kind: 'signed-in' }> & { readonly tokens: Tokens };

/** Signs in, or returns the reason of a refusal. @throws Error if the network fails or the response is not JSON. */
async function signInWith(login: Login): Promise<SignedIn | { kind: 'which-tenant' } | string> {
  const response = await post('auth/login', login);
  const answer: unknown = await response.json();
  const tokens = parseTokens(answer);
  if (response.ok && tokens !== null) return { kind: 'signed-in', tokens, ...parseUser(answer) };
  if (!isRecord(answer)) return unexpected;
  const faults: readonly unknown[] = Array.isArray(answer.errors) ? answer.errors : [];
  const isUndecided = faults.some((fault) => isRecord(fault) && fault.field === 'tenant_code');
  if (isUndecided && login.tenant_code === undefined) return { kind: 'which-tenant' };
  // The service does not say which of them is incorrect.
  if (response.status === 401 && login.tenant_code !== undefined) return wrongWithTenant;
  return typeof answer.message === 'string' ? answer.message : unexpected;
}

function post(url: string, body: object, more: RequestInit = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit',
    signal: AbortSignal.timeout(timeoutMs),
    ...more,
  });
}

function parseTokens(answer: unknown): Tokens | null {
  if (!isRecord(answer)) return null;
  const { token: access, refresh_token: refresh } = answer;
  const areTexts = typeof access === 'string' && typeof refresh === 'string';
  return areTexts ? { access, refresh, receivedAt: Date.now() } : null;
}

function parseUser(answer: unknown): { name: string; email: string } {
  const user = isRecord(answer) && isRecord(answer.user) ? answer.user : {};
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  return { name: textOf(user.name), email: textOf(user.email) };
}
