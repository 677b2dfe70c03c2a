import Type from 'typebox';
import { FORBIDDEN, NOT_FOUND, OWNER_IMMUTABLE } from '../../../errors/platform-errors.ts';
import { defineBearerRoute } from '../../../http/bearer-route.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import type { BearerContext } from '../../../http/context.ts';
import { JsonText } from '../../../http/json-text.ts';
import type { Route } from '../../../http/route.ts';
import { withPatches } from '../../../http/updates.ts';
import { changeAll, createAll, deleteAll, UPDATE } from './bulk.ts';
import { countRecords } from './counts.ts';
import type { EntityContext } from './entity-context.ts';
import { DEFINITION_CHANGED, DUPLICATE_VALUE, RECORD_IN_USE, WORKFLOW_REFUSED } from './errors.ts';
import { type PreparedWrite, prepareWrite, userContext, visibleModels, withEntity } from './open-entity.ts';
import { bodyOf, readGivenFields, readNewRecord, readNewRecords } from './record-values.ts';
import {
  BulkCreateBody,
  BulkCreateReply,
  BulkDeleteBody,
  BulkDeleteReply,
  BulkUpdateBody,
  BulkUpdateReply,
  CountsQuery,
  CountsReply,
  DeletedReply,
  EntityParams,
  MoveBody,
  RecordBodySchema,
  RecordList,
  RecordListQuery,
  RecordParams,
  RecordReply,
  SelectionQuery,
} from './schema.ts';
import {
  changeRecord,
  createRecord,
  deleteRecord,
  getRecord,
  listRecords,
  moveRecord,
  takeRecord,
} from './service.ts';
import { tenantOpenApi } from './tenant-openapi.ts';
import { type BodyAtPath, reportUnknownFields } from './unknown-fields.ts';

const tag = 'Entity records';
const changing = [NOT_FOUND, FORBIDDEN, DUPLICATE_VALUE, WORKFLOW_REFUSED, DEFINITION_CHANGED];

const recordRoutes: readonly Route[] = [
  defineBearerRoute({
    id: 'records.list',
    method: 'GET',
    path: '/api/{entity}',
    summary: 'Lists records, newest first unless sorted',
    description:
      'Filters: `<field>` (equal), `<field>__ne`, `__gt`, `__lt`, `__gte`, `__lte`, `__like` (contains, in any letter case), `__in`, `__nin` (comma-separated), `__null` (`true` or `false`). `<relation>.<field>` matches if any related record does. All parameters are ANDed.',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params: EntityParams,
    query: RecordListQuery,
    reply: RecordList,
    handler: (ctx, { params, query }) =>
      withEntity(userContext(ctx), params.entity, (entity) => listRecords(entity, query)),
  }),
  defineBearerRoute({
    id: 'records.count',
    method: 'GET',
    path: '/api/{entity}/counts',
    summary: 'Counts records by the values of a field',
    description: 'Takes the filters and `search` of the list. Returns the 1,000 most frequent values.',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params: EntityParams,
    query: CountsQuery,
    reply: CountsReply,
    handler: (ctx, { params, query }) =>
      withEntity(userContext(ctx), params.entity, (entity) => countRecords(entity, query)),
  }),
  defineBearerRoute({
    id: 'records.create',
    method: 'POST',
    path: '/api/{entity}',
    summary: 'Creates a record',
    tag,
    access: 'editor',
    errors: changing,
    params: EntityParams,
    body: RecordBodySchema,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: RecordReply,
    oneStatement: true,
    prepare: (ctx, { params: { entity }, body }) =>
      prepareWrite(userContext(ctx), {
        entity,
        read: (model, reading) => readNewRecord(model, bodyOf(body), reading),
      }),
    write: (ctx, { params, body }, prepared) =>
      writeBodies(ctx, { entity: params.entity, bodies: [{ body, path: [] }], prepared }, (entity) =>
        createRecord(entity, bodyOf(body)),
      ),
  }),
  defineBearerRoute({
    id: 'records.create_many',
    method: 'POST',
    path: '/api/{entity}/bulk',
    summary: 'Creates up to 1,000 records, all or none',
    tag,
    access: 'editor',
    errors: changing,
    params: EntityParams,
    body: BulkCreateBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: BulkCreateReply,
    oneStatement: true,
    prepare: (ctx, { params: { entity }, body }) =>
      prepareWrite(userContext(ctx), {
        entity,
        read: (model, reading) => readNewRecords(model, body.records, reading),
      }),
    write: (ctx, { params, body }, prepared) => {
      const bodies = body.records.map((record, index) => ({ body: record, path: ['records', index] }));
      return writeBodies(ctx, { entity: params.entity, bodies, prepared }, (entity) =>
        createAll(entity, body.records),
      );
    },
  }),
  defineBearerRoute({
    id: 'records.update_many',
    method: 'PUT',
    path: '/api/{entity}/bulk',
    summary: 'Updates all records that match a filter',
    tag,
    access: 'editor',
    errors: changing,
    params: EntityParams,
    body: BulkUpdateBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: BulkUpdateReply,
    oneStatement: true,
    prepare: (ctx, { params: { entity }, body }) =>
      prepareWrite(userContext(ctx), {
        entity,
        read: (model, reading) => readGivenFields(model, bodyOf(body.update), reading, UPDATE),
      }),
    write: (ctx, { params, body }, prepared) =>
      writeBodies(
        ctx,
        { entity: params.entity, bodies: [{ body: body.update, path: ['update'] }], prepared },
        (entity) => changeAll(entity, body.filter, bodyOf(body.update)),
      ),
  }),
  defineBearerRoute({
    id: 'records.delete_many',
    method: 'DELETE',
    path: '/api/{entity}/bulk',
    summary: 'Deletes up to 1,000 records, all or none',
    tag,
    access: 'admin',
    errors: [NOT_FOUND, FORBIDDEN, RECORD_IN_USE, DEFINITION_CHANGED],
    params: EntityParams,
    body: BulkDeleteBody,
    reply: BulkDeleteReply,
    oneStatement: true,
    prepare: (ctx) => prepareWrite(userContext(ctx)),
    write: (ctx, { params, body }, prepared) =>
      withEntity(userContext(ctx), params.entity, (entity) => deleteAll(entity, body.ids), prepared),
  }),
  defineBearerRoute({
    id: 'records.get',
    method: 'GET',
    path: '/api/{entity}/{id}',
    summary: 'Reads a record',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params: RecordParams,
    query: SelectionQuery,
    reply: RecordReply,
    handler: (ctx, { params, query }) =>
      withEntity(userContext(ctx), params.entity, (entity) => getRecord(entity, params.id, query)),
  }),
  defineBearerRoute({
    id: 'records.update',
    updates: {},
    method: 'PUT',
    path: '/api/{entity}/{id}',
    summary: 'Updates the given fields; null clears a field',
    tag,
    access: 'editor',
    errors: [...changing, OWNER_IMMUTABLE],
    params: RecordParams,
    body: RecordBodySchema,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: RecordReply,
    oneStatement: true,
    prepare: (ctx, { params: { entity }, body }) =>
      prepareWrite(userContext(ctx), {
        entity,
        read: (model, reading) => readGivenFields(model, bodyOf(body), reading),
      }),
    write: (ctx, { params, body }, prepared) =>
      writeBodies(ctx, { entity: params.entity, bodies: [{ body, path: [] }], prepared }, (entity) =>
        changeRecord(entity, params.id, bodyOf(body)),
      ),
  }),
  defineBearerRoute({
    id: 'records.delete',
    method: 'DELETE',
    path: '/api/{entity}/{id}',
    summary: 'Deletes a record',
    tag,
    access: 'admin',
    errors: [NOT_FOUND, FORBIDDEN, RECORD_IN_USE, DEFINITION_CHANGED],
    params: RecordParams,
    reply: DeletedReply,
    oneStatement: true,
    prepare: (ctx) => prepareWrite(userContext(ctx)),
    write: (ctx, { params }, prepared) =>
      withEntity(userContext(ctx), params.entity, (entity) => deleteRecord(entity, params.id), prepared),
  }),
  defineBearerRoute({
    id: 'records.move',
    method: 'POST',
    path: '/api/{entity}/{id}/workflow/move',
    summary: 'Moves a record along its workflow',
    tag,
    access: 'editor',
    errors: changing,
    params: RecordParams,
    body: MoveBody,
    reply: RecordReply,
    oneStatement: true,
    prepare: (ctx) => prepareWrite(userContext(ctx)),
    write: (ctx, { params, body }, prepared) =>
      withEntity(
        userContext(ctx),
        params.entity,
        (entity) => moveRecord(entity, params.id, body.to),
        prepared,
      ),
  }),
  defineBearerRoute({
    id: 'records.take',
    method: 'POST',
    path: '/api/{entity}/{id}/workflow/take',
    summary: 'Makes the caller the owner of a record',
    tag,
    access: 'editor',
    errors: changing,
    params: RecordParams,
    reply: RecordReply,
    oneStatement: true,
    prepare: (ctx) => prepareWrite(userContext(ctx)),
    write: (ctx, { params }, prepared) =>
      withEntity(userContext(ctx), params.entity, (entity) => takeRecord(entity, params.id), prepared),
  }),
];

/** Routes for records, for signed-in users, and for the OpenAPI document of a tenant. */
export const routes: readonly Route[] = [
  ...recordRoutes,
  defineBearerRoute({
    id: 'records.openapi',
    method: 'GET',
    path: '/api/openapi.json',
    summary: "Describes the tenant's entities as an OpenAPI document",
    tag,
    access: 'member',
    reply: Type.Unknown({ title: 'OpenApiDocument', description: 'An OpenAPI 3.1 document.' }),
    handler: async (ctx) =>
      new JsonText(tenantOpenApi(await visibleModels(userContext(ctx)), withPatches(recordRoutes))),
  }),
];

/** The entity of a write, its bodies, and the data that was read before its transaction. */
interface WrittenBodies {
  readonly entity: string;
  readonly bodies: readonly BodyAtPath[];
  readonly prepared: PreparedWrite;
}

/** Reports unknown fields in bodies, and writes them. */
function writeBodies<T>(
  ctx: BearerContext,
  { entity, bodies, prepared }: WrittenBodies,
  write: (ctx: EntityContext) => Promise<T>,
): Promise<T> {
  const reportAndWrite = (entityContext: EntityContext) => {
    reportUnknownFields(ctx, entityContext.model, bodies);
    return write(entityContext);
  };
  return withEntity(userContext(ctx), entity, reportAndWrite, prepared);
}
