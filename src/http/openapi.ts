/** The OpenAPI 3.1 document, made from the route table. TypeBox schemas are JSON Schema already. */
import Type, { type TObject } from 'typebox';
import type { Feature } from '../features/feature.ts';
import { version } from '../version.ts';
import { errorResponses, json, responseHeaders, toHeaders } from './error-responses.ts';
import { ERROR_SHAPES } from './error-shapes.ts';
import { shownBodies } from './examples.ts';
import { takesKey } from './idempotency.ts';
import { MERGE_PATCH } from './json-body.ts';
import { NamedSchemas } from './named-schemas.ts';
import type { Route } from './route.ts';
import { SharedParts } from './shared-parts.ts';
import type { ResponseHeader } from './surface.ts';
import { SURFACES, servingSurfaces, surfacesOf } from './surfaces.ts';

const DESCRIPTION =
  'The experience platform. Start with [the tour](guides/tour#five-minutes); [a guide](guides/errors) explains every error `code`, [the specification](guides/specification/README) the guarantees. Lists are sorted newest first. `x-access` is the minimum role of an operation, in the unit that `x-access-unit` names or in that of the record. A list has `x-filters` (filterable fields with types, and operations), `x-search` (fields that `search` covers), `x-sort` (sortable fields), `x-key` (the member that identifies an item) and `x-entity-type` (the kind of its items in history). `x-secret` marks secrets. `x-surface` names the surfaces of an operation, `x-upload` the types and the size of an upload, `x-max-body-bytes` the limit of a body that may be larger than 1 MiB, `x-stream` a reply that can be a stream of events, `x-path` the real path if the document gives another; see [the specification](guides/specification/conventions#marks).';

/** Components that operations refer to. */
interface Components {
  readonly schemas: NamedSchemas;
  readonly parts: SharedParts;
}

/** Builds the OpenAPI document of all features. @throws when two different schemas have one name. */
export function buildOpenApi(features: readonly Feature[]): object {
  const routes = features.flatMap((feature) => [...feature.routes]);
  const exampleOf = shownBodies(features.flatMap(({ examples = [] }) => examples));
  const tagTexts = new Map(features.flatMap(({ tags = {} }) => Object.entries(tags)));
  const components = { schemas: new NamedSchemas(), parts: new SharedParts() };
  for (const { name, schema } of Object.values(ERROR_SHAPES)) components.schemas.add(name, schema);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const method = route.method.toLowerCase();
    // Two surfaces may each have a route for one path. A trailing slash distinguishes them here; `x-path` has none.
    const isTaken = paths[route.path]?.[method] !== undefined;
    const path = isTaken ? `${route.path}/` : route.path;
    paths[path] = {
      ...paths[path],
      [method]: {
        ...operation(route, components, exampleOf(route)),
        ...(isTaken ? { 'x-path': route.path } : {}),
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tessera',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: DESCRIPTION,
    },
    servers: [{ url: '/', description: 'This installation.' }],
    security: securityOf(MEMBER_SCHEMES),
    'x-surface': MEMBER_SURFACES,
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => {
      const description = tagTexts.get(name);
      return description === undefined ? { name } : { name, description };
    }),
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [path, withCommonParameters(operations)]),
    ),
    components: {
      schemas: components.schemas.toJSON(),
      ...components.parts.toJSON(),
      securitySchemes: Object.fromEntries(
        SURFACES.flatMap(({ security }) => (security ? [[security.name, security.scheme]] : [])),
      ),
    },
  };
}

/**
 * States parameters that all operations of a path have once, for the path. Its path parameters stay together, because
 * clients take them in the order of the path.
 */
function withCommonParameters(operations: Readonly<Record<string, Operation>>): object {
  const lists = Object.values(operations).map(({ parameters = [] }) => parameters);
  const [first = [], ...others] = lists.map((parameters) => parameters.map((each) => JSON.stringify(each)));
  const isCommon = (parameter: object) =>
    others.every((texts) => texts.includes(JSON.stringify(parameter))) &&
    first.includes(JSON.stringify(parameter));
  const isInPath = (parameter: object) => 'in' in parameter && parameter.in === 'path';
  const areCommonInPath = lists.flat().filter(isInPath).every(isCommon);
  const isHoisted = (parameter: object) =>
    others.length > 0 && isCommon(parameter) && (areCommonInPath || !isInPath(parameter));
  const common = lists[0]?.filter(isHoisted) ?? [];
  if (common.length === 0) return operations;
  const rest = Object.entries(operations).map(([method, operation]) => {
    const { parameters = [], ...others } = operation;
    const own = parameters.filter((each) => !isHoisted(each));
    return [method, own.length === 0 ? others : { ...operation, parameters: own }];
  });
  return { parameters: common, ...Object.fromEntries(rest) };
}

/** Formats the document with one operation, schema or response per line, so that changes can be reviewed. */
export function toOpenApiText(document: object): string {
  return `${toLines(document, 3)}\n`;
}

function toLines(value: object, levels: number): string {
  const members = Object.entries(value).map(([name, member]) => {
    const isBroken = levels > 1 && typeof member === 'object' && !Array.isArray(member);
    return `${JSON.stringify(name)}:${isBroken ? toLines(member, levels - 1) : JSON.stringify(member)}`;
  });
  return `{\n${members.join(',\n')}\n}`;
}

/** The credentials of most operations, which the document states once. */
const MEMBER_SCHEMES = ['ApiKey', 'Session'];

/** Returns the credentials of an operation; none if they are those of the document. */
function operationSecurity(route: Route): { security?: object[] } {
  const names = surfacesOf(route).flatMap(({ security, otherSecurity }) => [
    ...(security ? [security.name] : []),
    ...(otherSecurity?.(route) ?? []),
  ]);
  return names.join() === MEMBER_SCHEMES.join() ? {} : { security: securityOf(names) };
}

/** The surfaces of most operations, which the document states once. */
const MEMBER_SURFACES = ['member', 'console'];

/** Returns the surfaces that serve an operation; none if they are those of the document. */
function operationSurfaces(route: Route): { 'x-surface'?: readonly string[] } {
  const names = servingSurfaces(route).map(({ name }) => name);
  return names.join() === MEMBER_SURFACES.join() ? {} : { 'x-surface': names };
}

function securityOf(names: readonly string[]): object[] {
  return names.map((name) => ({ [name]: [] }));
}

/** An operation of the document. */
interface Operation extends Readonly<Record<string, unknown>> {
  readonly parameters?: readonly object[];
}

function operation(route: Route, components: Components, example?: object | string): Operation {
  const { id, summary, description, tag, access, accessUnit, filters, search, sorts, items, events } = route;
  const { maxBodyBytes, upload } = route;
  const parameters = [
    ...toParameters('path', route.params, components),
    ...toParameters('query', route.query, components),
    ...headerParameters(route, components),
  ];
  const requestBody = toRequestBody(route, components, example);
  return {
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    ...operationSecurity(route),
    ...operationSurfaces(route),
    'x-access': access,
    ...(accessUnit ? { 'x-access-unit': accessUnit } : {}),
    ...(filters ? { 'x-filters': toFilters(filters) } : {}),
    ...(search && search.length > 0 ? { 'x-search': search } : {}),
    ...(sorts ? { 'x-sort': sorts } : {}),
    ...(items?.entityType ? { 'x-entity-type': items.entityType } : {}),
    ...(items?.key ? { 'x-key': items.key } : {}),
    ...(upload ? { 'x-upload': { types: upload.contentTypes, max_bytes: upload.maxBytes } } : {}),
    ...(maxBodyBytes ? { 'x-max-body-bytes': maxBodyBytes } : {}),
    ...(events ? { 'x-stream': true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: {
      [route.raw?.status ?? route.status ?? 200]: success(route, components),
      ...(route.conditional
        ? { 304: { description: 'Unchanged: `If-None-Match` has the current ETag.' } }
        : {}),
      ...errorResponses(route, components.parts),
    },
  };
}

/** Describes the fields of a list filter for user interfaces: types, the values of enums, and operations. */
function toFilters({ fields, operations }: NonNullable<Route['filters']>): object {
  return {
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, { type, values }]) => [name, values ? { type, values } : { type }]),
    ),
    operations,
  };
}

/** The default list request, used as an example. */
const FIRST_PAGE = { page: 1, limit: 20, filters: {} };

function toRequestBody(
  route: Route,
  { schemas }: Components,
  example: object | string | undefined = route.filters && FIRST_PAGE,
): object | null {
  const { id, body, upload } = route;
  if (upload) {
    const schema = upload.form ? schemas.refer(upload.form, id) : { type: 'string', format: 'binary' };
    return {
      required: true,
      content: Object.fromEntries(
        upload.contentTypes.map((type) => [type, { schema, ...(example && { example }) }]),
      ),
    };
  }
  if (!body) return null;
  const schema = schemas.refer(body, id);
  return {
    required: route.mayLackBody !== true,
    content: {
      'application/json': { schema, ...(example && { example }) },
      // The same body by another name needs no second example.
      ...(route.method === 'PATCH' ? { [MERGE_PATCH]: { schema } } : {}),
    },
  };
}

function success(route: Route, components: Components): object {
  const { id, raw, reply, events, conditional } = route;
  if (raw) return { description: raw.description, content: { [raw.contentType]: { schema: Type.String() } } };
  const content = {
    ...(reply ? json(components.schemas.refer(reply, id)) : {}),
    ...(events ? { 'text/event-stream': { schema: Type.String() } } : {}),
  };
  const headers = [...(conditional ? [TAG_HEADER] : []), ...responseHeaders(route)];
  return { description: 'OK', ...toHeaders(headers, components.parts), content };
}

/** The header of conditional reads. */
const TAG_HEADER: ResponseHeader = {
  name: 'ETag',
  description: 'Version of the response, for `If-None-Match`.',
  schema: Type.String(),
};

function toParameters(
  location: 'path' | 'query',
  schema: TObject | undefined,
  { schemas, parts }: Components,
): object[] {
  if (!schema) return [];
  const required = new Set<string>(schema.required);
  return Object.entries(schema.properties).map(([name, property]) => {
    const isRequired = location === 'path' || required.has(name);
    const parameter = {
      name,
      in: location,
      ...(isRequired ? { required: true } : {}),
      schema: schemas.property(name, property),
    };
    const isShared = !isRequired && 'title' in property;
    return isShared
      ? parts.refer('parameters', `${name.replaceAll(/\W/g, '')}.${property.title}`, parameter)
      : parameter;
  });
}

function headerParameters(route: Route, { parts }: Components): object[] {
  const headers = surfacesOf(route).flatMap((surface) => surface.headers);
  const key = { name: 'Idempotency-Key', description: 'Repeats within 24 hours return the first response.' };
  const ifNoneMatch = { name: 'If-None-Match', description: 'ETags of cached responses.' };
  const all = [...headers, ...(takesKey(route) ? [key] : []), ...(route.conditional ? [ifNoneMatch] : [])];
  return all.map((header) =>
    parts.refer('parameters', header.name, {
      ...header,
      in: 'header',
      required: false,
      schema: Type.String(),
    }),
  );
}
