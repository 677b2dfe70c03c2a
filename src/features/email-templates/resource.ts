import type { Insertable } from 'kysely';
import { uuidKeys } from '../../resources/records.ts';
import { defineResource, type JsonColumn, type RecordRow } from '../../resources/resource.ts';
import { TEMPLATE_NOT_FOUND } from './errors.ts';
import type { Template, Version } from './schema.ts';

/** A template as it is stored. */
export interface TemplateRow extends RecordRow {
  id: string;
  shared: boolean;
  name: string;
  from_email: string;
  from_name: string | null;
  reply_to: string | null;
  description: string | null;
  type: string | null;
  transactional: boolean;
  open_tracking: boolean;
  click_tracking: boolean;
  last_version: number;
}

/** A version as it is stored. */
export interface VersionRow {
  tenant_id: string;
  id: string;
  template_id: string;
  version: number;
  active: boolean;
  created_at: string;
  updated_at: string;
  subject: string;
  html_content: string;
  plain_content: string | null;
  generate_plain_content: boolean;
  template_builder_content: object | null;
  test_data: object | null;
  data_fields_schema: unknown[] | null;
  attachments: Version['attachments'] | null;
}

type VersionJson = 'template_builder_content' | 'test_data' | 'data_fields_schema' | 'attachments';

interface VersionTable extends Omit<VersionRow, VersionJson | 'created_at' | 'updated_at'> {
  created_at: string | Date;
  updated_at: string | Date;
  template_builder_content: JsonColumn<object> | null;
  test_data: JsonColumn<object> | null;
  data_fields_schema: JsonColumn<unknown[]> | null;
  attachments: JsonColumn<Version['attachments']> | null;
}

declare module '../../db/tables.ts' {
  interface Tables {
    email_templates: TemplateRow;
    email_template_versions: VersionTable;
  }
}

/** A version as it is inserted. */
export type NewVersion = Insertable<VersionTable>;

/** E-mail templates, owned by business units; shared ones are read by all. */
export const templates = defineResource<TemplateRow, Template>({
  entityType: 'email_template',
  table: 'email_templates',
  key: 'id',
  ...uuidKeys,
  notFound: TEMPLATE_NOT_FOUND,
  view: (row) => ({
    id: row.id,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
    name: row.name,
    from_email: row.from_email,
    from_name: row.from_name,
    reply_to: row.reply_to,
    description: row.description,
    type: row.type,
    transactional: row.transactional,
    open_tracking: row.open_tracking,
    click_tracking: row.click_tracking,
    shared: row.shared,
    business_unit: row.owner_bu_id,
  }),
  filters: { fields: { name: { type: 'text' }, type: { type: 'text' } }, operations: ['eq', 'like'] },
  search: ['name', 'description', 'type', 'from_email'],
});

/** A version as it is read. */
export function toVersion(row: VersionRow): Version {
  const { tenant_id: _tenant, data_fields_schema, attachments, ...facts } = row;
  return { ...facts, data_fields_schema: data_fields_schema ?? [], attachments: attachments ?? [] };
}
