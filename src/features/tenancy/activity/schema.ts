import Type, { type Static } from 'typebox';
import { EntityTypeName } from '../../../resources/entity-types.ts';
import { After } from '../../../resources/order-options.ts';
import { Filters, Limit, nextSchema } from '../../../resources/paging.ts';
import { VersionRecord } from '../entity-history/index.ts';

/** Effects of a change on a record. */
export const ACTIONS = ['created', 'updated', 'deleted', 'restored'] as const;

/** The body of the list of changes. */
export const ActivityQuery = Type.Object(
  { limit: Type.Optional(Limit), after: Type.Optional(After), filters: Type.Optional(Filters) },
  { title: 'ActivityQuery' },
);
/** Page and filters of the list of changes. */
export type ActivityQuery = Static<typeof ActivityQuery>;

/** A change of a record by a member or an operator. */
const Change = Type.Object(
  {
    entity_type: EntityTypeName,
    key: Type.String({ description: 'The `entitySortKey` of the record.' }),
    title: Type.String({ description: 'Of the record after the change.' }),
    version: Type.Integer({ description: 'Of the record after the change; of a deleted one, its last.' }),
    action: Type.Enum([...ACTIONS]),
    actor: VersionRecord.properties.actor,
    at: Type.String({ format: 'date-time' }),
    changed_fields: Type.Array(Type.String(), {
      description:
        'Members that differ from the previous version, without those that the platform sets. Empty for `created` and `deleted`.',
    }),
  },
  { title: 'Activity' },
);
/** A change of a record by a member or an operator. */
export type Change = Static<typeof Change>;

/** One page of changes. */
export const ActivityPage = Type.Object(
  { results: Type.Array(Change), next: nextSchema },
  { title: 'ActivityPage' },
);
/** One page of changes. */
export type ActivityPage = Static<typeof ActivityPage>;
