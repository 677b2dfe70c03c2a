/** The responses of the OpenAPI document that describe errors, and the headers that all responses of a surface have. */
import type { TSchema } from 'typebox';
import type { ErrorDefinition } from '../errors/app-error.ts';
import * as platform from '../errors/platform-errors.ts';
import { ERROR_SHAPES, type ErrorShape } from './error-shapes.ts';
import { takesKey } from './idempotency.ts';
import type { Route } from './route.ts';
import type { SharedParts } from './shared-parts.ts';
import type { ResponseHeader } from './surface.ts';
import { surfacesOf } from './surfaces.ts';

/** Returns every error that a route can return: those of its kind and surfaces, and those it declares. */
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
  // Every body is read and can be refused, even if the route expects none.
  if (method !== 'GET') errors.push(invalid, platform.PAYLOAD_TOO_LARGE, platform.UNSUPPORTED_MEDIA_TYPE);
  if (takesKey(route))
    errors.push(
      platform.INVALID_REQUEST,
      platform.IDEMPOTENCY_CONFLICT,
      platform.IDEMPOTENT_ANSWER_NOT_STORED,
    );
  if (route.cors) errors.push(platform.FORBIDDEN);
  if (route.needsConfirmation) errors.push(platform.CONFIRMATION_REQUIRED);
  return [...new Set([...errors, ...(route.errors ?? [])])];
}

/** Errors that any operation can return. */
const COMMON_ERRORS: readonly ErrorDefinition[] = [
  platform.UNAUTHORIZED,
  platform.TENANT_SUSPENDED,
  platform.INVALID_BUSINESS_UNIT,
  platform.PAYLOAD_TOO_LARGE,
  platform.UNSUPPORTED_MEDIA_TYPE,
  platform.RATE_LIMITED,
  platform.INTERNAL_ERROR,
  platform.TIMEOUT,
  platform.DATABASE_UNAVAILABLE,
];

/** The common errors about the caller's credential, tenant and unit. */
const CALLER_ERRORS: readonly ErrorDefinition[] = COMMON_ERRORS.slice(0, 3);

/** Returns the error responses by status. `default` describes the common errors of all statuses that have no entry. */
export function errorResponses(route: Route, parts: SharedParts): Record<string, object> {
  const shapes = [
    ...new Set(surfacesOf(route).map((surface) => ERROR_SHAPES[route.envelope ?? surface.envelope])),
  ];
  const all = errorsOf(route);
  const headers = responseHeaders(route);
  const prefix = namePrefix(shapes, headers);
  const isOwn = (error: ErrorDefinition) => !COMMON_ERRORS.includes(error);
  const common = COMMON_ERRORS.filter((error) => all.includes(error) || !CALLER_ERRORS.includes(error));
  const callerErrors = common.filter((error) => CALLER_ERRORS.includes(error));
  // In the name of a response, `Member` stands for all three caller errors.
  const isForMembers = callerErrors.length === CALLER_ERRORS.length;
  const own = [...Map.groupBy(all, ({ status }) => status)].filter(([, errors]) => errors.some(isOwn));
  const ownResponses = own.map(([status, errors]) => {
    const ownErrors = errors.filter(isOwn);
    const callerErrorsOfStatus = callerErrors.filter((error) => errors.includes(error));
    const others = errors.filter((error) => !isOwn(error) && !callerErrorsOfStatus.includes(error));
    const first =
      isForMembers && callerErrorsOfStatus.length > 0 ? ['Member'] : callerErrorsOfStatus.map(nameOf);
    const name = [...prefix, ...first, ...[...others, ...ownErrors].map(nameOf)].join('.');
    return [
      String(status),
      errorResponse(name, [...callerErrorsOfStatus, ...others, ...ownErrors], shapes, headers, parts),
    ];
  });
  const commonName = [...prefix, ...(isForMembers ? ['Member'] : callerErrors.map(nameOf)), 'Error'].join(
    '.',
  );
  return {
    ...Object.fromEntries(ownResponses),
    default: errorResponse(commonName, common, shapes, headers, parts),
  };
}

function errorResponse(
  name: string,
  errors: readonly ErrorDefinition[],
  shapes: readonly ErrorShape[],
  headers: readonly ResponseHeader[],
  parts: SharedParts,
): object {
  const schemas = shapes.map((shape) => ({ $ref: `#/components/schemas/${shape.name}` }));
  const schema = schemas.length === 1 ? { ...schemas[0] } : { anyOf: schemas };
  const codesOf = (error: ErrorDefinition) => new Set(shapes.map((shape) => `\`${shape.codeOf(error)}\``));
  const description = errors
    .map((error) => `${error.status} ${[...codesOf(error)].join(', ')}: ${error.message}`)
    .join('\n\n');
  const response = { description, ...toHeaders(headers, parts), content: json(schema) };
  return parts.refer('responses', name, response);
}

/** Returns the start of a response name: shapes other than the usual one, and `Counted` if it has quota headers. */
function namePrefix(shapes: readonly ErrorShape[], headers: readonly ResponseHeader[]): readonly string[] {
  const names = shapes.map(({ name }) => name).filter((name) => name !== ERROR_SHAPES.plain.name);
  return headers.length > 0 ? [...names, 'Counted'] : names;
}

/** `EMAIL_NOT_FOUND` becomes `EmailNotFound`. */
function nameOf({ code }: ErrorDefinition): string {
  return code.toLowerCase().replaceAll(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase());
}

/** Returns the headers of responses on the route's surfaces after authentication. */
export function responseHeaders(route: Route): ResponseHeader[] {
  return surfacesOf(route).flatMap((surface) => surface.responseHeaders?.described ?? []);
}

/** Returns references to headers of a response. */
export function toHeaders(headers: readonly ResponseHeader[], parts: SharedParts): { headers?: object } {
  if (headers.length === 0) return {};
  const entries = headers.map(({ name, ...header }) => [name, parts.refer('headers', name, header)]);
  return { headers: Object.fromEntries(entries) };
}

/** A body of JSON. */
export function json(schema: TSchema | object): object {
  return { 'application/json': { schema } };
}
