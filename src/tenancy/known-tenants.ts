import { LRUCache } from 'lru-cache';
import type { Gathered } from '../db/every-node.ts';

/** Names that a process keeps, of the kind that it has met last: some hundred bytes each. */
const MOST_KEPT = 20_000;

interface TenantId {
  readonly tenant_id: string;
}

/**
 * Which tenant a name belongs to, where that never changes: the prefix of a key, the public code of a form. To find it is a read
 * of all nodes where tenants are spread over several, so each process looks once for each name. What the name stands for may
 * be gone meanwhile: that is read of the tenant, each time.
 */
export class KnownTenants {
  readonly #find: (name: string) => Promise<Gathered<TenantId>>;
  readonly #kept = new LRUCache<string, string>({ max: MOST_KEPT });
  /** Apart from what is kept: names that nobody has push out none. */
  readonly #looking = new Map<string, Promise<string | null>>();

  /** `find` looks for the tenant of a name among all. */
  constructor(find: (name: string) => Promise<Gathered<TenantId>>) {
    this.#find = find;
  }

  /**
   * The tenant of a name, or null; that it has none is not kept, as it may get one.
   * @throws what `find` throws, and, while some tenants cannot be asked, why, unless the name is another's.
   */
  async find(name: string): Promise<string | null> {
    return this.#kept.get(name) ?? this.#looking.get(name) ?? this.#look(name);
  }

  #look(name: string): Promise<string | null> {
    const looking = this.#lookOnce(name).finally(() => this.#looking.delete(name));
    this.#looking.set(name, looking);
    return looking;
  }

  async #lookOnce(name: string): Promise<string | null> {
    const { rows, failure } = await this.#find(name);
    const tenantId = rows[0]?.tenant_id ?? null;
    if (tenantId !== null) this.#kept.set(name, tenantId);
    else if (failure !== undefined) throw failure;
    return tenantId;
  }
}
