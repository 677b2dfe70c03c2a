import { type RawBuilder, sql } from 'kysely';
import Type, { type Static } from 'typebox';
import { mergeWritten } from '../../../db/written-json.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { CreateOf, ReplaceOf, RowOf, TableOf } from '../../../resources/field-types.ts';
import { hidden, json, moment, owner, text, version } from '../../../resources/fields.ts';
import { onlyOne, within } from '../../../resources/keys.ts';
import { defineResource, type Resource } from '../../../resources/resource.ts';
import { projectKey } from '../projects/index.ts';
import { SettingsReply } from './schema.ts';

/** Id of the settings of every project. */
export const SETTINGS_ID = 'site_settings';

const fields = {
  project_id: text(Type.String(), { writes: 'platform' }),
  business_unit: hidden(owner),
  settings: json(Type.Object({}, { additionalProperties: true }), {}),
  version,
  created_at: moment,
  updated_at: moment,
};

type SettingsRow = RowOf<typeof fields>;

declare module '../../../db/tables.ts' {
  interface Tables {
    page_site_settings: TableOf<typeof fields>;
  }
}

const stored = defineResource({
  entityType: 'pages_site_settings',
  table: 'page_site_settings',
  key: within(projectKey, onlyOne(SETTINGS_ID)),
  notFound: NOT_FOUND,
  ownedByParent: true,
  fields,
});

interface SettingsTypes {
  readonly row: SettingsRow;
  readonly view: Static<typeof SettingsReply>;
  readonly create: CreateOf<typeof fields>;
  readonly replace: ReplaceOf<typeof fields>;
}

/**
 * Settings of sites, one record per project. The settings are members of the record itself, next to the common fields.
 */
export const siteSettings: Resource<SettingsTypes> = {
  ...stored,
  choices: new Map(),
  view: viewOf,
  listView: viewOf,
  sqlView,
  sqlListView: sqlView,
  reply: SettingsReply,
  listReply: SettingsReply,
};

function viewOf({ settings, project_id, version, created_at, updated_at }: SettingsRow) {
  return mergeWritten({ id: SETTINGS_ID, project_id, version, created_at, updated_at }, settings);
}

/** Returns the record as JSON text, composed of stored texts, so that settings keep their original form. */
function sqlView(table: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const time = (name: string) =>
    sql`to_char(${column(name)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const commonFields = sql`json_build_object('id', ${sql.lit(SETTINGS_ID)}::text, 'project_id', ${column('project_id')},
    'version', ${column('version')}, 'created_at', ${time('created_at')}, 'updated_at', ${time('updated_at')})`;
  const settings = sql`${column('settings')}::text`;
  return sql`(left(${commonFields}::text, -1)
    || case when ${settings} = '{}' then '}' else ',' || substr(${settings}, 2) end)::json`;
}
