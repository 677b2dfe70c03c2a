import { LRUCache } from 'lru-cache';
import type { Gathered } from '../db/gathered-rows.ts';

/** Maximum number of cached names; each takes about a hundred bytes. */
const MAX_NAMES = 20_000;

interface TenantId {
  readonly tenant_id: string;
}

/**
 * Cache of the tenants of names that never change their tenant: prefixes of API keys, public codes of forms. A look-up
 * reads all nodes of a cluster, so each process does it once per name. The key or form itself may be deleted meanwhile,
 * and is read from the tenant each time.
 */
export class KnownTenants {
  readonly #find: (name: string) => Promise<Gathered<TenantId>>;
  readonly #cache = new LRUCache<string, string>({ max: MAX_NAMES });
  /** Look-ups under way. Not in the cache, so that unknown names replace no known ones. */
  readonly #pending = new Map<string, Promise<string | null>>();

  /** `find` searches all tenants for a name. */
  constructor(find: (name: string) => Promise<Gathered<TenantId>>) {
    this.#find = find;
  }

  /**
   * Returns the tenant of a name, or null. An unknown name is not cached, because it may be created later.
   * @throws the error of `find`; also if the name was not found while some tenants could not be read.
   */
  async find(name: string): Promise<string | null> {
    return this.#cache.get(name) ?? this.#pending.get(name) ?? this.#findShared(name);
  }

  #findShared(name: string): Promise<string | null> {
    const pending = this.#findNow(name).finally(() => this.#pending.delete(name));
    this.#pending.set(name, pending);
    return pending;
  }

  async #findNow(name: string): Promise<string | null> {
    const { rows, failure } = await this.#find(name);
    const tenantId = rows[0]?.tenant_id ?? null;
    if (tenantId !== null) this.#cache.set(name, tenantId);
    else if (failure !== undefined) throw failure;
    return tenantId;
  }
}
