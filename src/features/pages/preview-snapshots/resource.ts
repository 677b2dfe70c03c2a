import { sql } from 'kysely';
import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { defineRetention } from '../../../jobs/retention.ts';
import type { RowOf, TableOf } from '../../../resources/field-types.ts';
import { hidden, moment, owner, text } from '../../../resources/fields.ts';
import { pathKey, within } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { projectKey } from '../projects/index.ts';

/** Lifetime of a snapshot, in hours. */
export const LIFETIME_HOURS = 24;

const Id = Type.String();

const fields = {
  /** Digest of the token, in hexadecimal. */
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

/** A snapshot as stored. */
export type SnapshotRow = RowOf<typeof fields>;

declare module '../../../db/tables.ts' {
  interface Tables {
    page_preview_snapshots: TableOf<typeof fields>;
  }
}

const isDigest = (text: string) => /^[0-9a-f]{64}$/.test(text);

/** Unsaved states of documents, identified by a digest of their token. They have no history. */
export const snapshots = defineResource({
  table: 'page_preview_snapshots',
  key: within(projectKey, pathKey('digest', isDigest)),
  notFound: NOT_FOUND,
  ownedByParent: true,
  fields,
});

/** Deletes expired snapshots. */
export const snapshotRetention = defineRetention({
  description: 'preview snapshots',
  keptHours: LIFETIME_HOURS,
  table: 'page_preview_snapshots',
  key: ['project_id', 'digest'],
  isOld: (before) => sql`r.created_at < ${before}`,
  byTenant: false,
});
