import { type RawBuilder, sql } from 'kysely';
import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { CreateOf, ReplaceOf, RowOf, TableOf, ViewOf } from '../../../resources/field-types.ts';
import {
  boolean,
  hidden,
  integer,
  json,
  moment,
  owner,
  text,
  time,
  version,
} from '../../../resources/fields.ts';
import { pathKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { isContentId } from './keys.ts';
import { Description, Name, PreviewConfig, ProjectId, RedirectConfig } from './schema.ts';

const fields = {
  id: text(ProjectId, { writes: 'platform' }),
  name: text(Name, { filter: true, search: true }),
  description: text(Description, {}),
  is_template: boolean(Type.Boolean({ description: 'Usable as template for projects. Default: false.' }), {
    default: false,
  }),
  template_id: text(ProjectId, { writes: 'once', nullable: true }),
  duplicated_from: text(ProjectId, { writes: 'once', nullable: true }),
  business_unit_id: owner,
  model_version: hidden(integer(Type.Integer(), { writes: 'platform' })),
  template_version: integer(
    Type.Integer({ description: 'For templates: increases with every change of a model.' }),
    { writes: 'platform', nullable: true, omitsNull: true, computed: templateVersion },
  ),
  synced_template_version: integer(
    Type.Integer({
      description: 'For projects made from a template: version last synced.',
    }),
    { writes: 'platform', nullable: true, omitsNull: true },
  ),
  template_synced_at: time(Type.String(), { writes: 'platform', nullable: true, omitsNull: true }),
  redirect_config: json(RedirectConfig, { nullable: true, declared: true }),
  preview_config: json(PreviewConfig, { nullable: true, declared: true }),
  version,
  created_at: moment,
  updated_at: moment,
};

/** A project as stored. */
export type ProjectRow = RowOf<typeof fields>;
/** A project as lists show it. */
export type ProjectView = ViewOf<typeof fields>;
/** A validated body that creates a project. */
export type ProjectCreate = CreateOf<typeof fields>;
/** A validated body that replaces a project. */
export type ProjectReplace = ReplaceOf<typeof fields>;

declare module '../../../db/tables.ts' {
  interface Tables {
    page_projects: TableOf<typeof fields>;
  }
}

/** Projects, owned by business units. */
export const projects = defineResource({
  title: 'PageProject',
  entityType: 'pages_project_metadata',
  table: 'page_projects',
  key: pathKey('id', isContentId),
  notFound: NOT_FOUND,
  fields,
  sorts: ['name', 'updated_at'],
});

/** Returns SQL for the number of changes of a template's models; null for other projects. */
function templateVersion(table: string): RawBuilder<unknown> {
  return sql`case when ${sql.ref(`${table}.is_template`)} then ${sql.ref(`${table}.model_version`)} end`;
}
