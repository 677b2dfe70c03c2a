import { type Kysely, type RawBuilder, sql } from 'kysely';
import { APP_ROLE } from './app-role.ts';
import type { Tables } from './tables.ts';

/**
 * Reasons to change tables at run time, and the files of `src` that do it. A contract test compares this list with the
 * code.
 */
export const OWNER_USES = {
  'entity-tables': {
    reason:
      'The records of an entity have their own table, which is created and changed with the definition.',
    files: [
      'features/records/entities/change.ts',
      'features/records/entities/staging.ts',
      'features/records/entities/table-locks.ts',
    ],
  },
  'tenant-deletion': {
    reason: 'Deleting a tenant drops the tables that were created for it.',
    files: ['features/operations/tenants/deletion.ts'],
  },
  'tenant-reset': {
    reason: 'Resetting a tenant drops the tables that were created for it.',
    files: ['features/operations/tenants/reset.ts'],
  },
} as const satisfies Readonly<Record<string, { readonly reason: string; readonly files: readonly string[] }>>;

/** One of the listed reasons to change tables. */
export type OwnerUse = keyof typeof OWNER_USES;

/**
 * Runs a statement as the owner of the tables, outside a transaction. All statements use the same connection, which
 * keeps its settings and locks.
 */
export type OwnerSession = <Row>(statement: RawBuilder<Row>) => Promise<readonly Row[]>;

/**
 * Runs `work` in the open transaction as the owner of the tables. If it fails, the rollback restores the application's
 * role.
 */
export async function runAsOwner<T>(transaction: Kysely<Tables>, work: () => Promise<T>): Promise<T> {
  await setLocalRole(transaction, 'none');
  const result = await work();
  await setLocalRole(transaction, APP_ROLE);
  return result;
}

/**
 * Sets the role for the transaction. A cluster would pass `set local` on to other nodes, whose connections have a fixed
 * role.
 */
async function setLocalRole(transaction: Kysely<Tables>, role: string): Promise<void> {
  await sql`select set_config('role', ${role}, true)`.execute(transaction);
}
