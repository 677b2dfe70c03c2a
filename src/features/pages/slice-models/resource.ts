import { sql } from 'kysely';
import Type from 'typebox';
import { NOT_FOUND, ruleBroken } from '../../../errors/platform-errors.ts';
import type { ReplaceOf, TableOf } from '../../../resources/field-types.ts';
import { boolean, hidden, json, moment, owner, text, version } from '../../../resources/fields.ts';
import { pathKey, within } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { ContentId } from '../document-models/index.ts';
import { isContentId, projectKey } from '../projects/index.ts';
import { Category, Keywords, Kind, Name, Origin, Status, Variations } from './schema.ts';

const fields = {
  id: text(ContentId, { writes: 'platform' }),
  type: text(Type.Enum(['SharedSlice']), { default: 'SharedSlice' }),
  name: text(Name, { search: true }),
  description: text(Type.String({ maxLength: 10_000 }), { nullable: true }),
  kind: text(Kind, { default: 'section' }),
  origin: text(Origin, { default: 'bespoke' }),
  status: text(Status, { default: 'stable' }),
  category: text(Category, { nullable: true }),
  tags: json(Keywords, { default: [], declared: true }),
  keywords: json(Keywords, { default: [], declared: true }),
  media: json(Keywords, { default: [], declared: true }),
  variations: json(Variations, { default: [] }),
  project_id: text(Type.String({ description: 'For core slices: project of creation.' }), {
    writes: 'platform',
  }),
  version,
  created_at: moment,
  updated_at: moment,
  owner: hidden(owner),
  /** True for slices of the tenant; generated, and used by scopes. */
  shared: hidden(
    boolean(Type.Boolean(), {
      writes: 'platform',
      computed: (table) => sql`${sql.ref(`${table}.origin`)} = 'core'`,
    }),
  ),
};

/** A validated body without the id. */
export type SliceModelReplace = ReplaceOf<typeof fields>;

declare module '../../../db/tables.ts' {
  interface Tables {
    /** The additional columns are generated from `origin`, `tags` and `media`. */
    slice_models: TableOf<typeof fields> & { shared: boolean; tag_values: string[]; media_values: string[] };
  }
}

/** Slice models. Bespoke ones belong to the unit of their project, core ones to the tenant. */
export const sliceModels = defineResource({
  title: 'SliceModel',
  entityType: 'pages_slice_model',
  table: 'slice_models',
  key: within(projectKey, pathKey('id', isContentId)),
  notFound: NOT_FOUND,
  ownedByParent: true,
  fields,
  sorts: ['name', 'updated_at'],
  duplicates: {
    slice_models_core: () =>
      ruleBroken('origin', 'another core slice has this id: delete this slice to use the core slice'),
  },
});
