import { expressionBuilder, sql } from 'kysely';
import Type from 'typebox';
import type { Tables } from '../../../db/tables.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { CreateOf, RowOf, TableOf } from '../../../resources/field-types.ts';
import { id, integer, json, recordFields, text } from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { Computation, computationOf } from './computations.ts';

const fields = {
  id,
  name: text(Type.String({ minLength: 1, maxLength: 200 }), { filter: true, search: true }),
  description: text(Type.String({ maxLength: 2000 }), { nullable: true, search: true }),
  subscriber_count: integer(Type.Integer({ description: 'Includes inactive subscribers.' }), {
    writes: 'platform',
    computed: countOf,
  }),
  ...recordFields,
};

/** Filters of an audience in a body. */
export const AudienceFilters = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Conditions by field, as in list requests, and `engagement`; all must match. `any` and `none` are lists of such filters: at least one of `any` and none of `none` must match. At most 100 conditions in total. To filter by entity records, copy their values with the action `upsertSubscriber`.',
});

const audienceFields = {
  ...fields,
  filters: json(AudienceFilters, { nullable: true, omitsNull: true }),
  computation: json(Computation, {
    nullable: true,
    omitsNull: true,
    declared: true,
    writes: 'platform',
    computed: computationOf,
  }),
};

declare module '../../../db/tables.ts' {
  interface Tables {
    marketing_lists: TableOf<typeof fields>;
    marketing_audiences: TableOf<typeof audienceFields>;
  }
}

/** A row of `marketing_audiences`. */
export type AudienceRow = RowOf<typeof audienceFields>;
/** Validated body of a create or a replace. */
export type AudienceBody = CreateOf<typeof audienceFields>;

const common = { key: uuidKey('id'), notFound: NOT_FOUND, sorts: ['name', 'updated_at'] } as const;

/** Lists: groups to which subscribers are added. */
export const lists = defineResource({
  ...common,
  title: 'List',
  entityType: 'marketing_list',
  table: 'marketing_lists',
  fields,
});

/** Audiences: target groups of campaigns. The members of an audience with filters are computed. */
export const audiences = defineResource({
  ...common,
  title: 'Audience',
  entityType: 'marketing_audience',
  table: 'marketing_audiences',
  fields: audienceFields,
});

function countOf(table: string) {
  return expressionBuilder<Tables, never>()
    .selectFrom('subscriber_group_counts as counted')
    .select(sql<number>`coalesce(sum(counted.members), 0)::int`.as('subscribers'))
    .where('counted.group_id', '=', sql<string>`${sql.ref(`${table}.id`)}`);
}
