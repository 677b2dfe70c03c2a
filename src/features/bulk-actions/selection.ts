import Type, { type Static } from 'typebox';
import type { MemberContext } from '../../http/context.ts';
import type { BulkRule } from '../../resources/bulk-rules.ts';
import { limitConditions } from '../../resources/filters.ts';
import type { KeySelection } from '../../resources/selected-keys.ts';

const Texts = Type.Array(Type.String());

/** The records of an action. */
export const Selection = Type.Object({
  parent: Texts,
  filters: Type.Record(Type.String(), Type.Unknown()),
  search: Type.Optional(Type.String()),
  ids: Type.Optional(Texts),
  exclude_ids: Type.Optional(Texts),
  created_until: Type.Optional(Type.String()),
});
/** The records of an action. */
export type Selection = Static<typeof Selection>;

/** Returns the records of a stored selection, with the filter fields of the tenant. */
export async function selectionOf(
  ctx: Pick<MemberContext, 'db'>,
  { fields }: BulkRule,
  { parent, filters, search, ids, exclude_ids, created_until }: Selection,
): Promise<KeySelection> {
  limitConditions(filters);
  return {
    parent,
    filters,
    search,
    ids,
    excludedIds: exclude_ids,
    createdUntil: created_until,
    ...(fields && { fields: await fields(ctx, filters) }),
  };
}
