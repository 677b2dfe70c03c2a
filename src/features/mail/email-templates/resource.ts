import Type from 'typebox';
import type { CreateOf, ReplaceOf, RowOf, TableOf, ViewOf } from '../../../resources/field-types.ts';
import {
  boolean,
  hidden,
  id,
  integer,
  json,
  moment,
  owner,
  text,
  uuid,
  version,
} from '../../../resources/fields.ts';
import { uuidKey, within } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { TEMPLATE_NOT_FOUND } from './errors.ts';
import { Attachments, FreeObject, HeaderText } from './schema.ts';

const Text = Type.String();
/** An address as entered, possibly with white space. */
const Address = Type.String({ maxLength: 1000 });
const Flag = Type.Boolean();

const templateFields = {
  id,
  version,
  created_at: moment,
  updated_at: moment,
  name: text(Type.String({ minLength: 1, maxLength: 500 }), { filter: true, search: true }),
  from_email: text(Type.String({ ...Address, description: 'Sender on a verified sending domain.' }), {
    search: true,
  }),
  from_name: text(HeaderText, { nullable: true }),
  reply_to: text(Address, { nullable: true }),
  description: text(Type.String({ maxLength: 10_000 }), { nullable: true, search: true }),
  type: text(Type.String({ maxLength: 500, description: 'Category for grouping.' }), {
    nullable: true,
    filter: true,
    search: true,
  }),
  transactional: boolean(Type.Boolean({ description: 'Transactional mail ignores unsubscribes.' }), {}),
  open_tracking: boolean(Flag, { default: false }),
  click_tracking: boolean(Flag, { default: false }),
  shared: boolean(
    Type.Boolean({
      description: 'Readable by every unit; only owners set and change it. Default: false.',
    }),
    { default: false, keeps: true },
  ),
  business_unit: owner,
  /** Highest version number ever used. */
  last_version: hidden(integer(Type.Integer(), { writes: 'platform' })),
};

const versionFields = {
  id,
  template_id: uuid(Text, { writes: 'platform' }),
  version: integer(Type.Integer({ description: 'Counts from 1.' }), {
    writes: 'platform',
  }),
  active: boolean(Type.Boolean({ description: 'True: makes it the only active version.' }), {}),
  subject: text(Type.String({ maxLength: 2000 }), {}),
  html_content: text(Text, {}),
  plain_content: text(Text, { nullable: true }),
  generate_plain_content: boolean(
    Type.Boolean({
      description: 'Derive `plain_content` from the HTML. Default: false.',
    }),
    { default: false },
  ),
  template_builder_content: json(FreeObject, { nullable: true }),
  test_data: json(FreeObject, { nullable: true }),
  data_fields_schema: json(Type.Array(Type.Unknown()), { nullable: true, whenNull: [] }),
  attachments: json(Attachments, { nullable: true, whenNull: [], declared: true }),
  created_at: moment,
  updated_at: moment,
};

/** A stored template. */
export type TemplateRow = RowOf<typeof templateFields>;
/** A checked body that creates a template. */
export type TemplateCreate = CreateOf<typeof templateFields>;
/** A checked body that replaces a template. */
export type TemplateReplace = ReplaceOf<typeof templateFields>;
/** A stored version. */
export type VersionRow = RowOf<typeof versionFields>;
/** A version in replies. */
export type Version = ViewOf<typeof versionFields>;
/** A checked body of a version. */
export type VersionBody = ReplaceOf<typeof versionFields>;

declare module '../../../db/tables.ts' {
  interface Tables {
    email_templates: TableOf<typeof templateFields>;
    email_template_versions: TableOf<typeof versionFields>;
  }
}

/** Email templates, owned by business units; all units can read shared ones. */
export const templates = defineResource({
  title: 'Template',
  entityType: 'email_template',
  table: 'email_templates',
  key: uuidKey('id'),
  notFound: TEMPLATE_NOT_FOUND,
  fields: templateFields,
  sorts: ['name', 'updated_at'],
});

/** Versions of a template, whose contents are sent. They belong to their template's unit and have no history. */
export const versions = defineResource({
  title: 'TemplateVersion',
  table: 'email_template_versions',
  key: within(uuidKey('template_id'), uuidKey('id')),
  notFound: TEMPLATE_NOT_FOUND,
  fields: versionFields,
});
