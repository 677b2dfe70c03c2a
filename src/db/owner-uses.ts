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
 * Runs statements in the open transaction as the owner of the tables. Should one fail, the connection is in the
 * application's role again when the transaction has ended.
 */
export async function runAsOwner(
  transaction: Kysely<Tables>,
  statements: readonly RawBuilder<unknown>[],
): Promise<void> {
  await sql`set local role none`.execute(transaction);
  for (const statement of statements) await statement.execute(transaction);
  await sql`set local role ${sql.id(APP_ROLE)}`.execute(transaction);
}
