/** The routes of a resource: create, read, replace and delete. `list-routes.ts` has the list. */
import type { Issue } from '../errors/app-error.ts';
import type { BodyCheck } from '../http/body-checks.ts';
import type { MemberContext } from '../http/context.ts';
import { defineRoute, type Route } from '../http/route.ts';
import type { DefinitionTarget } from '../outbound/definition-targets.ts';
import type { TenantPattern } from '../patterns/tenant-patterns.ts';
import { type Columns, columnsOf, setOnceOf } from './body.ts';
import { createsOnReplace } from './keys.ts';
import { requireTenantReader } from './ownership.ts';
import {
  type CreateOptions,
  changeRecord,
  createRecord,
  deleteRecord,
  getRecord,
  putRecord,
  replaceRecord,
} from './records.ts';
import type { Resource, ResourceTypes } from './resource.ts';
import {
  keyFrom,
  keyReply,
  optionsOf,
  type RouteFamily,
  type RouteTexts,
  routeProperties,
} from './route-parts.ts';
import { updatesOf } from './updates.ts';

/** A checked body and the results of `prepare`. */
interface WriteInput<Body, Prepared> {
  readonly body: Body;
  readonly prepared: Prepared;
}

/** Rules of a create or replace, in addition to the schema of its body. */
interface WriteRules<Body, Prepared> extends RouteTexts {
  /** Rules of the body that need no database. */
  readonly checks?: readonly BodyCheck<Body>[];
  /** Returns the regular expressions in the body. */
  readonly patterns?: (body: Body) => readonly TenantPattern[];
  /** Returns the target URLs in the body. */
  readonly targets?: (body: Body) => readonly DefinitionTarget[];
  /** Returns warnings about accepted values for the response. */
  readonly warnings?: (body: Body) => readonly Issue[];
  /**
   * Checks the body and collects data for the write, before the transaction; it may wait for the network. `key` is the
   * part of the record's key in the path.
   */
  readonly prepare?: (ctx: MemberContext, body: Body, key: readonly string[]) => Promise<Prepared>;
}

/** Rules of a create. */
export interface CreateRules<T extends ResourceTypes, Prepared> extends WriteRules<T['create'], Prepared> {
  /** In the transaction: columns in addition to those of the body. */
  readonly columns?: (
    ctx: MemberContext,
    input: WriteInput<T['create'], Prepared>,
  ) => Promise<Columns> | Columns;
  /** The key and the owner, if the default does not apply. */
  readonly options?: (input: WriteInput<T['create'], Prepared>) => CreateOptions;
}

/** Rules of a replace. */
export interface ReplaceRules<T extends ResourceTypes, Prepared> extends WriteRules<T['replace'], Prepared> {
  /** In the transaction, with the locked record: columns in addition to those of the body. */
  readonly columns?: (
    ctx: MemberContext,
    input: WriteInput<T['replace'], Prepared>,
    current: T['row'],
  ) => Promise<Columns> | Columns;
}

/** Rules of a delete. */
export interface DeleteRules<T extends ResourceTypes> extends RouteTexts {
  /** Work after the deletion, in its transaction. */
  readonly after?: (ctx: MemberContext, row: T['row']) => Promise<void>;
}

/** `POST <path>`: returns the key. */
export function createRoute<T extends ResourceTypes, Prepared = undefined>(
  resource: Resource<T>,
  family: RouteFamily,
  rules: CreateRules<T, Prepared> = {},
): Route {
  const { columns, options, warnings } = rules;
  const reply = keyReply(resource, false, warnings !== undefined);
  return defineRoute({
    ...routeProperties('create', resource, family, rules),
    body: resource.createBody,
    ...rulesOf(resource, rules),
    reply: reply.schema,
    write: async (ctx, { params, body }, prepared: Prepared) => {
      const input = { body, prepared };
      const allColumns = { ...columnsOf(resource.fields, 'create', body), ...(await columns?.(ctx, input)) };
      const key = keyFrom(resource, params);
      const owner = { ...optionsOf(resource, body), ...options?.(input) };
      return reply.of(await createRecord(ctx, resource, allColumns, { key, ...owner }), warnings?.(body));
    },
  });
}

/** `GET <path>/{key}`. */
export function getRoute<T extends ResourceTypes>(
  resource: Resource<T>,
  family: RouteFamily,
  texts: RouteTexts = {},
): Route {
  return defineRoute({
    ...routeProperties('get', resource, family, texts),
    reply: resource.reply,
    handler: async (ctx, { params }) => {
      requireTenantReader(ctx.caller, resource);
      return resource.view(await getRecord(ctx.db, resource, keyFrom(resource, params)));
    },
  });
}

/** `PUT <path>/{key}`; creates a missing record if the caller chooses its key. */
export function replaceRoute<T extends ResourceTypes, Prepared = undefined>(
  resource: Resource<T>,
  family: RouteFamily,
  rules: ReplaceRules<T, Prepared> = {},
): Route {
  const { columns, warnings } = rules;
  const reply = keyReply(resource, family.saysSuccess, warnings !== undefined);
  return defineRoute({
    ...routeProperties('replace', resource, family, rules),
    updates: {
      ...updatesOf(resource),
      // A completed body matches its schema.
      ...(warnings && { unchanged: (_row, body) => reply.warned(warnings(body as T['replace'])) }),
    },
    body: resource.replaceBody,
    ...rulesOf(resource, rules),
    reply: reply.schema,
    write: async (ctx, { params, body }, prepared: Prepared) => {
      const key = keyFrom(resource, params);
      const bodyColumns = columnsOf(resource.fields, 'replace', body);
      const options = { ...optionsOf(resource, body), setOnce: setOnceOf(resource.fields, body) };
      if (columns) {
        // `ctx.db` is already a transaction, because a replace with `columns` is not marked as `oneStatement`.
        const change = async (current: T['row']) => ({
          ...bodyColumns,
          ...(await columns(ctx, { body, prepared }, current)),
        });
        return reply.of(await changeRecord(ctx, resource, key, options, change), warnings?.(body));
      }
      if (!createsOnReplace(resource.key))
        return reply.of(await replaceRecord(ctx, resource, key, bodyColumns, options), warnings?.(body));
      const initial = columnsOf(resource.fields, 'create', body);
      return reply.of(
        await putRecord(ctx, resource, key, bodyColumns, { ...options, initial }),
        warnings?.(body),
      );
    },
  });
}

/** `DELETE <path>/{key}`: returns the key. */
export function deleteRoute<T extends ResourceTypes>(
  resource: Resource<T>,
  family: RouteFamily,
  rules: DeleteRules<T> = {},
): Route {
  const { after } = rules;
  const reply = keyReply(resource);
  return defineRoute({
    ...routeProperties('delete', resource, family, rules),
    reply: reply.schema,
    ...(after ? {} : { oneStatement: true as const }),
    write: async (ctx, { params }) => {
      const row = await deleteRecord(ctx, resource, keyFrom(resource, params));
      await after?.(ctx, row);
      return reply.of(row);
    },
  });
}

function rulesOf<Body, Prepared>(
  resource: Resource,
  {
    checks,
    patterns,
    targets,
    prepare,
    columns,
  }: WriteRules<Body, Prepared> & { readonly columns?: unknown },
) {
  return {
    ...(checks && { checks }),
    ...(patterns && { patterns }),
    ...(targets && { targets }),
    ...(prepare && {
      prepare: (ctx: MemberContext, { params, body }: { params: object; body: Body }) =>
        prepare(ctx, body, keyFrom(resource, params)),
    }),
    ...(columns ? {} : { oneStatement: true as const }),
  };
}
