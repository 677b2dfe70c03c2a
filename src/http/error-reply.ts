import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { NoConnectionError } from '../db/connection-queue.ts';
import { isDatabaseUnavailable } from '../db/database-unavailable.ts';
import { isSqlState, QUERY_CANCELED } from '../db/sqlstate.ts';
import { AppError } from '../errors/app-error.ts';
import { codeOf } from '../errors/error-code.ts';
import {
  DATABASE_UNAVAILABLE,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  NOT_FOUND,
  TIMEOUT,
  UNSUPPORTED_MEDIA_TYPE,
  VALIDATION_ERROR,
} from '../errors/platform-errors.ts';
import type { Platform } from '../platform.ts';
import { bodyTooLarge, MAX_BODY_BYTES } from './body-limit.ts';
import type { ErrorEnvelope } from './error-shapes.ts';
import type { Route } from './route.ts';
import type { Surface } from './surface.ts';
import { servingSurfaces } from './surfaces.ts';

/** Seconds after which to retry when a statement timed out or the database was unavailable. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Maps any thrown value to the error of the response; an unknown one becomes INTERNAL_ERROR without detail.
 * `maxBodyBytes` is the limit of the request's route.
 */
export function toAppError(error: unknown, maxBodyBytes = MAX_BODY_BYTES): AppError {
  if (error instanceof AppError) return error;
  if (isAbortedBody(error)) return new AppError(INVALID_REQUEST, { cause: error });
  if (isTooLongText(error)) return new AppError(VALIDATION_ERROR, { message: TOO_LARGE, cause: error });
  if (error instanceof NoConnectionError || isSqlState(error, QUERY_CANCELED))
    return new AppError(TIMEOUT, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  if (isDatabaseUnavailable(error))
    return new AppError(DATABASE_UNAVAILABLE, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  if (codeOf(error) === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(maxBodyBytes);
  const definition = FRAMEWORK_ERRORS[codeOf(error)];
  return definition ? new AppError(definition) : new AppError(INTERNAL_ERROR, { cause: error });
}

/** Converts a thrown value to the error of the response. Reports it to the log unless it is a deliberate response. */
export function observedError({ observe }: Platform, thrown: unknown, request: FastifyRequest): AppError {
  const error = toAppError(thrown, request.routeOptions?.bodyLimit);
  if (error.definition.status >= 500 && !isDeliberate(thrown))
    observe({ event: 'http.failed', route: routeIdOf(request), requestId: request.id, error: thrown });
  return error;
}

/** True for an error that code threw on purpose, such as 503 "not ready", without another error as its cause. */
function isDeliberate(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.definition !== INTERNAL_ERROR && thrown.cause === undefined;
}

/** Returns the id of the route that serves a request, for logs and metrics. */
export function routeIdOf(request: FastifyRequest): string {
  return request.routeOptions?.config?.route?.id ?? 'unknown';
}

/** Returns a function that finds the error shape for a path that matches no route of a surface. */
export function envelopeByPath(routes: readonly Route[]): (path: string, surface: Surface) => ErrorEnvelope {
  // An area, such as `/api/templates`, may have a shape of its own.
  const areaOf = (path: string, { name }: Surface) => `${name} ${path.split(/[/?]/, 3).join('/')}`;
  const envelopes = new Map(
    routes.flatMap((route) =>
      servingSurfaces(route).flatMap((surface) =>
        route.envelope ? [[areaOf(route.path, surface), route.envelope]] : [],
      ),
    ),
  );
  return (path, surface) => envelopes.get(areaOf(path, surface)) ?? surface.envelope;
}

/** Answers malformed HTTP, or a request whose headers are too large, in the usual shape of errors. */
export function answerMalformedHttp(error: Error, socket: Socket): void {
  if (codeOf(error) === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    codeOf(error) === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const body = JSON.stringify({ message: 'The request is not valid HTTP.', code: INVALID_REQUEST.code });
  const headers = `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}`;
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\nconnection: close\r\n\r\n${body}`);
}

/** Errors with which Fastify refuses a request before a route sees it. */
const FRAMEWORK_ERRORS: Record<string, typeof INVALID_REQUEST> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: UNSUPPORTED_MEDIA_TYPE,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: INVALID_REQUEST,
  FST_ERR_BAD_URL: INVALID_REQUEST,
  FST_ERR_ASYNC_CONSTRAINT: NOT_FOUND,
  FST_ERR_MAX_PARAM_LENGTH: NOT_FOUND,
};

const TOO_LARGE = 'The response is too large. Request fewer items.';

/** True for V8's error on strings over 512 MB, which a page of a hundred records of several MB each can reach. */
function isTooLongText(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Invalid string length';
}

/**
 * True if the client disconnected while it sent its body. Fastify gives that error a status; a database error has none.
 */
function isAbortedBody(error: unknown): boolean {
  const isOfClient = error instanceof Error && 'statusCode' in error && error.statusCode === 400;
  return isOfClient && codeOf(error) === 'ECONNRESET';
}
