import Type from 'typebox';
import { NOT_FOUND, VALIDATION_ERROR } from '../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { DeletedRecord, KindQuery, RecordQuery, VersionPath, VersionRecord } from './schema.ts';
import { type Details, readDeleted, readVersion, readVersions } from './service.ts';

const tag = 'Entity history';

/** The history of records (docs/specification/history.md#versions-of-a-record). */
export const historyRoutes = (details: Details): readonly Route[] => [
  defineRoute({
    id: 'entity_versions.list',
    method: 'GET',
    path: '/api/entity/versions',
    summary: 'Lists all versions of a record, oldest first',
    description: 'An unknown record has none. A deleted one keeps its versions.',
    tag,
    access: 'member',
    errors: [VALIDATION_ERROR],
    query: RecordQuery,
    reply: Type.Array(VersionRecord),
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
    id: 'deleted_records.list',
    method: 'GET',
    path: '/api/entity/deleted-records',
    summary: 'Lists deleted records and their superseded versions, newest first, 1000 at most',
    tag,
    access: 'member',
    query: KindQuery,
    reply: Type.Array(DeletedRecord),
    handler: async (ctx, { query }) => readDeleted(ctx, details, query.entityType),
  }),
];
