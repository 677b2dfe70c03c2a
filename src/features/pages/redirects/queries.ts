import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { runCompiled } from '../../../resources/compiled-statements.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { redirects } from './resource.ts';
import type { ChangedRule } from './rule.ts';

interface RedirectSetTable {
  tenant_id: string;
  project_id: string;
  epoch: string;
  changes: number;
  removed_in: number;
  rules: number;
  program_size: number;
  octets: number;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    page_redirect_sets: RedirectSetTable;
  }
}

/** Number and total size of rules. */
export type RuleTotals = Pick<RedirectSetTable, 'rules' | 'program_size' | 'octets'>;
/** The revision of a project's rules. */
export type Revision = Pick<RedirectSetTable, 'epoch' | 'changes' | 'removed_in'>;

/**
 * Counts a change of a project's rules before it is written. Other changes wait until the transaction ends, so a reader
 * that sees a change sees all earlier ones. Returns its number and the current total size.
 */
export async function countChange(
  tx: ScopedDb,
  projectId: string,
  added: RuleTotals,
): Promise<RuleTotals & Pick<Revision, 'changes'>> {
  const isRemoval = added.rules < 0;
  const stored = (column: keyof RedirectSetTable) => sql<number>`${sql.ref(`page_redirect_sets.${column}`)}`;
  const increased = (column: keyof RuleTotals) =>
    sql<number>`${stored(column)} + ${sql.ref(`excluded.${column}`)}`;
  const first = { epoch: randomUUID(), changes: 1, removed_in: 0 };
  return tx.query
    .insertInto('page_redirect_sets')
    .values({ tenant_id: tx.tenantId, project_id: projectId, ...first, ...added })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'project_id']).doUpdateSet({
        changes: sql<number>`${stored('changes')} + 1`,
        removed_in: isRemoval ? sql<number>`${stored('changes')} + 1` : stored('removed_in'),
        rules: increased('rules'),
        program_size: increased('program_size'),
        octets: increased('octets'),
      }),
    )
    .returning(['changes', 'rules', 'program_size', 'octets'])
    .executeTakeFirstOrThrow();
}

/** Sets the change number of rules that were copied from another project. */
export async function setChangeNumber(
  tx: ScopedDb,
  projectId: string,
  ids: readonly string[],
  change: number,
): Promise<void> {
  await tx.query
    .updateTable('page_redirects')
    .set({ changed_in: change })
    .where('project_id', '=', projectId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
}

/** Returns the total size of some rules of a project. */
export async function sumRules(tx: ScopedDb, projectId: string, ids: readonly string[]): Promise<RuleTotals> {
  return tx.query
    .selectFrom('page_redirects')
    .where('project_id', '=', projectId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .select([
      sql<number>`count(*)::int`.as('rules'),
      sql<number>`coalesce(sum(program_size), 0)::int`.as('program_size'),
      sql<number>`coalesce(sum(octets), 0)::int`.as('octets'),
    ])
    .executeTakeFirstOrThrow();
}

/** Deletes the change counter of a deleted project. */
export async function deleteChangeCounter(tx: ScopedDb, projectId: string): Promise<void> {
  await tx.query.deleteFrom('page_redirect_sets').where('project_id', '=', projectId).execute();
}

/** Returns the revision of a project's rules: null before it has any, undefined if the scope has no such project. */
export async function findRevision(db: ScopedDb, projectId: string): Promise<Revision | null | undefined> {
  const [found] = await runCompiled<Revision | { readonly epoch: null }>(
    db,
    redirects,
    'revision',
    [projectId],
    (query, [project]) =>
      query
        .selectFrom('page_projects as project')
        .leftJoin('page_redirect_sets as rules', (join) =>
          join
            .onRef('rules.tenant_id', '=', 'project.tenant_id')
            .onRef('rules.project_id', '=', 'project.id'),
        )
        .select(['rules.epoch', 'rules.changes', 'rules.removed_in'])
        .where('project.id', '=', project),
  );
  return found?.epoch === null ? null : found;
}

/** A rule with the number of its last change. */
export interface StoredRule extends ChangedRule {
  readonly changed_in: number;
}

/** Returns rules of a project in the order of their last change, after a position. */
export async function nextRules(
  db: ScopedDb,
  projectId: string,
  after: Pick<StoredRule, 'changed_in' | 'id'>,
  limit: number,
): Promise<StoredRule[]> {
  return db.query
    .selectFrom('page_redirects')
    .where('project_id', '=', projectId)
    .where(sql<boolean>`(changed_in, id) > (${after.changed_in}::int, ${after.id}::uuid)`)
    .orderBy('changed_in')
    .orderBy('id')
    .limit(limit)
    .select([
      'id',
      'source_domain',
      'rule_type',
      sql<string>`coalesce(source_url_path, source_pattern)`.as('source'),
      sql<string>`coalesce(target_url, target_pattern)`.as('target'),
      'redirect_type',
      'priority',
      'created_at',
      'is_active',
      'program_size',
      'changed_in',
    ])
    .execute();
}
