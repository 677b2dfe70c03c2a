/**
 * In-memory list of tenants that are suspended or being deleted. There are few, and pages, hooks and workers check each
 * item. Callers with a credential are checked in the database instead (sql/find-caller.sql).
 */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { oncePerPlatform } from '../platform.ts';

/** Interval of reads, after which a process sees changes of other processes, in ms. */
const REFRESH_MS = 1000;

/** The closed tenants known to a process. */
export class ClosedTenants {
  readonly #database: Database;
  #ids: ReadonlySet<string> = new Set();
  /** Number of changes by this process; a read that started before a change is ignored. */
  #changes = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** True if the tenant is suspended or being deleted. */
  has(tenantId: string): boolean {
    return this.#ids.has(tenantId);
  }

  /** Records a change of this process; call it after the commit. */
  record(tenantId: string, isClosed: boolean): void {
    const ids = new Set(this.#ids);
    if (isClosed) ids.add(tenantId);
    else ids.delete(tenantId);
    this.#ids = ids;
    this.#changes += 1;
  }

  /** Reads the closed tenants. @throws the error of the database. */
  async refresh(): Promise<void> {
    const changes = this.#changes;
    const { rows } = await this.#database
      .everyTenant('closed-tenants')
      .raw(sql<{ tenant_id: string }>`select tenant_id from tenants where status <> 'active'`);
    if (changes === this.#changes) this.#ids = new Set(rows.map(({ tenant_id }) => tenant_id));
  }
}

/** Returns the closed tenants of the process. */
export const closedTenants = oncePerPlatform(({ database }) => new ClosedTenants(database));

/** Reads the closed tenants now and every second until the process ends. @throws the error of the first read. */
export const watchClosedTenants = oncePerPlatform(async (platform) => {
  const closed = closedTenants(platform);
  await closed.refresh();
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    // While the database is unavailable nothing is sent, and the list stays the same.
    closed
      .refresh()
      .catch(() => {})
      .finally(() => {
        isRunning = false;
      });
  }, REFRESH_MS);
  timer.unref();
  platform.onClose(() => clearInterval(timer));
});
