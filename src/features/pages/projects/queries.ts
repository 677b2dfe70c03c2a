import { sql } from 'kysely';
import type { Time } from '../../../db/tables.ts';
import type { Authorship } from '../../../resources/contents.ts';
import type { JsonColumn } from '../../../resources/field-types.ts';
import type { ActorRecord } from '../../../tenancy/actor.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

interface ProjectLeftoversTable {
  tenant_id: string;
  project_id: string;
  deleted_at: Time;
  actor: JsonColumn<ActorRecord>;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    page_project_remains: ProjectLeftoversTable;
  }
}

/** Returns true if contents of a deleted project with this id may exist. */
export async function hasLeftovers(db: ScopedDb, projectId: string): Promise<boolean> {
  const found = db.query
    .selectFrom('page_project_remains')
    .select('project_id')
    .where('project_id', '=', projectId);
  return (await found.executeTakeFirst()) !== undefined;
}

/** Records leftovers: contents of a deleted project, or of a copy in progress. */
export async function addLeftovers(
  tx: ScopedDb,
  projectId: string,
  { actor, now }: Authorship,
): Promise<void> {
  const leftovers = {
    tenant_id: tx.tenantId,
    project_id: projectId,
    deleted_at: now,
    actor: JSON.stringify(actor),
  };
  await tx.query.insertInto('page_project_remains').values(leftovers).execute();
}

/**
 * Locks the leftovers of a project until the transaction ends. Returns who deleted the project (or started the copy)
 * and when; null: there are no leftovers.
 */
export async function lockLeftovers(tx: ScopedDb, projectId: string): Promise<Authorship | null> {
  const found = tx.query
    .selectFrom('page_project_remains')
    .select(['deleted_at', 'actor'])
    .where('project_id', '=', projectId);
  const row = await found.forUpdate().executeTakeFirst();
  return row === undefined ? null : { actor: row.actor, now: new Date(row.deleted_at) };
}

/** Locks a copy in progress against removal until the transaction ends; returns true if it still exists. */
export async function shareLockLeftovers(tx: ScopedDb, projectId: string): Promise<boolean> {
  const found = tx.query
    .selectFrom('page_project_remains')
    .select('project_id')
    .where('project_id', '=', projectId);
  return (await found.forKeyShare().executeTakeFirst()) !== undefined;
}

/** Deletes the record of leftovers; returns true if there was one. */
export async function deleteLeftoversRecord(tx: ScopedDb, projectId: string): Promise<boolean> {
  const deletion = tx.query
    .deleteFrom('page_project_remains')
    .where('project_id', '=', projectId)
    .returning('project_id');
  return (await deletion.executeTakeFirst()) !== undefined;
}

/** Returns the number of projects of the tenant in all units. */
export async function countProjects(db: ScopedDb): Promise<number> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ count: number }>`
      select count(*)::int as count from page_projects where tenant_id = ${tenantId}::uuid`,
  );
  return rows[0]?.count ?? 0;
}
