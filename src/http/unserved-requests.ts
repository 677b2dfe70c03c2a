/**
 * Explains requests that no route serves: another credential is needed, the method is wrong, or the path is unknown.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { METHOD_NOT_ALLOWED, NOT_FOUND, UNAUTHORIZED } from '../errors/platform-errors.ts';
import type { Platform } from '../platform.ts';
import { isServiceRequest } from './bearer-surface.ts';
import type { RoutePaths } from './route-paths.ts';
import type { Surface } from './surface.ts';

const KEY_NEEDED = 'This path takes an API key. Send it as X-API-Key.';
const KEY_NEEDED_UNLESS_RECORDS = 'Paths of the platform take an API key instead, as X-API-Key.';
const TOKEN_NEEDED =
  'This path takes the access token of a sign-in, as Authorization: Bearer, or an API key with X-Tessera-Surface: records.';
const NOT_OF_RECORDS = 'This path takes an API key without X-Tessera-Surface: records.';
const RECORDS_HEADER_NEEDED = 'This path takes X-Tessera-Surface: records.';
const RECORDS_HEADER_REFUSED = 'This path is called without X-Tessera-Surface: records.';
/** Statuses with which a platform path fails when it is read as an entity path. */
const MISREAD = [400, 404, 413, 415];

const RECORD_SURFACES = ['records', 'console-records'];
const PLATFORM_SURFACES = ['member', 'console'];

/** Returns true if a path leads to records of an entity that the tenant has defined. */
export type RecordPathCheck = (platform: Platform, tenantId: string, path: string) => Promise<boolean>;

/** The data that an explanation depends on. */
export interface Served {
  readonly platform: Platform;
  readonly paths: RoutePaths;
  readonly isRecordPath: RecordPathCheck;
}

/** A request that has failed. */
export interface FailedRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly surface: Surface;
}

/** Returns the error for a request that failed with `thrown`: the same error unless no route serves the request. */
export async function explainUnserved(
  served: Served,
  thrown: unknown,
  failed: FailedRequest,
): Promise<unknown> {
  if (!(thrown instanceof AppError)) return thrown;
  if (thrown.definition === UNAUTHORIZED) return explainRefused(served, thrown, failed);
  if (!MISREAD.includes(thrown.definition.status)) return thrown;
  try {
    if (await isMisreadAsRecord(served, failed)) return refuseRecords(failed);
    if (failed.request.is404) return await explainUnknown(served, thrown, failed);
    return await explainMissing(served, thrown, failed);
  } catch (error) {
    return error;
  }
}

/** A session has the right credential for both surfaces: it must not sign in again. */
function refuseRecords({ request, surface }: FailedRequest): AppError {
  if (surface.isForSessions) return new AppError(NOT_FOUND, { message: RECORDS_HEADER_REFUSED });
  const message = isServiceRequest(request.raw) ? NOT_OF_RECORDS : KEY_NEEDED;
  return new AppError(UNAUTHORIZED, { message });
}

async function explainUnknown(served: Served, thrown: AppError, failed: FailedRequest): Promise<AppError> {
  const { request, surface } = failed;
  const allowed = served.paths.methodsAt(request.url, [surface.name, 'public']);
  if (allowed.length > 0) return refuseMethod(failed, allowed);
  if (!(await isForRecords(served, failed))) return thrown;
  return surface.isForSessions
    ? new AppError(NOT_FOUND, { message: RECORDS_HEADER_NEEDED })
    : new AppError(UNAUTHORIZED, { message: TOKEN_NEEDED });
}

function refuseMethod({ request, reply }: FailedRequest, allowed: readonly string[]): AppError {
  reply.header('allow', allowed.join(', '));
  return new AppError(METHOD_NOT_ALLOWED, {
    message: `This path does not support ${request.method}. It supports ${allowed.join(', ')}.`,
  });
}

/** A path that ends in a word, such as `GET /api/lists/list`, was read as the address of a record of that name. */
async function explainMissing(served: Served, thrown: AppError, failed: FailedRequest): Promise<AppError> {
  const { request, surface } = failed;
  const isRead = ['GET', 'HEAD'].includes(request.method);
  // A bad query is 400 before a record is looked for; a bad body may be that of a record to be created.
  if (thrown.definition.status !== 404 && !(isRead && thrown.definition.status === 400)) return thrown;
  const surfaces = [surface.name, 'public'];
  const allowed = served.paths.methodsAt(request.url, surfaces, { isOpen: false, endsInWord: true });
  const ofEntities = served.paths.methodsAt(request.url, surfaces, { isOpen: true, endsInWord: true });
  if (ofEntities.length > 0 && (await isOfEntity(served, failed))) allowed.push(...ofEntities);
  return allowed.length === 0 || allowed.includes(request.method) ? thrown : refuseMethod(failed, allowed);
}

/** True for a platform path called as one of records. A path that is also an entity's belongs to that entity. */
async function isMisreadAsRecord(served: Served, failed: FailedRequest): Promise<boolean> {
  return isOfPlatform(served, failed) && !(await isOfEntity(served, failed));
}

/** True for a request with an access token, valid or not, for a path that only the platform has. */
function isOfPlatform(served: Served, { request, surface }: FailedRequest): boolean {
  return (
    RECORD_SURFACES.includes(surface.name) &&
    served.paths.methodsAt(request.url, ['member']).length > 0 &&
    !hasUserPath(served, request)
  );
}

/** The tenant of a refused token is unknown, and so is whether the path is one of its entities. */
function explainRefused(served: Served, thrown: AppError, failed: FailedRequest): AppError {
  if (failed.surface.isForSessions) return thrown;
  if (isServiceRequest(failed.request.raw) || !isOfPlatform(served, failed)) return thrown;
  return new AppError(UNAUTHORIZED, { message: `${thrown.message} ${KEY_NEEDED_UNLESS_RECORDS}` });
}

/** True for a path of records called as one of the platform. */
async function isForRecords(served: Served, failed: FailedRequest): Promise<boolean> {
  const { request, surface } = failed;
  return (
    PLATFORM_SURFACES.includes(surface.name) && (hasUserPath(served, request) || isOfEntity(served, failed))
  );
}

/** True if it is not a record path, such as /auth/password. */
function hasUserPath({ paths }: Served, { url }: FastifyRequest): boolean {
  return paths.methodsAt(url, ['records'], { isOpen: false }).length > 0;
}

async function isOfEntity(
  { platform, isRecordPath }: Served,
  { request, surface }: FailedRequest,
): Promise<boolean> {
  const { tenantId = null } = request.tessera ? surface.identify(request.tessera) : {};
  return tenantId !== null && isRecordPath(platform, tenantId, request.url.replace(/\?.*$/s, ''));
}
