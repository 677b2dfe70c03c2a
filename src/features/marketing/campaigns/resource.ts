import { sql } from 'kysely';
import Type from 'typebox';
import type { CreateOf, ReplaceOf, RowOf, TableOf, ViewOf } from '../../../resources/field-types.ts';
import { hidden, id, moment, owner, text, time, version } from '../../../resources/fields.ts';
import { FILTER_OPERATIONS } from '../../../resources/filter-sql.ts';
import { bodyKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { audienceNameOf } from '../../contacts/api.ts';
import { CAMPAIGN_NOT_FOUND, DUPLICATE_CAMPAIGN_CODE } from './errors.ts';

/** Pattern of codes (docs/specification/campaigns.md#campaign). */
const CODE = '^[A-Z0-9][A-Z0-9_-]{0,63}$';
const isCode = new RegExp(CODE);

const fields = {
  id,
  code: text(Type.String({ pattern: CODE, description: 'Used in paths and links (`utm_campaign`).' }), {
    writes: 'once',
    search: true,
  }),
  name: text(Type.String({ minLength: 1, maxLength: 500 }), { filter: true, search: true }),
  colour: text(
    Type.String({
      pattern: '^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$',
      description: 'Calendar colour, such as `#0f766e`.',
    }),
    {},
  ),
  business_unit: owner,
  start_date: text(Type.String({ description: 'ISO 8601 date or time, stored as sent.' }), {}),
  end_date: text(Type.String(), { nullable: true }),
  goal: text(Type.String({ maxLength: 2000 }), { nullable: true, search: true }),
  audience: text(Type.String({ minLength: 1, maxLength: 2000, description: 'Target audience, in words.' }), {
    filter: true,
    search: true,
  }),
  audience_name: text(
    Type.String({ description: 'Name of the audience if `audience` is its id, else `audience`.' }),
    {
      writes: 'platform',
      computed: (table) => audienceNameOf(sql.ref(`${table}.audience`)),
    },
  ),
  version,
  created_at: moment,
  updated_at: moment,
  starts_at: hidden(time(Type.String(), { writes: 'platform' })),
  ends_at: hidden(time(Type.String(), { nullable: true, writes: 'platform' })),
};

declare module '../../../db/tables.ts' {
  interface Tables {
    marketing_campaigns: TableOf<typeof fields>;
  }
}

/** A row of `marketing_campaigns`. */
export type CampaignRow = RowOf<typeof fields>;
/** A campaign as the API returns it, without its figures. */
export type CampaignView = ViewOf<typeof fields>;
/** Validated body of a create. */
export type CampaignCreate = CreateOf<typeof fields>;
/** Validated body of a replace. */
export type CampaignReplace = ReplaceOf<typeof fields>;

/** Campaigns, owned by business units and named by codes. */
export const campaigns = defineResource({
  title: 'Campaign',
  entityType: 'marketing_campaign',
  table: 'marketing_campaigns',
  key: bodyKey('code', (code) => isCode.test(code)),
  notFound: CAMPAIGN_NOT_FOUND,
  fields,
  sorts: ['name', 'updated_at'],
  duplicates: { marketing_campaigns_pkey: DUPLICATE_CAMPAIGN_CODE },
  operations: FILTER_OPERATIONS.filter((operation) => operation !== 'nemptyarray'),
  filters: {
    start_date: { type: 'time', sql: (compare) => compare(sql.ref('starts_at')) },
    end_date: { type: 'time', sql: (compare) => compare(sql.ref('ends_at')) },
  },
});
