/**
 * Who is signed in on this page. The tokens are in its memory and nowhere else: no other page and no later visit finds them in a
 * cookie or a store, and a page that is left ends its session.
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
  /** The password was right, and the tenant is still to be named. */
  | { readonly kind: 'which-tenant' }
  | { readonly kind: 'refused'; readonly message: string };

/** The session of this page. */
export interface Session {
  signIn(login: Login): Promise<SignInOutcome>;
  /** An access token that is good for a while; null when nobody is signed in, or no longer. Never rejects. */
  freshToken(): Promise<string | null>;
  /** Finds out whether the session goes on, after a call was answered as if it did not. Never rejects. */
  review(): Promise<void>;
  /** Forgets the tokens and has the service end the session, even while the page is being left. */
  signOut(): void;
}

interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly givenAt: number;
}

/** An access token is good for an hour; one that may run out during a call is exchanged before it. */
const oldMs = 55 * 60 * 1000;
const timeoutMs = 30_000;
const unexpected = 'The service did not answer as expected. Try again.';
const wrongWithTenant = 'The email address, the password or the code of the tenant is not right.';
const unreachable = 'The service cannot be reached. Try again.';

/** @param whenEnded is called when the service says that the session has ended; not after `signOut` */
export function createSession(whenEnded: () => void): Session {
  let tokens: Tokens | null = null;
  let exchange: Promise<void> | null = null;
  const exchangeTokens = async ({ refresh }: Tokens) => {
    const response = await post('auth/refresh', { refresh_token: refresh });
    const answer: unknown = await response.json();
    if (tokens?.refresh !== refresh) return;
    if (response.ok) tokens = parseTokens(answer);
    else if (response.status === 401) tokens = null;
    if (tokens === null) whenEnded();
  };
  const review = () => {
    if (tokens === null) return Promise.resolve();
    // A failure of the network says nothing about the session: the call that follows tells of it.
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
      if (tokens !== null && Date.now() - tokens.givenAt >= oldMs) await review();
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

/** A text is the reason of a refusal. @throws when the network failed, or what answered is no Tessera. */
async function signInWith(login: Login): Promise<SignedIn | { kind: 'which-tenant' } | string> {
  const response = await post('auth/login', login);
  const answer: unknown = await response.json();
  const tokens = parseTokens(answer);
  if (response.ok && tokens !== null) return { kind: 'signed-in', tokens, ...parsePerson(answer) };
  if (!isRecord(answer)) return unexpected;
  const faults: readonly unknown[] = Array.isArray(answer.errors) ? answer.errors : [];
  const isUndecided = faults.some((fault) => isRecord(fault) && fault.field === 'tenant_code');
  if (isUndecided && login.tenant_code === undefined) return { kind: 'which-tenant' };
  // The service does not tell which of them is wrong.
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
  return areTexts ? { access, refresh, givenAt: Date.now() } : null;
}

function parsePerson(answer: unknown): { name: string; email: string } {
  const user = isRecord(answer) && isRecord(answer.user) ? answer.user : {};
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  return { name: textOf(user.name), email: textOf(user.email) };
}
