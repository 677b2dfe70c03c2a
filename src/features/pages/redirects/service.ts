import { AppError } from '../../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND, ruleBroken } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { RouteInput } from '../../../http/route.ts';
import { type Columns, columnsOf } from '../../../resources/body.ts';
import type { Contents, CopiedRecords, DeletedRecords } from '../../../resources/contents.ts';
import { requireRole } from '../../../resources/ownership.ts';
import { createRecord, getRecord } from '../../../resources/records.ts';
import { keyFrom } from '../../../resources/route-parts.ts';
import { readForUpdate } from '../../../resources/updates.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { type ProjectInfo, requireProject, shareLockProject } from '../projects/index.ts';
import { findMatcher } from './matcher-cache.ts';
import { MAX_PROGRAMS_SIZE } from './pattern.ts';
import { countChange, deleteChangeCounter, type RuleTotals, setChangeNumber, sumRules } from './queries.ts';
import { type RedirectBody, type RedirectRow, redirects } from './resource.ts';
import type { Redirection } from './rule.ts';
import { type RuleSize, ruleColumns } from './rule-body.ts';
import { toDomain } from './source.ts';

/** Largest total of a project's rules in a matcher, in bytes: about 150,000 rules of usual length. */
const MAX_RULES_BYTES = 64 * 1024 * 1024;

/**
 * Creates a rule in the open transaction. @throws AppError NOT_FOUND, INVALID_REQUEST, FORBIDDEN, DUPLICATE_REDIRECT,
 * VALIDATION_ERROR.
 */
export async function createRedirect(
  ctx: MemberContext,
  projectId: string,
  body: RedirectBody,
): Promise<{ id: string }> {
  const project = await shareLockProject(ctx.db, projectId);
  requireRole(ctx.caller, project.owner_bu_id, 'editor');
  requireDomain(project, body);
  const rule = ruleColumns(body);
  const changed_in = await countRuleChange(ctx.db, projectId, { ruleCount: 1, before: NO_RULE, after: rule });
  const columns = { ...columnsOf(redirects.fields, 'create', body), ...rule, changed_in };
  const { id } = await createRecord(ctx, redirects, columns, {
    key: projectId,
    ownerId: project.owner_bu_id,
  });
  return { id };
}

/**
 * Returns the columns of a replaced rule, in the open transaction. @throws AppError NOT_FOUND, INVALID_REQUEST or
 * VALIDATION_ERROR.
 */
export async function replacementColumns(
  { db }: MemberContext,
  body: RedirectBody,
  current: RedirectRow,
): Promise<Columns> {
  requireDomain(await shareLockProject(db, current.project_id), body);
  const rule = ruleColumns(body);
  const changed_in = await countRuleChange(db, current.project_id, {
    ruleCount: 0,
    before: current,
    after: rule,
  });
  return { ...rule, changed_in };
}

/** Counts the deletion of a rule in its transaction. @throws AppError NOT_FOUND without the project. */
export async function countDeletion({ db }: MemberContext, row: RedirectRow): Promise<void> {
  await shareLockProject(db, row.project_id);
  await countRuleChange(db, row.project_id, { ruleCount: -1, before: row, after: NO_RULE });
}

/** Returns a rule. @throws AppError NOT_FOUND. */
export async function getRedirect({ db }: MemberContext, projectId: string, id: string) {
  await requireProject(db, projectId);
  return redirects.view(await getRecord(db, redirects, [projectId, id]));
}

/** Returns the rule of a request for an update. @throws AppError NOT_FOUND or FORBIDDEN. */
export async function getRedirectForUpdate(ctx: MemberContext, { params }: RouteInput) {
  const [projectId = '', id = ''] = keyFrom(redirects, Object(params));
  await requireProject(ctx.db, projectId);
  return readForUpdate(ctx, redirects, [projectId, id]);
}

/** Returns the redirect of a request. @throws AppError NOT_FOUND without the project. */
export async function checkRedirect(
  { platform, db }: MemberContext,
  projectId: string,
  { source_domain, source_url_path }: { readonly source_domain: string; readonly source_url_path: string },
): Promise<{ redirect: false } | ({ redirect: true } & Redirection)> {
  const matcher = await findMatcher(platform, db, projectId);
  if (matcher === undefined) throw new AppError(NOT_FOUND);
  const found = matcher?.match(source_domain, source_url_path) ?? null;
  return found === null ? { redirect: false } : { redirect: true, ...found };
}

/** Redirects as contents of projects. */
export const redirectContents: Contents = {
  resource: redirects,
  copyRelated: async (tx: ScopedDb, { to, ids }: CopiedRecords) => {
    const { changes } = await countChange(tx, to, await sumRules(tx, to, ids));
    await setChangeNumber(tx, to, ids, changes);
  },
  deleteRelated: (tx: ScopedDb, { parent }: DeletedRecords) => deleteChangeCounter(tx, parent),
};

const NO_RULE: RuleSize = { program_size: 0, octets: 0 };

/** Requires a source domain of the project. @throws AppError INVALID_REQUEST. */
function requireDomain({ source_domains }: ProjectInfo, { source_domain }: RedirectBody): void {
  const domain = toDomain(source_domain);
  if (source_domains.some((each) => toDomain(each) === domain)) return;
  const message = "must be one of the project's redirect_config.source_domains";
  throw invalidRequest([{ field: 'source_domain', message }]);
}

/**
 * Counts a change before it is written and returns its number.
 * @throws AppError VALIDATION_ERROR if the project's rules would exceed their memory limit.
 */
async function countRuleChange(
  tx: ScopedDb,
  projectId: string,
  {
    ruleCount,
    before,
    after,
  }: { readonly ruleCount: number; readonly before: RuleSize; readonly after: RuleSize },
): Promise<number> {
  const difference: RuleTotals = {
    rules: ruleCount,
    program_size: after.program_size - before.program_size,
    octets: after.octets - before.octets,
  };
  const totals = await countChange(tx, projectId, difference);
  if (difference.program_size > 0 && totals.program_size > MAX_PROGRAMS_SIZE)
    throw ruleBroken('source_pattern', 'the regular expressions of the project exceed their total limit');
  if (difference.octets > 0 && totals.octets > MAX_RULES_BYTES)
    throw ruleBroken('source_domain', 'the project has the maximum number of redirects; delete one first');
  return totals.changes;
}
