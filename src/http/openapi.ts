/** The OpenAPI 3.1 document, made from the route table. TypeBox schemas are JSON Schema already. */
import Type, { type TObject, type TSchema } from 'typebox';
import type { ErrorDefinition } from '../errors/app-error.ts';
import * as platform from '../errors/platform-errors.ts';
import type { Feature } from '../features/feature.ts';
import { version } from '../version.ts';
import type { Route } from './route.ts';

/** The usual body of an error (document 1, Errors). */
export const ErrorReply = Type.Object({
  message: Type.String(),
  code: Type.String(),
  issues: Type.Optional(
    Type.Array(Type.Object({ field: Type.Optional(Type.String()), message: Type.String() })),
  ),
  request_id: Type.Optional(
    Type.String({ description: 'On unexpected errors: names the request in the log.' }),
  ),
});

/** The body of an error of templates and e-mail settings (document 2, Errors). */
export const WrappedErrorReply = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: Type.Array(
      Type.Object({
        field: Type.Optional(Type.String()),
        message: Type.String(),
        variable: Type.Optional(Type.String({ description: 'What no data defines.' })),
        line: Type.Optional(Type.Integer({ description: '1-based line in the template.' })),
        column: Type.Optional(Type.Integer({ description: '1-based column in the template.' })),
      }),
    ),
    request_id: Type.Optional(
      Type.String({ description: 'On unexpected errors: names the request in the log.' }),
    ),
  }),
});

/** The OpenAPI document of all features. */
export function buildOpenApi(features: readonly Feature[]): object {
  const routes = features
    .flatMap((feature) => [...feature.routes])
    .filter((route) => route.method !== 'OPTIONS');
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tessera',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: DESCRIPTION,
    },
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: ErrorReply, WrappedError: WrappedErrorReply },
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        Operator: { type: 'http', scheme: 'bearer', description: 'The ADMIN_TOKEN.' },
      },
    },
  };
}

const DESCRIPTION =
  'The experience platform. Errors have a stable `code`; `docs/errors.md` lists them all. Lists are newest first.';

function operation(route: Route): object {
  const parameters = [
    ...toParameters('path', route.params),
    ...toParameters('query', route.query),
    ...headerParameters(route),
  ];
  return {
    operationId: route.id,
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: [route.tag],
    security: security(route),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: { required: true, content: json(route.body) } } : {}),
    responses: { [route.raw?.status ?? 200]: success(route), ...errorResponses(route) },
  };
}

function security(route: Route): object[] {
  if (route.access === 'public') return [];
  return [route.access === 'operator' ? { Operator: [] } : { ApiKey: [] }];
}

function json(schema: TSchema | object): object {
  return { 'application/json': { schema } };
}

function success(route: Route): object {
  if (route.raw)
    return {
      description: route.raw.description,
      content: { [route.raw.contentType]: { schema: Type.String() } },
    };
  return { description: 'Success.', content: json(route.reply ?? {}) };
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

function headerParameters(route: Route): object[] {
  const headers: object[] = [];
  if (route.access !== 'public' && route.access !== 'operator') {
    headers.push(header('X-Business-Unit', 'Token of the Active business unit.'));
  }
  if (route.method === 'POST' && route.reply) {
    headers.push(header('Idempotency-Key', 'Repeats within 24 hours get the first answer.'));
  }
  return headers;
}

function header(name: string, description: string): object {
  return { name, in: 'header', required: false, description, schema: Type.String() };
}

/** Every error a route can give: those of its kind, and those it declares. */
export function errorsOf(route: Route): ErrorDefinition[] {
  const errors: ErrorDefinition[] = [platform.INTERNAL_ERROR];
  const isMember = route.access !== 'public' && route.access !== 'operator';
  if (route.access !== 'public') errors.push(platform.UNAUTHORIZED);
  if (isMember) errors.push(platform.INVALID_BUSINESS_UNIT, platform.INVALID_REQUEST);
  if (['owner', 'viewer', 'editor', 'admin'].includes(route.access)) errors.push(platform.FORBIDDEN);
  if (route.params || route.query) errors.push(platform.INVALID_REQUEST);
  // A body is read, and can be refused, whether the route wants one or not.
  if (route.method !== 'GET')
    errors.push(
      route.invalid ?? platform.INVALID_REQUEST,
      platform.PAYLOAD_TOO_LARGE,
      platform.UNSUPPORTED_MEDIA_TYPE,
    );
  if (route.method === 'POST' && route.reply)
    errors.push(platform.INVALID_REQUEST, platform.IDEMPOTENCY_CONFLICT);
  if (route.rateLimit) errors.push(platform.RATE_LIMITED);
  return [...new Set([...errors, ...(route.errors ?? [])])];
}

function errorResponses(route: Route): Record<string, object> {
  const byStatus = Map.groupBy(errorsOf(route), ({ status }) => status);
  const responses = [...byStatus].map(([status, errors]) => {
    const schema = `#/components/schemas/${route.envelope === 'wrapped' ? 'WrappedError' : 'Error'}`;
    const description = errors.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n');
    return [String(status), { description, content: json({ $ref: schema }) }] as const;
  });
  return Object.fromEntries(responses);
}
