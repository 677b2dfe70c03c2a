/** Validates a request's path, query and body by the route's schemas. */
import type { FastifyRequest } from 'fastify';
import { INVALID_REQUEST, invalidRequest } from '../errors/platform-errors.ts';
import { checkText } from './json-body.ts';
import type { Route, RouteInput } from './route.ts';
import { openUpload } from './upload.ts';
import { type Check, compileBodyCheck, compileParameterCheck } from './validation.ts';

/**
 * Returns a function that reads and validates a route's input. @throws AppError 400 with the area's code for schema
 * faults.
 */
export function inputReader(route: Route): (request: FastifyRequest, now: Date) => RouteInput {
  const readParams = paramsReader(route);
  const checkQuery = route.query ? compileParameterCheck(route.query) : null;
  const readBody = bodyReader(route);
  return (request, now) => ({
    params: readParams(request),
    query: checkQuery ? checkStrings(checkQuery, readQuery(request)) : {},
    body: readBody(request, now),
  });
}

/** Returns a function that reads and validates the path parameters of a route. @throws AppError INVALID_REQUEST. */
export function paramsReader({ params, endsWithRest }: Route): (request: FastifyRequest) => unknown {
  if (!params) return () => ({});
  const check = compileParameterCheck(params);
  const rest = endsWithRest && Object.keys(params.properties).at(-1);
  if (!rest) return (request) => checkStrings(check, request.params);
  return (request) => {
    const { '*': value, ...others } = Object(request.params);
    return checkStrings(check, { ...others, [rest]: value });
  };
}

function bodyReader(route: Route): (request: FastifyRequest, now: Date) => unknown {
  const { upload, body, takesAnyBody, mayLackBody, checks, firstChecks, invalid = INVALID_REQUEST } = route;
  if (upload) return (request) => openUpload(upload, request.raw);
  // An update validates its body after completing it with the stored record.
  if (route.updates?.current) return (request) => request.body;
  if (takesAnyBody) return (request) => request.body ?? null;
  if (!body) return () => undefined;
  const check = compileBodyCheck(body, invalid, checks, firstChecks);
  return (request, now) => check(mayLackBody && request.body === undefined ? {} : request.body, now);
}

/** Reads the query's values. Invalid percent-encoded UTF-8, which would be kept as written, is refused. */
function readQuery(request: FastifyRequest): unknown {
  const start = request.url.indexOf('?');
  try {
    if (start >= 0) decodeURIComponent(request.url.slice(start + 1));
  } catch {
    throw invalidRequest([{ message: 'The query is not percent-encoded UTF-8.' }]);
  }
  return request.query;
}

function checkStrings(check: Check, values: unknown): unknown {
  for (const [name, value] of Object.entries(values ?? {})) {
    checkText(name, name);
    for (const text of Array.isArray(value) ? value : [value]) checkText(String(text), name);
  }
  return check(values);
}
