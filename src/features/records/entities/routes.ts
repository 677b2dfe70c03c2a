import Type from 'typebox';
import {
  FORBIDDEN,
  IMMUTABLE_FIELD,
  NOT_FOUND,
  VALIDATION_ERROR,
  VERSION_CONFLICT,
} from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { updatesOf } from '../../../resources/updates.ts';
import { withMore } from '../../../resources/view.ts';
import { DEFINITION_CHECKS, NEW_ENTITY_CHECKS } from './definition-checks.ts';
import { patternsOf } from './definition-patterns.ts';
import { DUPLICATE_ENTITY, ENTITY_BUSY, ENTITY_IN_USE, WOULD_LOSE_DATA } from './errors.ts';
import { type EntityReplace, entityResource as entities } from './resource.ts';
import { DeleteQuery, Drop } from './schema.ts';
import {
  abandonReplacement,
  createEntity,
  deleteEntity,
  getEntity,
  listEntities,
  prepareDeletion,
  prepareReplacement,
  replaceEntity,
} from './service.ts';

const tag = 'Entities';
const path = '/api/entities';
const params = Type.Object({ name: Type.String() });
/** Body of the PUT: the definition, and the parts that it may drop. */
export const ReplaceBody = Type.Unsafe<EntityReplace & { readonly drop?: readonly string[] }>(
  withMore(entities.replaceBody, { drop: Drop }, 'EntityReplace'),
);
const NameReply = Type.Object({ name: Type.String() }, { title: 'NameReply' });

/** Routes of definitions; records are read and written on the surface `records`. */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'entities.create',
    method: 'POST',
    path,
    summary: 'Defines an entity',
    description: 'Its records are available at once.',
    tag,
    access: 'owner',
    errors: [FORBIDDEN, DUPLICATE_ENTITY, ENTITY_BUSY, VALIDATION_ERROR],
    body: entities.createBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: NEW_ENTITY_CHECKS,
    patterns: patternsOf,
    reply: NameReply,
    write: (ctx, { body }) => createEntity(ctx, body),
    changesTables: true,
  }),
  defineRoute({
    id: 'entities.list',
    method: 'GET',
    path,
    summary: 'Lists all entities, newest first',
    tag,
    access: 'member',
    reply: Type.Object({ results: Type.Array(entities.reply) }, { title: 'EntityList' }),
    handler: listEntities,
  }),
  defineRoute({
    id: 'entities.get',
    method: 'GET',
    path: `${path}/{name}`,
    summary: 'Reads the definition of an entity',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params,
    reply: entities.reply,
    handler: (ctx, { params: { name } }) => getEntity(ctx, name),
  }),
  defineRoute({
    id: 'entities.replace',
    method: 'PUT',
    path: `${path}/{name}`,
    summary: 'Updates the definition of an entity and its records',
    description:
      'Fields missing from `fields` are removed; those with values must be in `drop`. If existing records break a new rule, nothing changes. On large tables the request waits while indexes are built and records checked; new records must already meet the new rules.',
    tag,
    access: 'owner',
    errors: [
      NOT_FOUND,
      FORBIDDEN,
      IMMUTABLE_FIELD,
      VERSION_CONFLICT,
      ENTITY_BUSY,
      WOULD_LOSE_DATA,
      VALIDATION_ERROR,
    ],
    params,
    updates: updatesOf(entities),
    body: ReplaceBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: DEFINITION_CHECKS,
    patterns: patternsOf,
    reply: NameReply,
    prepare: (ctx, { params: { name }, body }) => prepareReplacement(ctx, name, body),
    write: (ctx, { params: { name }, body }, prepared) => replaceEntity(ctx, name, body, prepared),
    abandon: (ctx, { params: { name } }, prepared) => abandonReplacement(ctx, name, prepared),
    changesTables: true,
  }),
  defineRoute({
    id: 'entities.delete',
    method: 'DELETE',
    path: `${path}/{name}`,
    summary: 'Deletes an entity; with `drop=true` also its records',
    tag,
    access: 'owner',
    errors: [NOT_FOUND, FORBIDDEN, ENTITY_IN_USE, ENTITY_BUSY, WOULD_LOSE_DATA],
    params,
    query: DeleteQuery,
    reply: NameReply,
    prepare: (ctx, { params: { name }, query: { drop = false } }) => prepareDeletion(ctx, name, drop),
    write: (ctx, { params: { name }, query: { drop = false } }) => deleteEntity(ctx, name, drop),
    changesTables: true,
  }),
];
