import { isSqlState, UNIQUE_VIOLATION } from '../../../db/sqlstate.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { HookAddress } from './address.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    automation_hooks: { tenant_id: string; path: string; method: string; automation_id: string };
  }
}

/** Returns the automation that a path and method call, or undefined. */
export async function findHook(db: ScopedDb, path: string, method: string): Promise<string | undefined> {
  const found = await db.query
    .selectFrom('automation_hooks')
    .select('automation_id')
    .where('path', '=', path)
    .where('method', '=', method)
    .executeTakeFirst();
  return found?.automation_id;
}

/** Returns false if another automation has one of these addresses; the transaction has then failed. */
export async function insertHook(
  tx: ScopedDb,
  automationId: string,
  { path, methods }: HookAddress,
): Promise<boolean> {
  const rows = methods.map((method) => ({
    tenant_id: tx.tenantId,
    path,
    method,
    automation_id: automationId,
  }));
  try {
    await tx.query.insertInto('automation_hooks').values(rows).execute();
    return true;
  } catch (error) {
    if (isSqlState(error, UNIQUE_VIOLATION)) return false;
    throw error;
  }
}

/** Releases the addresses of an automation. */
export async function deleteHook(tx: ScopedDb, automationId: string): Promise<void> {
  await tx.query.deleteFrom('automation_hooks').where('automation_id', '=', automationId).execute();
}
