/** The OpenAPI 3.1 document, made from the route table. TypeBox schemas are JSON Schema already. */
import Type, { type TObject, type TSchema } from 'typebox';
import type { ErrorDefinition } from '../errors/app-error.ts';
import * as platform from '../errors/platform-errors.ts';
import type { Feature } from '../features/feature.ts';
import { version } from '../version.ts';
import { ERROR_SHAPES, type ErrorShape } from './error-shapes.ts';
import { takesKey } from './idempotency.ts';
import { MERGE_PATCH } from './json-body.ts';
import { NamedSchemas } from './named-schemas.ts';
import type { Route } from './route.ts';
import { SharedParts } from './shared-parts.ts';
import { SURFACES, surfacesOf } from './surfaces.ts';

const DESCRIPTION =
  'The experience platform. Errors have a stable `code`; [docs/errors.md](docs/errors) explains them all, [docs/specification](docs/specification/README) what callers can rely on, and [the tour](docs/tour#five-minutes) how to begin. Lists are newest first. An operation has `x-access`: the least role that it asks for. A list has `x-filters`, the fields it can be filtered by, each with its type, and the operations; `x-search`, the fields that `search` looks in; and `x-sort`, those that `sort` takes.';

/** What operations refer to. */
interface Components {
  readonly schemas: NamedSchemas;
  readonly parts: SharedParts;
}

/** The OpenAPI document of all features. @throws when two different schemas have one name. */
export function buildOpenApi(features: readonly Feature[]): object {
  const routes = features.flatMap((feature) => [...feature.routes]);
  const examples = new Map(features.flatMap(({ reference }) => Object.entries(reference?.examples ?? {})));
  const tagTexts = new Map(features.flatMap(({ reference }) => Object.entries(reference?.tags ?? {})));
  const components = { schemas: new NamedSchemas(), parts: new SharedParts() };
  for (const { name, schema } of Object.values(ERROR_SHAPES)) components.schemas.add(name, schema);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const method = route.method.toLowerCase();
    // Where two surfaces have each their own route on one path, the later is told apart by its surface.
    const isTaken = paths[route.path]?.[method] !== undefined;
    const path = isTaken ? `${route.path}#${surfacesOf(route)[0]?.name}` : route.path;
    paths[path] = {
      ...paths[path],
      [method]: operation(route, components, examples.get(route.patches ?? route.id)),
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
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => {
      const description = tagTexts.get(name);
      return description === undefined ? { name } : { name, description };
    }),
    paths,
    components: {
      schemas: components.schemas.toJSON(),
      ...components.parts.toJSON(),
      securitySchemes: Object.fromEntries(
        SURFACES.flatMap(({ security }) => (security ? [[security.name, security.scheme]] : [])),
      ),
    },
  };
}

/** The document as a file: an operation, schema or response on each line, so that changes can be reviewed. */
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

/** Every error a route can give: those of its kind and its surfaces, and those it declares. */
export function errorsOf(route: Route): ErrorDefinition[] {
  const { access, method, params, query, invalid = platform.INVALID_REQUEST } = route;
  const errors: ErrorDefinition[] = [
    platform.INTERNAL_ERROR,
    platform.TIMEOUT,
    platform.DATABASE_UNAVAILABLE,
    platform.RATE_LIMITED,
    ...surfacesOf(route).flatMap((surface) => surface.errors(access)),
  ];
  if (params || query) errors.push(platform.INVALID_REQUEST);
  // A body is read, and can be refused, whether the route wants one or not.
  if (method !== 'GET') errors.push(invalid, platform.PAYLOAD_TOO_LARGE, platform.UNSUPPORTED_MEDIA_TYPE);
  if (takesKey(route))
    errors.push(
      platform.INVALID_REQUEST,
      platform.IDEMPOTENCY_CONFLICT,
      platform.IDEMPOTENT_ANSWER_NOT_STORED,
    );
  if (route.cors) errors.push(platform.FORBIDDEN);
  return [...new Set([...errors, ...(route.errors ?? [])])];
}

function operation(route: Route, components: Components, example?: object | string): object {
  const { id, summary, description, tag, access, filters, search, sorts } = route;
  const parameters = [
    ...toParameters('path', route.params),
    ...toParameters('query', route.query),
    ...headerParameters(route, components),
  ];
  const requestBody = toRequestBody(route, components, example);
  return {
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    security: surfacesOf(route).flatMap(({ security, otherSecurity }) => {
      const names = [...(security ? [security.name] : []), ...(otherSecurity?.(route) ?? [])];
      return names.map((name) => ({ [name]: [] }));
    }),
    'x-access': access,
    ...(filters ? { 'x-filters': toFilters(filters) } : {}),
    ...(search && search.length > 0 ? { 'x-search': search } : {}),
    ...(sorts ? { 'x-sort': sorts } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: {
      [route.raw?.status ?? route.status ?? 200]: success(route, components),
      ...(route.conditional
        ? { 304: { description: 'The client holds it: it named the tag of this answer.' } }
        : {}),
      ...errorResponses(route, components),
    },
  };
}

/** What a console needs to build a filter: its type, and what it can be compared by. */
function toFilters({ fields, operations }: NonNullable<Route['filters']>): object {
  return {
    fields: Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, { type }])),
    operations,
  };
}

/** What a list takes at least, when nothing better is given. */
const FIRST_PAGE = { page: 1, limit: 20, filters: {} };

function toRequestBody(
  route: Route,
  { schemas }: Components,
  example: object | string | undefined = route.filters && FIRST_PAGE,
): object | null {
  const { id, body, upload } = route;
  if (upload) {
    const schema = upload.form ?? { type: 'string', format: 'binary' };
    return {
      required: true,
      content: Object.fromEntries(
        upload.contentTypes.map((type) => [type, { schema, ...(example && { example }) }]),
      ),
    };
  }
  if (!body) return null;
  const content = { schema: schemas.refer(body, `${id}.body`), ...(example && { example }) };
  const types = ['application/json', ...(route.method === 'PATCH' ? [MERGE_PATCH] : [])];
  return {
    required: route.mayLackBody !== true,
    content: Object.fromEntries(types.map((type) => [type, content])),
  };
}

function success(route: Route, components: Components): object {
  const { id, raw, reply, events, conditional } = route;
  if (raw) return { description: raw.description, content: { [raw.contentType]: { schema: Type.String() } } };
  const content = {
    ...(reply ? json(components.schemas.refer(reply, `${id}.reply`)) : {}),
    ...(events ? { 'text/event-stream': { schema: Type.String() } } : {}),
  };
  const headers = [...(conditional ? [TAG_HEADER] : []), ...answerHeaders(route)];
  return { description: 'Success.', ...toHeaders(headers, components), content };
}

interface Header {
  readonly name: string;
  readonly description: string;
  readonly schema: TSchema;
}

/** What answers of conditional reads have. */
const TAG_HEADER: Header = {
  name: 'ETag',
  description: 'Names this answer for `If-None-Match`.',
  schema: Type.String(),
};

/** The headers that answers have on the route's surfaces, once it is known who calls. */
function answerHeaders(route: Route): Header[] {
  return surfacesOf(route).flatMap((surface) => surface.answerHeaders?.described ?? []);
}

function toHeaders(headers: readonly Header[], { parts }: Components): { headers?: object } {
  if (headers.length === 0) return {};
  const entries = headers.map(({ name, ...header }) => [name, parts.refer('headers', name, header)]);
  return { headers: Object.fromEntries(entries) };
}

function json(schema: TSchema | object): object {
  return { 'application/json': { schema } };
}

function toParameters(place: 'path' | 'query', schema: TObject | undefined): object[] {
  if (!schema) return [];
  const required = new Set<string>(schema.required);
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: property,
  }));
}

function headerParameters(route: Route, { parts }: Components): object[] {
  const headers = surfacesOf(route).flatMap((surface) => surface.headers);
  const key = { name: 'Idempotency-Key', description: 'Repeats within 24 hours get the first answer.' };
  const held = { name: 'If-None-Match', description: 'The tags of answers that the client holds.' };
  const all = [...headers, ...(takesKey(route) ? [key] : []), ...(route.conditional ? [held] : [])];
  return all.map((header) =>
    parts.refer('parameters', header.name, {
      ...header,
      in: 'header',
      required: false,
      schema: Type.String(),
    }),
  );
}

function errorResponses(route: Route, components: Components): Record<string, object> {
  const shapes = [
    ...new Set(surfacesOf(route).map((surface) => ERROR_SHAPES[route.envelope ?? surface.envelope])),
  ];
  const byStatus = Map.groupBy(errorsOf(route), ({ status }) => status);
  const responses = [...byStatus].map(([status, errors]) => {
    // Of a stranger nothing is counted.
    const headers = status === platform.UNAUTHORIZED.status ? [] : answerHeaders(route);
    return [String(status), errorResponse(errors, shapes, headers, components)] as const;
  });
  return Object.fromEntries(responses);
}

function errorResponse(
  errors: readonly ErrorDefinition[],
  shapes: readonly ErrorShape[],
  headers: readonly Header[],
  components: Components,
): object {
  const schemas = shapes.map(({ name }) => ({ $ref: `#/components/schemas/${name}` }));
  const schema = schemas.length === 1 ? { ...schemas[0] } : { anyOf: schemas };
  const codesOf = (error: ErrorDefinition) => new Set(shapes.map((shape) => `\`${shape.codeOf(error)}\``));
  const description = errors
    .map((error) => `${[...codesOf(error)].join(', ')}: ${error.message}`)
    .join('\n\n');
  const response = { description, ...toHeaders(headers, components), content: json(schema) };
  return components.parts.refer('responses', responseName(errors, shapes, headers), response);
}

/** `CampaignNotFound.EmailNotFound`: the codes; before them the shape, unless it is the usual one. */
function responseName(
  errors: readonly ErrorDefinition[],
  shapes: readonly ErrorShape[],
  headers: readonly Header[],
): string {
  const kind = shapes.map(({ name }) => name).filter((name) => name !== ERROR_SHAPES.plain.name);
  // Answers of one shape differ in their headers where a quota is counted.
  if (headers.length > 0) kind.push('Counted');
  return [...kind, ...errors.map(({ code }) => toPascalCase(code))].join('.');
}

function toPascalCase(code: string): string {
  return code.toLowerCase().replaceAll(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase());
}
