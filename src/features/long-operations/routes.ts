import { FORBIDDEN, NOT_FOUND } from '../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../http/body-limit.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { REVERTIBLE_DAYS } from '../../long-operations/changes.ts';
import { operations } from '../../long-operations/operations.ts';
import { listFacts } from '../../resources/list-order.ts';
import { LIST_CHECKS } from '../../resources/list-queries.ts';
import { NOT_REVERTIBLE } from './errors.ts';
import {
  Operation,
  OperationListQuery,
  OperationPage,
  OperationParams,
  RevertBody,
  RevertReply,
  RunningOperations,
} from './schema.ts';
import {
  cancelOperation,
  getOperation,
  getRunning,
  listOperations,
  type OperationKinds,
  revertById,
} from './service.ts';

const area = { tag: 'Long operations', access: 'member' } as const;
const path = '/api/operations';

/** Routes of long operations (docs/specification/operations.md#calls). */
export const operationRoutes = (kinds: OperationKinds): readonly Route[] => [
  defineRoute({
    ...area,
    id: 'long_operations.list',
    method: 'POST',
    path: `${path}/list`,
    summary: 'Lists operations, newest first',
    description: `The caller's own; of an owner, all of the tenant. Filters: ${Object.keys(operations.filters.fields).join(', ')}.`,
    readsOnly: true,
    filters: operations.filters,
    ...listFacts(operations),
    body: OperationListQuery,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: LIST_CHECKS,
    reply: OperationPage,
    handler: (ctx, { body }) => listOperations(ctx, kinds, body),
  }),
  defineRoute({
    ...area,
    id: 'long_operations.running',
    method: 'GET',
    path: `${path}/running`,
    summary: 'Reads the operations that have not ended',
    description: 'With `If-None-Match`: 304 while nothing has changed.',
    conditional: true,
    reply: RunningOperations,
    handler: (ctx) => getRunning(ctx, kinds),
  }),
  defineRoute({
    ...area,
    id: 'long_operations.get',
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Reads an operation with its results',
    errors: [NOT_FOUND],
    params: OperationParams,
    reply: Operation,
    handler: (ctx, { params }) => getOperation(ctx, kinds, params.id),
  }),
  defineRoute({
    ...area,
    id: 'long_operations.cancel',
    method: 'POST',
    path: `${path}/{id}/cancel`,
    summary: 'Cancels an operation',
    description:
      'What it has done stays. Waits for the part under way, at most a few seconds. One that has ended stays as it is.',
    errors: [NOT_FOUND],
    params: OperationParams,
    reply: Operation,
    write: (ctx, { params }) => cancelOperation(ctx, kinds, params.id),
  }),
  defineRoute({
    ...area,
    id: 'long_operations.revert',
    method: 'POST',
    path: `${path}/{id}/revert`,
    summary: 'Reverts an operation, by another one',
    description: `Within ${REVERTIBLE_DAYS} days. Records that have changed since stay as they are, and are listed in \`problems\`.`,
    errors: [NOT_FOUND, FORBIDDEN, NOT_REVERTIBLE],
    params: OperationParams,
    body: RevertBody,
    reply: RevertReply,
    write: (ctx, { params, body }) => revertById(ctx, kinds, params.id, body.dry_run === true),
  }),
];
