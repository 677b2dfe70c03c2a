import { type Kysely, type RawBuilder, sql } from 'kysely';
import { APP_ROLE } from './app-role.ts';
import type { Tables } from './tables.ts';

/** Why tables themselves are changed while a process runs, and in which files of `src`; a contract test holds this list. */
export const OWNER_USES = {
  'entity-tables': {
    reason:
      'The records of an entity have a table of their own, which is made and changed with its definition.',
    files: [
      'features/entities/change.ts',
      'features/entities/staging.ts',
      'features/entities/table-locks.ts',
    ],
  },
  'tenant-deletion': {
    reason: 'With a tenant go the tables that were made for it.',
    files: ['features/tenants/deletion.ts'],
  },
  'tenant-reset': {
    reason: 'With its data a tenant loses the tables that were made for it.',
    files: ['features/tenants/reset.ts'],
  },
} as const satisfies Readonly<Record<string, { readonly reason: string; readonly files: readonly string[] }>>;

/** One of the listed reasons to change tables. */
export type OwnerUse = keyof typeof OWNER_USES;

/** Runs a statement as the owner of the tables, for itself, on a connection that keeps its settings and locks from one to the next. */
export type OwnerSession = <Row>(statement: RawBuilder<Row>) => Promise<readonly Row[]>;

/**
 * Does work in the open transaction as the owner of the tables. Should it fail, the connection is in the application's role
 * again when the transaction has ended.
 */
export async function runAsOwner<T>(transaction: Kysely<Tables>, work: () => Promise<T>): Promise<T> {
  await becomeLocally(transaction, 'none');
  const result = await work();
  await becomeLocally(transaction, APP_ROLE);
  return result;
}

/** Said as a `set local`, it would go to the other nodes of a cluster, where each connection is of one role from its beginning. */
async function becomeLocally(transaction: Kysely<Tables>, role: string): Promise<void> {
  await sql`select set_config('role', ${role}, true)`.execute(transaction);
}
