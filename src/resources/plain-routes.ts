/** The five routes of a resource that needs nothing special: what it is called, its body and its columns suffice. */
import Type, { type Static, type TIntersect, type TObject } from 'typebox';
import type { ErrorDefinition } from '../errors/app-error.ts';
import {
  BUSINESS_UNIT_REQUIRED,
  FORBIDDEN,
  OWNER_IMMUTABLE,
  VERSION_CONFLICT,
} from '../errors/platform-errors.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { Filters, Limit, type ListPage, listReply, Page, Search } from './paging.ts';
import {
  type Columns,
  createRecord,
  deleteRecord,
  getRecord,
  keyOf,
  listViews,
  replaceRecord,
} from './records.ts';
import type { RecordRow, Resource } from './resource.ts';

const ownerOption = {
  business_unit: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Id or slug of the owning business unit; cannot change once set. Null counts as absent.',
    }),
  ),
};

/** What every create of a unit-owned record may say beside the resource's own fields. */
export const CreateOptions = Type.Object(ownerOption);

/** What every replace may say beside them. */
export const ReplaceOptions = Type.Object({
  ...ownerOption,
  version: Type.Optional(Type.Integer({ description: 'The version last read; a stale one is refused.' })),
});

/** Errors of a create and of a replace, by the rules of ownership and locking. */
export const CREATE_ERRORS: readonly ErrorDefinition[] = [FORBIDDEN, BUSINESS_UNIT_REQUIRED];
export const REPLACE_ERRORS: readonly ErrorDefinition[] = [FORBIDDEN, OWNER_IMMUTABLE, VERSION_CONFLICT];

/** A checked body of a plain resource's create or replace. */
export type PlainBody<B extends TObject> = Static<TIntersect<[B, typeof CreateOptions]>>;

/** A plain resource's routes, as data. */
export interface PlainRoutes<Row extends RecordRow, B extends TObject, R extends TObject> {
  readonly resource: Resource<Row, Static<R> & object>;
  /** `/api/form_themes`; the routes are made below it. */
  readonly path: string;
  /** First part of the operation ids. */
  readonly id: string;
  readonly tag: string;
  /** The record in a sentence: `form theme`. */
  readonly noun: string;
  /** The fields that callers write. */
  readonly body: B;
  /** The record as it is read. */
  readonly reply: R;
  /** The resource's own columns from a checked body. */
  readonly columns: (body: PlainBody<B>) => Columns;
}

/** Create, list, read, replace and delete. A replace answers `{success, <key>}`, the other writes `{<key>}`. */
export function plainRoutes<Row extends RecordRow, B extends TObject, R extends TObject>(
  spec: PlainRoutes<Row, B, R>,
): Route[] {
  return [createRoute(spec), listRoute(spec), getRoute(spec), replaceRoute(spec), deleteRoute(spec)];
}

const keyObject = (key: string) => Type.Object({ [key]: Type.String() });

function createRoute<Row extends RecordRow, B extends TObject, R extends TObject>(
  spec: PlainRoutes<Row, B, R>,
): Route {
  const { resource, path, id, tag, noun } = spec;
  return defineRoute({
    id: `${id}.create`,
    method: 'POST',
    path,
    summary: `Creates a ${noun}`,
    tag,
    access: 'editor',
    errors: CREATE_ERRORS,
    body: Type.Intersect([spec.body, CreateOptions]),
    reply: keyObject(resource.key),
    write: async (ctx, { body }) => {
      const row = await createRecord(ctx, resource, spec.columns(body), readWriteOptions(body));
      return { [resource.key]: keyOf(resource, row) };
    },
  });
}

function getRoute<Row extends RecordRow, B extends TObject, R extends TObject>(
  spec: PlainRoutes<Row, B, R>,
): Route {
  const { resource, path, id, tag, noun } = spec;
  return defineRoute({
    id: `${id}.get`,
    method: 'GET',
    path: `${path}/{${resource.key}}`,
    summary: `Reads a ${noun}`,
    tag,
    access: 'member',
    errors: [resource.notFound],
    params: keyObject(resource.key),
    reply: spec.reply,
    handler: async (ctx, { params }) =>
      resource.view(await getRecord(ctx.db, resource, params[resource.key] ?? '')),
  });
}

function replaceRoute<Row extends RecordRow, B extends TObject, R extends TObject>(
  spec: PlainRoutes<Row, B, R>,
): Route {
  const { resource, path, id, tag, noun } = spec;
  return defineRoute({
    id: `${id}.replace`,
    method: 'PUT',
    path: `${path}/{${resource.key}}`,
    summary: `Replaces a ${noun}`,
    tag,
    access: 'editor',
    errors: [resource.notFound, ...REPLACE_ERRORS],
    params: keyObject(resource.key),
    body: Type.Unsafe<PlainBody<B>>(Type.Intersect([spec.body, ReplaceOptions])),
    reply: Type.Object({ success: Type.Boolean(), [resource.key]: Type.String() }),
    write: async (ctx, { params, body }) => {
      const key = params[resource.key] ?? '';
      await replaceRecord(ctx, resource, key, readWriteOptions(body), () => spec.columns(body));
      return { success: true, [resource.key]: key };
    },
  });
}

function deleteRoute<Row extends RecordRow, B extends TObject, R extends TObject>(
  spec: PlainRoutes<Row, B, R>,
): Route {
  const { resource, path, id, tag, noun } = spec;
  return defineRoute({
    id: `${id}.delete`,
    method: 'DELETE',
    path: `${path}/{${resource.key}}`,
    summary: `Deletes a ${noun}; its history stays readable`,
    tag,
    access: 'admin',
    errors: [resource.notFound, FORBIDDEN],
    params: keyObject(resource.key),
    reply: keyObject(resource.key),
    write: async (ctx, { params }) => {
      const row = await deleteRecord(ctx, resource, params[resource.key] ?? '');
      return { [resource.key]: keyOf(resource, row) };
    },
  });
}

function listRoute<Row extends RecordRow, B extends TObject, R extends TObject>(
  spec: PlainRoutes<Row, B, R>,
): Route {
  const { resource } = spec;
  const fields = Object.keys(resource.filters.fields).join(', ');
  const searched = resource.search.length > 0 ? ` \`search\` looks in ${resource.search.join(', ')}.` : '';
  return defineRoute({
    id: `${spec.id}.list`,
    method: 'POST',
    path: `${spec.path}/list`,
    summary: `Lists ${spec.noun}s, newest first`,
    description: `Filters: ${fields}. Operations: ${resource.filters.operations.join(', ')}.${searched}`,
    tag: spec.tag,
    access: 'member',
    body: Type.Object({
      page: Page,
      limit: Limit,
      search: Type.Optional(Search),
      filters: Type.Optional(Filters),
    }),
    // The static type of a list of a still unknown item cannot be computed by itself.
    reply: Type.Unsafe<ListPage<Static<R>>>(listReply(spec.reply)),
    handler: (ctx, input) => listViews(ctx.db, resource, input.body),
  });
}

/** The write options of a checked body, as the record functions take them. */
export function readWriteOptions(body: unknown): { businessUnit?: string; version?: number } {
  if (typeof body !== 'object' || body === null) return {};
  const businessUnit =
    'business_unit' in body && typeof body.business_unit === 'string' ? body.business_unit : null;
  const version = 'version' in body && typeof body.version === 'number' ? body.version : null;
  return { ...(businessUnit === null ? {} : { businessUnit }), ...(version === null ? {} : { version }) };
}
