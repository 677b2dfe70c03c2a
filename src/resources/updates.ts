/** Completion of update bodies for records (docs/specification/conventions.md#updates). */
import type { MemberContext } from '../http/context.ts';
import { requireWritable } from './all-or-none.ts';
import { keptMembersOf, onceMembersOf } from './body.ts';
import type { KeyParts } from './keys.ts';
import { requireTenantWriter } from './ownership.ts';
import { getRecord, writerOf } from './records.ts';
import type { Resource, ResourceTypes } from './resource.ts';
import { keyFrom } from './route-parts.ts';

/** The update rules of a route whose path has the record's key. */
export function updatesOf<T extends ResourceTypes>(resource: Resource<T>) {
  return {
    current: (ctx: MemberContext, { params }: { readonly params: object }): Promise<T['view']> =>
      readForUpdate(ctx, resource, keyFrom(resource, params)),
    keeps: keptMembers(resource),
    once: onceMembersOf(resource.fields),
  };
}

/** Returns the members that a replace keeps if its body leaves them out. The owner is one, because it cannot change. */
export function keptMembers({ fields, ownerName }: Resource): string[] {
  return [...keptMembersOf(fields), ownerName];
}

/** Returns the record as its GET shows it. @throws AppError notFound, or FORBIDDEN if the caller may not write it. */
export async function readForUpdate<T extends ResourceTypes>(
  ctx: MemberContext,
  resource: Resource<T>,
  key: KeyParts,
): Promise<T['view']> {
  const { actor, db } = writerOf(ctx);
  requireTenantWriter(actor, resource, 'editor');
  const row = await getRecord(db, resource, key);
  requireWritable(actor, resource, row, {}, 'editor');
  return resource.view(row);
}
