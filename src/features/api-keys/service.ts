import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { isUuid } from '../../resources/keys.ts';
import { hasMembership } from '../memberships/index.ts';
import { type IssuedKey, issueKey } from './issue.ts';
import { revokeKey } from './queries.ts';

/** Makes a key of the named membership, or of the caller's own. @throws AppError NOT_FOUND for a foreign one. */
export async function createKey(
  ctx: MemberContext,
  body: { readonly name: string; readonly membership_id?: string },
): Promise<IssuedKey> {
  const { name, membership_id: membershipId = ctx.caller.membershipId } = body;
  if (!isUuid(membershipId)) throw new AppError(NOT_FOUND);
  if (!(await hasMembership(ctx.db, membershipId))) throw new AppError(NOT_FOUND);
  return issueKey(ctx.db, ctx.now, membershipId, name);
}

/** Ends a key at once; one that has ended stays as it is. @throws AppError NOT_FOUND. */
export async function endKey(ctx: MemberContext, id: string): Promise<void> {
  if (!isUuid(id) || !(await revokeKey(ctx.db, id, ctx.now))) throw new AppError(NOT_FOUND);
}
