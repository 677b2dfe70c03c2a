/** The responses of the OpenAPI document that describe errors, and the headers that all answers of a surface have. */
import type { TSchema } from 'typebox';
import type { ErrorDefinition } from '../errors/app-error.ts';
import * as platform from '../errors/platform-errors.ts';
import { ERROR_SHAPES, type ErrorShape } from './error-shapes.ts';
import { takesKey } from './idempotency.ts';
import type { Route } from './route.ts';
import type { SharedParts } from './shared-parts.ts';
import type { AnswerHeader } from './surface.ts';
import { surfacesOf } from './surfaces.ts';

/** Returns every error that a route can give: those of its kind and surfaces, and those it declares. */
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

/** The common errors about the caller. */
const ABOUT_CALLERS: readonly ErrorDefinition[] = COMMON_ERRORS.slice(0, 3);

/** The error responses by status; `default` describes the common errors, whose statuses have no others here. */
export function errorResponses(route: Route, parts: SharedParts): Record<string, object> {
  const shapes = [
    ...new Set(surfacesOf(route).map((surface) => ERROR_SHAPES[route.envelope ?? surface.envelope])),
  ];
  const all = errorsOf(route);
  const headers = answerHeaders(route);
  const kind = kindOf(shapes, headers);
  const isOwn = (error: ErrorDefinition) => !COMMON_ERRORS.includes(error);
  const common = COMMON_ERRORS.filter((error) => all.includes(error) || !ABOUT_CALLERS.includes(error));
  const callers = common.filter((error) => ABOUT_CALLERS.includes(error));
  // Most operations are for members; their response names use one word for the common errors.
  const isForMembers = callers.length === ABOUT_CALLERS.length;
  const own = [...Map.groupBy(all, ({ status }) => status)].filter(([, errors]) => errors.some(isOwn));
  const ownResponses = own.map(([status, errors]) => {
    const ofOperation = errors.filter(isOwn);
    const ofAll = callers.filter((error) => errors.includes(error));
    const others = errors.filter((error) => !isOwn(error) && !ofAll.includes(error));
    const first = isForMembers && ofAll.length > 0 ? ['Member'] : ofAll.map(nameOf);
    const name = [...kind, ...first, ...[...others, ...ofOperation].map(nameOf)].join('.');
    return [
      String(status),
      errorResponse(name, [...ofAll, ...others, ...ofOperation], shapes, headers, parts),
    ];
  });
  const commonName = [...kind, ...(isForMembers ? ['Member'] : callers.map(nameOf)), 'Error'].join('.');
  return {
    ...Object.fromEntries(ownResponses),
    default: errorResponse(commonName, common, shapes, headers, parts),
  };
}

function errorResponse(
  name: string,
  errors: readonly ErrorDefinition[],
  shapes: readonly ErrorShape[],
  headers: readonly AnswerHeader[],
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

/** The first parts of an error response's name: the shape, unless it is the usual one, and if calls are counted. */
function kindOf(shapes: readonly ErrorShape[], headers: readonly AnswerHeader[]): readonly string[] {
  const names = shapes.map(({ name }) => name).filter((name) => name !== ERROR_SHAPES.plain.name);
  return headers.length > 0 ? [...names, 'Counted'] : names;
}

/** `EMAIL_NOT_FOUND` becomes `EmailNotFound`. */
function nameOf({ code }: ErrorDefinition): string {
  return code.toLowerCase().replaceAll(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase());
}

/** The headers of answers on the route's surfaces after authentication. */
export function answerHeaders(route: Route): AnswerHeader[] {
  return surfacesOf(route).flatMap((surface) => surface.answerHeaders?.described ?? []);
}

/** References to headers of an answer. */
export function toHeaders(headers: readonly AnswerHeader[], parts: SharedParts): { headers?: object } {
  if (headers.length === 0) return {};
  const entries = headers.map(({ name, ...header }) => [name, parts.refer('headers', name, header)]);
  return { headers: Object.fromEntries(entries) };
}

/** A body of JSON. */
export function json(schema: TSchema | object): object {
  return { 'application/json': { schema } };
}
