/** Caches which events webhooks listen to, so that a change without listeners costs nothing. */
import { LRUCache } from 'lru-cache';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { listSubscribedEvents } from './queries.ts';

/** Maximum number of cached tenants. */
const CACHED_TENANTS = 10_000;

interface Subscriptions {
  readonly revision: number;
  readonly events: Promise<ReadonlySet<string>>;
}

const cached = oncePerPlatform(() => new LRUCache<string, Subscriptions>({ max: CACHED_TENANTS }));

/** Returns the events to which webhooks of a tenant listen, at a revision of its entities. */
export function subscribedEvents(
  platform: Platform,
  tenantId: string,
  revision: number,
): Promise<ReadonlySet<string>> {
  const known = cached(platform).get(tenantId);
  if (known?.revision === revision) return known.events;
  const events = listSubscribedEvents(platform.scoped(wholeTenant(tenantId)));
  cached(platform).set(tenantId, { revision, events });
  // Do not cache a failed read.
  events.catch(() => cached(platform).delete(tenantId));
  return events;
}
