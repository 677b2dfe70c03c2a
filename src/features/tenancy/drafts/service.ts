import { AppError } from '../../../errors/app-error.ts';
import { FORBIDDEN, NOT_FOUND, ruleBroken } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { ENTITY_TYPES } from '../../../resources/entity-types.ts';
import { hasRoleInAnyUnit } from '../../../tenancy/caller.ts';
import { historyDb, kindVisibilityOf, recordExistsFor } from '../entity-history/index.ts';
import {
  countOtherDrafts,
  type DraftRow,
  deleteDraftOf,
  findDraft,
  listDrafts,
  type Reader,
  upsertDraft,
} from './queries.ts';
import type { Draft, DraftBody, DraftPath, DraftsQuery, ListedDraft } from './schema.ts';

/** Maximum number of drafts of one member, and of shared ones in a list. */
const MAX_DRAFTS = 100;

/** Lists the caller's drafts of a kind and the shared ones of records that the caller can see, newest first. */
export async function listOwnAndShared(ctx: MemberContext, query: DraftsQuery): Promise<ListedDraft[]> {
  const rows = await listDrafts(historyDb(ctx), readerOf(ctx), query, MAX_DRAFTS);
  return rows.map((row) => toListed(ctx, row));
}

/** Returns a draft of the caller, or a shared one of another author. @throws AppError NOT_FOUND. */
export async function getDraft(ctx: MemberContext, path: DraftPath, authorId?: string): Promise<Draft> {
  const row = await findDraft(historyDb(ctx), readerOf(ctx), path, authorId ?? ctx.caller.membershipId);
  if (row === undefined) throw new AppError(NOT_FOUND);
  return { ...toListed(ctx, row), data: row.data };
}

/**
 * Checks that the caller may share a draft. Others see it if they can see its record, so there has to be one.
 * @throws AppError FORBIDDEN, or VALIDATION_ERROR if there is no such record.
 */
export async function requireSharing(
  ctx: MemberContext,
  { entity_type, key }: DraftPath,
  { shared = false }: DraftBody,
): Promise<void> {
  if (!shared) return;
  if (!hasRoleInAnyUnit(ctx.caller, 'editor'))
    throw new AppError(FORBIDDEN, { message: 'Only editors can share a draft. Keep it for yourself.' });
  const kind = ENTITY_TYPES.find((each) => each === entity_type);
  if (kind === undefined || !(await recordExistsFor(ctx, { entityType: kind, entitySortKey: key })))
    throw ruleBroken('shared', 'requires an existing record with history; keep the draft for yourself');
}

/** Keeps a draft of the caller. @throws AppError VALIDATION_ERROR if the caller has too many. */
export async function keepDraft(
  { db, caller, now }: MemberContext,
  path: DraftPath,
  { base_version = null, data, shared = false }: DraftBody,
): Promise<{ saved_at: string }> {
  if ((await countOtherDrafts(db, caller.membershipId, path)) >= MAX_DRAFTS)
    throw ruleBroken('key', `exceeds the limit of ${MAX_DRAFTS} drafts of yours; delete one first`);
  await upsertDraft(db, {
    membership_id: caller.membershipId,
    entity_type: path.entity_type,
    sort_key: path.key,
    base_version,
    data: JSON.stringify(data),
    is_shared: shared,
    saved_at: now,
  });
  return { saved_at: now.toISOString() };
}

/** Deletes a draft of the caller. @throws AppError NOT_FOUND. */
export async function removeDraft({ db, caller }: MemberContext, path: DraftPath): Promise<void> {
  if (!(await deleteDraftOf(db, caller.membershipId, path))) throw new AppError(NOT_FOUND);
}

function readerOf({ caller }: MemberContext): Reader {
  return { membershipId: caller.membershipId, visibility: kindVisibilityOf(caller) };
}

function toListed({ caller }: MemberContext, row: DraftRow): ListedDraft {
  const { entity_type, key, base_version, shared, saved_at, membership_id, author_name } = row;
  const author = { membership_id, name: author_name };
  const is_own = membership_id === caller.membershipId;
  return { entity_type, key, author, is_own, base_version, shared, saved_at };
}
