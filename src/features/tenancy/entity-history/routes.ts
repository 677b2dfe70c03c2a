import Type from 'typebox';
import { FORBIDDEN, NOT_FOUND, VALIDATION_ERROR, VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import { check } from '../../../http/body-checks.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { DELETED_FILTERS } from './deleted-queries.ts';
import { NOT_DELETED, RESTORE_CONFLICT } from './errors.ts';
import {
  abandonRestoration,
  prepareRestoration,
  type Restorers,
  restoreRecord,
  restoresTables,
} from './restore.ts';
import {
  DeletedList,
  DeletedListQuery,
  DeletedRecord,
  KindQuery,
  ListedVersion,
  RecordQuery,
  RecordSummary,
  RestoreBody,
  Restored,
  VersionListQuery,
  VersionPath,
  VersionRecord,
} from './schema.ts';
import {
  type Details,
  listDeletedRecords,
  readDeleted,
  readSummary,
  readVersion,
  readVersions,
} from './service.ts';

const tag = 'Entity history';

const FIELDS_CHECK = check(['fields', 'version'], ({ fields, version }: RestoreBody) =>
  fields !== undefined && version === undefined
    ? [{ field: 'version', message: 'is required with fields' }]
    : [],
);

/**
 * Routes for the history of records (docs/specification/history.md#versions-of-a-record) and the restoration of deleted
 * ones.
 */
export const historyRoutes = (details: Details, restorers: Restorers): readonly Route[] => [
  defineRoute({
    id: 'entity_versions.list',
    method: 'GET',
    path: '/api/entity/versions',
    summary: 'Lists all versions of a record, oldest first, or a page of them',
    description:
      'Empty for an unknown record. Includes deleted records. With `page`, `limit`, `order` or `data`: a page.',
    tag,
    access: 'member',
    errors: [VALIDATION_ERROR],
    query: VersionListQuery,
    reply: Type.Array(ListedVersion, { title: 'VersionRecordList' }),
    handler: async (ctx, { query }) => readVersions(ctx, details, query),
  }),
  defineRoute({
    id: 'entity_versions.get',
    method: 'GET',
    path: '/api/entity/versions/{version}',
    summary: 'Reads one version of a record',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params: VersionPath,
    query: RecordQuery,
    reply: VersionRecord,
    handler: async (ctx, { params, query }) => readVersion(ctx, details, query, params.version),
  }),
  defineRoute({
    id: 'entity_records.get',
    method: 'GET',
    path: '/api/entity/record',
    summary: 'Reads the title and state of a record in history, and what can be restored',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    query: RecordQuery,
    reply: RecordSummary,
    handler: (ctx, { query }) => readSummary(ctx, restorers, query),
  }),
  defineRoute({
    id: 'deleted_records.list',
    method: 'GET',
    path: '/api/entity/deleted-records',
    summary: 'Lists up to 1,000 deleted records and old versions, newest first',
    tag,
    access: 'member',
    query: KindQuery,
    reply: Type.Array(DeletedRecord, { title: 'DeletedRecordList' }),
    handler: async (ctx, { query }) => readDeleted(ctx, details, query.entityType),
  }),
  defineRoute({
    id: 'deleted_records.search',
    method: 'POST',
    path: '/api/deleted-records/list',
    summary: 'Lists deleted records of all kinds, newest first',
    tag,
    access: 'member',
    readsOnly: true,
    filters: DELETED_FILTERS,
    search: ['title', 'key'],
    body: DeletedListQuery,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: DeletedList,
    handler: (ctx, { body }) => listDeletedRecords(ctx, restorers, body),
  }),
  defineRoute({
    id: 'deleted_records.restore',
    method: 'POST',
    path: '/api/entity/restore',
    summary: 'Restores a deleted record or an older version as next version',
    description: 'The create and update rules of the record apply.',
    tag,
    access: 'editor',
    errors: [NOT_FOUND, FORBIDDEN, VALIDATION_ERROR, NOT_DELETED, VERSION_CONFLICT, RESTORE_CONFLICT],
    body: RestoreBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: [FIELDS_CHECK],
    reply: Restored,
    prepare: (ctx, { body }) => prepareRestoration(ctx, restorers, body),
    write: (ctx, _input, prepared) => restoreRecord(ctx, prepared),
    abandon: (ctx, _input, prepared) => abandonRestoration(ctx, prepared),
    changesTables: restoresTables,
  }),
];
