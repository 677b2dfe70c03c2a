import { sql } from 'kysely';
import Type from 'typebox';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { defineRetention } from '../../jobs/retention.ts';
import type { RowOf, TableOf } from '../../resources/field-types.ts';
import { hidden, moment, owner, text } from '../../resources/fields.ts';
import { chosenKey, within } from '../../resources/keys.ts';
import { defineResource } from '../../resources/resource.ts';
import { projectKey } from '../projects/index.ts';

/** How long a snapshot can be read. */
export const LIFETIME_HOURS = 24;

const Id = Type.String();

const fields = {
  /** Of the token, hexadecimal. */
  digest: hidden(text(Id, { writes: 'platform' })),
  project_id: text(Id, { writes: 'platform' }),
  document_id: text(Id, { writes: 'platform' }),
  document_model_id: text(Id, { writes: 'platform', nullable: true }),
  uid: text(Id, { writes: 'platform', nullable: true }),
  business_unit: hidden(owner),
  snapshot: text(Type.String(), { writes: 'platform' }),
  created_at: moment,
  updated_at: moment,
};

/** A snapshot as it is stored. */
export type SnapshotRow = RowOf<typeof fields>;

declare module '../../db/tables.ts' {
  interface Tables {
    page_preview_snapshots: TableOf<typeof fields>;
  }
}

const isDigest = (text: string) => /^[0-9a-f]{64}$/.test(text);

/** Unsaved states of documents; a digest of its token is the name of one. They leave no history. */
export const snapshots = defineResource({
  table: 'page_preview_snapshots',
  key: within(projectKey, chosenKey('digest', isDigest)),
  notFound: NOT_FOUND,
  ownedByParent: true,
  fields,
});

/** What is older can be read by nobody. */
export const snapshotRetention = defineRetention({
  what: 'preview snapshots',
  keptHours: LIFETIME_HOURS,
  table: 'page_preview_snapshots',
  key: ['project_id', 'digest'],
  isOld: (before) => sql`r.created_at < ${before}`,
  byTenant: false,
});
