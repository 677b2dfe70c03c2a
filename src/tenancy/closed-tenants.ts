/**
 * Tenants that are suspended or being deleted. A process keeps their ids: pages, hooks and workers ask for each item, and there are
 * few. Who calls by a credential is read from the database each time (sql/find-caller.sql).
 */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { oncePerPlatform } from '../platform.ts';

/** How long a process may not know what another one has changed, in ms. */
const REFRESH_MS = 1000;

/** The closed tenants that a process knows of. */
export class ClosedTenants {
  readonly #database: Database;
  #ids: ReadonlySet<string> = new Set();
  /** Counts what this process has changed itself, so that an older read does not undo it. */
  #changes = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** True if the tenant is suspended or being deleted. */
  has(tenantId: string): boolean {
    return this.#ids.has(tenantId);
  }

  /** Notes what this process has written: call it after the commit. */
  note(tenantId: string, isClosed: boolean): void {
    const ids = new Set(this.#ids);
    if (isClosed) ids.add(tenantId);
    else ids.delete(tenantId);
    this.#ids = ids;
    this.#changes += 1;
  }

  /** Reads them. @throws the error of the database. */
  async refresh(): Promise<void> {
    const changes = this.#changes;
    const { rows } = await this.#database
      .everyTenant('closed-tenants')
      .raw(sql<{ tenant_id: string }>`select tenant_id from tenants where status <> 'active'`);
    if (changes === this.#changes) this.#ids = new Set(rows.map(({ tenant_id }) => tenant_id));
  }
}

/** Those of the process. */
export const closedTenants = oncePerPlatform(({ database }) => new ClosedTenants(database));

/** Reads the closed tenants, and again every second until the process ends. @throws the error of the first read. */
export const watchClosedTenants = oncePerPlatform(async (platform) => {
  const closed = closedTenants(platform);
  await closed.refresh();
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    // While the database is away nothing is sent, and what is known stays.
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
