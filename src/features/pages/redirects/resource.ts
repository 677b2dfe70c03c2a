import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { CreateOf, RowOf, TableOf } from '../../../resources/field-types.ts';
import { boolean, hidden, id, integer, number, recordFields, text } from '../../../resources/fields.ts';
import { uuidKey, within } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { projectKey } from '../projects/index.ts';
import { DUPLICATE_REDIRECT } from './errors.ts';
import {
  Priority,
  RedirectTypeName,
  RuleType,
  SourceDomain,
  SourcePath,
  SourcePattern,
  TargetPattern,
  TargetUrl,
} from './schema.ts';

const { business_unit, ...record } = recordFields;
const nullable = { nullable: true } as const;
const internal = { writes: 'platform', hidden: true, listed: false } as const;

const fields = {
  id,
  project_id: text(Type.String(), { writes: 'platform' }),
  source_domain: text(SourceDomain, { filter: true }),
  rule_type: text(RuleType, { default: 'static', filter: true }),
  source_url_path: text(SourcePath, nullable),
  target_url: text(TargetUrl, nullable),
  source_pattern: text(SourcePattern, nullable),
  target_pattern: text(TargetPattern, nullable),
  redirect_type: text(RedirectTypeName, { filter: true }),
  priority: number(Priority, { default: 0 }),
  is_active: boolean(Type.Boolean(), { default: true, filter: true }),
  is_external: boolean(Type.Boolean({ description: 'True if the target is on another domain.' }), {
    writes: 'platform',
  }),
  ...record,
  /** The unit of the project. */
  business_unit: hidden(business_unit),
  /** Only for static rules: the value that must be unique. */
  source_digest: text(Type.String(), { ...internal, nullable: true }),
  /** Size of the rule's compiled program. */
  program_size: integer(Type.Integer(), internal),
  octets: integer(Type.Integer(), internal),
  /** Number of the project's change that last wrote the rule. */
  changed_in: integer(Type.Integer(), internal),
};

/** A redirect as stored. */
export type RedirectRow = RowOf<typeof fields>;
/** A validated body. */
export type RedirectBody = CreateOf<typeof fields>;

declare module '../../../db/tables.ts' {
  interface Tables {
    page_redirects: TableOf<typeof fields>;
  }
}

/** The redirects of projects. They belong to the unit of their project. */
export const redirects = defineResource({
  title: 'Redirect',
  entityType: 'pages_url_redirect',
  table: 'page_redirects',
  key: within(projectKey, uuidKey('id')),
  notFound: NOT_FOUND,
  ownedByParent: true,
  fields,
  sorts: ['updated_at'],
  duplicates: { page_redirects_source: DUPLICATE_REDIRECT },
});
