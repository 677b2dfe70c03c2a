/** Gives screens the session, the tenant of their URL, and a client of its API. */
import { getRouteApi } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import { Tessera } from '../../sdk/src/index.ts';
import { SERVER_URL } from '../base-path.ts';
import type { Session, SessionMembership, SessionUnit } from './session.ts';
import type { SessionState, SessionStore } from './session-store.ts';

const StoreContext = createContext<SessionStore | null>(null);
const tenantRoute = getRouteApi('/t/$tenant');

/** Provides the session of the page to all screens. */
export function SessionProvider({ store, children }: { store: SessionStore; children: ReactNode }) {
  return <StoreContext value={store}>{children}</StoreContext>;
}

/** Returns the store of the session. */
export function useSessionStore(): SessionStore {
  const store = useContext(StoreContext);
  if (store === null) throw new Error('There is no SessionProvider above this component');
  return store;
}

/** Returns the state of the session. */
export function useSessionState(): SessionState {
  const store = useSessionStore();
  return useSyncExternalStore(store.subscribe, store.state);
}

/** Returns the session. */
export function useSession(): Session {
  return useSessionState().session;
}

/**
 * Returns the user's membership in the tenant of the URL. @throws Error if there is none; the layout checks it first.
 */
export function useMembership(): SessionMembership {
  const { tenant } = tenantRoute.useParams();
  const membership = useSession().memberships.find((each) => each.tenant_code === tenant);
  if (membership === undefined) throw new Error(`The user is not a member of ${tenant}`);
  return membership;
}

/** Returns the business unit of the URL, or null for all units of the user. */
export function useUnit(): SessionUnit | null {
  const { unit } = tenantRoute.useSearch();
  return useMembership().units.find((each) => each.slug === unit) ?? null;
}

/** Returns a client for calls that concern the user alone. */
export function useUserApi(): Tessera {
  const store = useSessionStore();
  return useMemo(() => createClient(store), [store]);
}

/** Returns a client for the tenant and the business unit of the URL. */
export function useApi(): Tessera {
  const store = useSessionStore();
  const { tenant_code } = useMembership();
  const unit = useUnit();
  return useMemo(() => createClient(store, tenant_code, unit?.bu_id), [store, tenant_code, unit?.bu_id]);
}

function createClient(store: SessionStore, tenant?: string, businessUnit?: string): Tessera {
  return new Tessera({
    url: SERVER_URL,
    session: { csrfToken: () => store.state().session.csrf_token, tenant },
    businessUnit,
    fetch: store.fetch,
  });
}
