import { AppError } from '../../../errors/app-error.ts';
import { FORBIDDEN, NOT_FOUND, ruleBroken } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { columnsOf, setOnceOf } from '../../../resources/body.ts';
import { readsShared } from '../../../resources/ownership.ts';
import {
  changeRecord,
  createRecord,
  deleteRecord,
  findRecord,
  lockRecord,
} from '../../../resources/records.ts';
import { type Caller, hasRoleInAnyUnit } from '../../../tenancy/caller.ts';
import { countViews, listViews } from './queries.ts';
import { type ViewRow, views } from './resource.ts';
import type { ListedView, ViewCreate, ViewReplace } from './schema.ts';

/** Maximum number of views of a screen: of one member, and of shared ones. A list shows them all. */
const MAX_VIEWS = 100;

/** Lists the views of a screen that the caller has saved or that are shared, by name. */
export async function listSavedViews({ db, caller }: MemberContext, screen: string): Promise<ListedView[]> {
  const rows = await listViews(db, caller.membershipId, screen, readsShared(caller));
  return rows.map(({ membership_id, is_shared, author_name, ...view }) => ({
    ...view,
    shared: is_shared,
    author: membership_id === null || author_name === null ? null : { membership_id, name: author_name },
    can_change: mayChange(caller, membership_id),
  }));
}

/**
 * Saves a view for the caller, or for all members if it is shared. @throws AppError FORBIDDEN, or VALIDATION_ERROR if
 * there are too many.
 */
export async function createView(ctx: MemberContext, body: ViewCreate): Promise<{ id: string }> {
  const { membershipId } = ctx.caller;
  if (body.shared) requireSharing(ctx.caller);
  const count = await countViews(ctx.db, membershipId, body.screen);
  requireRoom(count, 'own');
  if (body.shared) requireRoom(count, 'shared');
  const columns = { ...columnsOf(views.fields, 'create', body), membership_id: membershipId };
  const { id } = await createRecord(ctx, views, columns);
  return { id };
}

/** Returns a view. @throws AppError NOT_FOUND, also for a private view of another member. */
export async function getView({ db, caller }: MemberContext, id: string): Promise<ViewRow> {
  return requireVisible(await findRecord(db, views, id), caller);
}

/**
 * Replaces name, query and sharing of a view. @throws AppError NOT_FOUND, FORBIDDEN, IMMUTABLE_FIELD, VERSION_CONFLICT,
 * or VALIDATION_ERROR if too many are shared.
 */
export async function replaceView(
  ctx: MemberContext,
  id: string,
  { version, ...body }: ViewReplace,
): Promise<{ id: string }> {
  const options = { setOnce: setOnceOf(views.fields, body), ...(version === undefined ? {} : { version }) };
  await changeRecord(ctx, views, id, options, async (current, db) => {
    requireChangeable(current, ctx.caller);
    if (body.shared && !current.is_shared) {
      requireSharing(ctx.caller);
      requireRoom(await countViews(db, ctx.caller.membershipId, current.screen), 'shared');
    }
    return columnsOf(views.fields, 'replace', body);
  });
  return { id };
}

/** Deletes a view. @throws AppError NOT_FOUND or FORBIDDEN. */
export async function deleteView(ctx: MemberContext, id: string): Promise<{ id: string }> {
  requireChangeable(await lockRecord(ctx, views, id, 'viewer'), ctx.caller);
  await deleteRecord(ctx, views, id);
  return { id };
}

function requireVisible(view: ViewRow | null, caller: Caller): ViewRow {
  if (view === null || !isVisible(view, caller)) throw new AppError(NOT_FOUND);
  return view;
}

function isVisible({ membership_id, is_shared }: ViewRow, caller: Caller): boolean {
  return membership_id === caller.membershipId || (is_shared && readsShared(caller));
}

function requireChangeable(view: ViewRow, caller: Caller): void {
  requireVisible(view, caller);
  if (!mayChange(caller, view.membership_id))
    throw new AppError(FORBIDDEN, {
      message: 'Only its author and owners can change a shared view. Save your own.',
    });
}

function mayChange({ membershipId, isTenantAdmin }: Caller, authorId: string | null): boolean {
  return isTenantAdmin || authorId === membershipId;
}

function requireSharing(caller: Caller): void {
  if (!hasRoleInAnyUnit(caller, 'editor'))
    throw new AppError(FORBIDDEN, { message: 'Only editors can share a view. Save it for yourself.' });
}

function requireRoom(count: Readonly<Record<'own' | 'shared', number>>, kind: 'own' | 'shared'): void {
  if (count[kind] >= MAX_VIEWS)
    throw ruleBroken(
      kind === 'own' ? 'screen' : 'shared',
      `exceeds the limit of ${MAX_VIEWS} ${kind === 'own' ? 'views of yours' : 'shared views'} of a screen; delete one first`,
    );
}
