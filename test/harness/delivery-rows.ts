import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/db/database.ts';
import { insertTenants } from './tenant-rows.ts';

/** Columns of a delivery that a test sets; each row without a tenant or target gets new ones. */
export interface DeliveryState {
  readonly tenantId?: string;
  readonly targetId?: string;
  /** Default: now. */
  readonly dueAt?: Date;
  readonly claimId?: string | null;
  readonly lastError?: string | null;
}

/**
 * Inserts pending webhook deliveries and their tenants, without webhooks and submissions, for tests of work queues.
 * Returns their ids.
 */
export async function insertDeliveries(
  database: Database,
  states: readonly DeliveryState[],
): Promise<string[]> {
  const rows = states.map(({ tenantId, targetId, dueAt, claimId, lastError }) => ({
    tenant_id: tenantId ?? randomUUID(),
    id: randomUUID(),
    target_id: targetId ?? randomUUID(),
    submission_id: randomUUID(),
    state: 'pending' as const,
    due_at: dueAt ?? new Date(),
    claim_id: claimId ?? null,
    attempts: 0,
    last_error: lastError ?? null,
    created_at: new Date(),
  }));
  await insertTenants(database, [...new Set(rows.map(({ tenant_id }) => tenant_id))]);
  await database.everyTenant('tests').query.insertInto('webhook_deliveries').values(rows).execute();
  return rows.map(({ id }) => id);
}

/** Inserts one delivery, like {@link insertDeliveries}; returns its id. */
export async function insertDelivery(database: Database, state: DeliveryState = {}): Promise<string> {
  const [id = ''] = await insertDeliveries(database, [state]);
  return id;
}
