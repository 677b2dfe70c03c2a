/** Which events anybody listens to, so that a change that nobody hears of costs nothing. */
import { LRUCache } from 'lru-cache';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { listHeardEvents } from './queries.ts';

/** Tenants whose events are kept in a process. */
const KEPT_TENANTS = 10_000;

interface Heard {
  readonly revision: number;
  readonly events: Promise<ReadonlySet<string>>;
}

const kept = oncePerPlatform(() => new LRUCache<string, Heard>({ max: KEPT_TENANTS }));

/** The names of events to which webhooks of a tenant listen, as of a revision of its entities. */
export function heardEvents(
  platform: Platform,
  tenantId: string,
  revision: number,
): Promise<ReadonlySet<string>> {
  const known = kept(platform).get(tenantId);
  if (known?.revision === revision) return known.events;
  const events = listHeardEvents(platform.scoped(wholeTenant(tenantId)));
  kept(platform).set(tenantId, { revision, events });
  // The next asks again.
  events.catch(() => kept(platform).delete(tenantId));
  return events;
}
