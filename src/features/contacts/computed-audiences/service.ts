import { isDeepStrictEqual } from 'node:util';
import { invalidRequest } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { Columns } from '../../../resources/body.ts';
import { idOfNew, type RestoringContext } from '../../../resources/restored-records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { getEmailSettings } from '../../email-settings/api.ts';
import {
  AUDIENCE_COMPUTATIONS,
  type AudienceBody,
  type AudienceRow,
  dropComputation,
  findComputedIds,
  refuseUsedGroup,
  removeMembers,
  requestComputation,
  requestComputationsUsing,
} from '../subscriber-groups/index.ts';
import type { AudienceFilters } from './condition-groups.ts';
import { readAudienceFilters, usesOf } from './filters.ts';

/** Checks the filters of a new audience and creates its id. @throws AppError as `checkFilters`. */
export async function prepareAudience(
  ctx: MemberContext & RestoringContext,
  body: AudienceBody,
): Promise<{ readonly id: string }> {
  await checkFilters(ctx, body);
  return { id: idOfNew(ctx) };
}

/** Checks filters. @throws AppError INVALID_REQUEST naming field and rule of each invalid condition. */
export async function checkFilters(
  { db }: MemberContext,
  { filters }: Pick<AudienceBody, 'filters'>,
): Promise<void> {
  if (filters === undefined || filters === null) return;
  const usesFields = usesOf(filters).uses_fields;
  const definitions = usesFields ? (await getEmailSettings(db)).subscriber_additional_fields : {};
  const references = readAudienceFilters(filters, definitions);
  const computed = await findComputedIds(
    db,
    references.map(({ id }) => id),
  );
  const paths = new Set(references.filter(({ id }) => computed.includes(id)).map(({ path }) => path));
  const message = 'must not reference a computed audience';
  if (paths.size > 0) throw invalidRequest([...paths].map((field) => ({ field, message })));
}

/** Requests the computation of a new audience if it has filters. */
export async function computeNew(
  ctx: MemberContext,
  { filters }: AudienceBody,
  id: string,
): Promise<Columns> {
  if (filters) await compute(ctx, id, filters);
  return {};
}

/** Requests a new computation of an audience if its filters changed. */
export async function computeReplaced(
  ctx: MemberContext,
  { filters = null }: AudienceBody,
  current: AudienceRow,
): Promise<Columns> {
  if (isDeepStrictEqual(filters, current.filters)) return {};
  await compute(ctx, current.id, filters);
  // Filters of other audiences that reference this one now match other subscribers.
  if ((filters === null) !== (current.filters === null)) await recomputeDependents(ctx);
  return {};
}

/** Removes the computation and members of a deleted audience. @throws AppError IN_USE. */
export async function dropMembers(ctx: MemberContext, { id }: AudienceRow): Promise<void> {
  await refuseUsedGroup(ctx.platform, ctx.db, id);
  await dropComputation(ctx.db, id);
  await removeMembers(ctx.db, id);
  await recomputeDependents(ctx);
}

async function compute(ctx: MemberContext, id: string, filters: AudienceFilters | null): Promise<void> {
  await requestComputation(ctx.db, id, usesOf(filters), ctx.now);
  wakeAfterCommit(ctx, ctx.db);
}

async function recomputeDependents(ctx: MemberContext): Promise<void> {
  await requestComputationsUsing(ctx.db, 'groups', ctx.now);
  wakeAfterCommit(ctx, ctx.db);
}

function wakeAfterCommit({ platform }: MemberContext, tx: ScopedDb): void {
  tx.afterCommit(() => platform.workQueues.wake(AUDIENCE_COMPUTATIONS));
}
