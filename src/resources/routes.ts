/**
 * The routes of a resource: create, list, read, replace and delete. `resourceRoutes` makes all five of one description;
 * a feature with something special makes each by itself and says what it adds, or leaves one out and defines its own.
 */
import { FORBIDDEN } from '../errors/platform-errors.ts';
import type { BodyCheck } from '../http/body-checks.ts';
import type { MemberContext } from '../http/context.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { type Columns, columnsOf, setOnceOf } from './body.ts';
import { isChosen } from './keys.ts';
import { listRoute } from './list-routes.ts';
import {
  type CreateOptions,
  changeRecord,
  createRecord,
  deleteRecord,
  getRecord,
  putRecord,
  replaceRecord,
} from './records.ts';
import type { ResourceTypes, TypedResource } from './resource.ts';
import {
  common,
  createErrors,
  keyFrom,
  keyName,
  keyReply,
  optionsOf,
  parametersOf,
  type RouteFamily,
  type RouteWords,
  recordPath,
  replaceErrors,
  toKeyReply,
  withArticle,
} from './route-parts.ts';

/** A body on its way into a record. */
interface Given<Body, Prepared> {
  readonly body: Body;
  readonly prepared: Prepared;
}

/** A create with rules of its own. */
export interface CreateRules<T extends ResourceTypes, Prepared> extends RouteWords {
  /** Rules of the body beside its schema that need no database. */
  readonly checks?: readonly BodyCheck<T['create']>[];
  /** Checks the body and gathers what the write needs, before the transaction; may wait for the world. */
  readonly prepare?: (ctx: MemberContext, body: T['create']) => Promise<Prepared>;
  /** In the transaction: columns beside those that the body gives by itself. */
  readonly columns?: (ctx: MemberContext, given: Given<T['create'], Prepared>) => Promise<Columns> | Columns;
  /** The key and the owner, when they are not the platform's and the caller's to choose. */
  readonly options?: (given: Given<T['create'], Prepared>) => CreateOptions;
}

/** A replace with rules of its own. */
export interface ReplaceRules<T extends ResourceTypes, Prepared> extends RouteWords {
  readonly checks?: readonly BodyCheck<T['replace']>[];
  /** As that of a create; `key` names the record. */
  readonly prepare?: (ctx: MemberContext, body: T['replace'], key: readonly string[]) => Promise<Prepared>;
  /** In the transaction, with the record as it is, locked: columns beside those that the body gives by itself. */
  readonly columns?: (
    ctx: MemberContext,
    given: Given<T['replace'], Prepared>,
    current: T['row'],
  ) => Promise<Columns> | Columns;
}

/** A delete that something follows from. */
export interface DeleteRules<T extends ResourceTypes> extends RouteWords {
  /** In the transaction: what else is to be done. */
  readonly after?: (ctx: MemberContext, row: T['row']) => Promise<void>;
}

/** Create, list, read, replace and delete of a resource without rules of its own. */
export function resourceRoutes<T extends ResourceTypes>(
  resource: TypedResource<T>,
  family: RouteFamily,
): readonly Route[] {
  return [
    createRoute(resource, family),
    listRoute(resource, family),
    getRoute(resource, family),
    replaceRoute(resource, family),
    deleteRoute(resource, family),
  ];
}

/** `POST <path>`: answers the key. */
export function createRoute<T extends ResourceTypes, Prepared = undefined>(
  resource: TypedResource<T>,
  family: RouteFamily,
  rules: CreateRules<T, Prepared> = {},
): Route {
  const { prepare, columns, options } = rules;
  return defineRoute({
    ...common(family, 'write', rules, `Creates ${withArticle(family.noun)}`),
    id: `${family.id}.create`,
    method: 'POST',
    path: family.path,
    access: 'editor',
    errors: [...createErrors(resource), ...(rules.errors ?? [])],
    ...parametersOf(family.path),
    body: resource.createBody,
    ...(rules.checks && { checks: rules.checks }),
    reply: keyReply(resource),
    ...(columns ? {} : { oneStatement: true as const }),
    ...(prepare && {
      prepare: (ctx: MemberContext, { body }: { body: T['create'] }) => prepare(ctx, body),
    }),
    write: async (ctx, { params, body }, prepared: Prepared) => {
      const given = { body, prepared };
      const row = await createRecord(
        ctx,
        resource,
        { ...columnsOf(resource.fields, 'create', body), ...(await columns?.(ctx, given)) },
        { key: keyFrom(resource, params), ...optionsOf(resource, body), ...options?.(given) },
      );
      return toKeyReply(resource, row);
    },
  });
}

/** `GET <path>/{key}`. */
export function getRoute<T extends ResourceTypes>(
  resource: TypedResource<T>,
  family: RouteFamily,
  words: RouteWords = {},
): Route {
  return defineRoute({
    ...common(family, 'read', words, `Reads ${withArticle(family.noun)}`),
    id: `${family.id}.get`,
    method: 'GET',
    path: recordPath(resource, family),
    access: 'member',
    errors: [resource.notFound],
    ...parametersOf(recordPath(resource, family)),
    reply: resource.reply,
    handler: async (ctx, { params }) =>
      resource.view(await getRecord(ctx.db, resource, keyFrom(resource, params))),
  });
}

/** `PUT <path>/{key}`; creates a record whose key the caller chooses when there is none. */
export function replaceRoute<T extends ResourceTypes, Prepared = undefined>(
  resource: TypedResource<T>,
  family: RouteFamily,
  rules: ReplaceRules<T, Prepared> = {},
): Route {
  const { prepare, columns } = rules;
  const path = recordPath(resource, family);
  return defineRoute({
    ...common(family, 'write', rules, `Replaces ${withArticle(family.noun)}`),
    id: `${family.id}.replace`,
    method: 'PUT',
    path,
    access: 'editor',
    errors: [resource.notFound, ...replaceErrors(resource), ...(rules.errors ?? [])],
    ...parametersOf(path),
    body: resource.replaceBody,
    ...(rules.checks && { checks: rules.checks }),
    reply: keyReply(resource, family.saysSuccess),
    ...(columns ? {} : { oneStatement: true as const }),
    ...(prepare && {
      prepare: (ctx: MemberContext, { params, body }: { params: object; body: T['replace'] }) =>
        prepare(ctx, body, keyFrom(resource, params)),
    }),
    write: async (ctx, { params, body }, prepared: Prepared) => {
      const key = keyFrom(resource, params);
      const own = columnsOf(resource.fields, 'replace', body);
      const options = { ...optionsOf(resource, body), setOnce: setOnceOf(resource.fields, body) };
      if (columns) {
        // `ctx.db` is the transaction already: a replace with rules is no single statement.
        await changeRecord(ctx, resource, key, options, async (current) => ({
          ...own,
          ...(await columns(ctx, { body, prepared }, current)),
        }));
      } else if (isChosen(resource.key)) {
        const initial = columnsOf(resource.fields, 'create', body);
        await putRecord(ctx, resource, key, own, { ...options, initial });
      } else await replaceRecord(ctx, resource, key, own, options);
      return { ...(family.saysSuccess ? { success: true } : {}), [keyName(resource)]: key.at(-1) ?? '' };
    },
  });
}

/** `DELETE <path>/{key}`: answers the key. */
export function deleteRoute<T extends ResourceTypes>(
  resource: TypedResource<T>,
  family: RouteFamily,
  rules: DeleteRules<T> = {},
): Route {
  const { after } = rules;
  const path = recordPath(resource, family);
  return defineRoute({
    ...common(family, 'delete', rules, `Deletes ${withArticle(family.noun)}; its history stays readable`),
    id: `${family.id}.delete`,
    method: 'DELETE',
    path,
    access: 'admin',
    errors: [resource.notFound, FORBIDDEN, ...(rules.errors ?? [])],
    ...parametersOf(path),
    reply: keyReply(resource),
    ...(after ? {} : { oneStatement: true as const }),
    write: async (ctx, { params }) => {
      const row = await deleteRecord(ctx, resource, keyFrom(resource, params));
      await after?.(ctx, row);
      return toKeyReply(resource, row);
    },
  });
}
