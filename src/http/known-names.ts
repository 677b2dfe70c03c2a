/**
 * Unknown names in requests: extensions of the documented interface refuse them, documented operations ignore them and
 * list them in a `Warning` header.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type Issue } from '../errors/app-error.ts';
import { INVALID_REQUEST } from '../errors/platform-errors.ts';
import { lazy } from '../lazy.ts';
import type { AnyContext } from './context.ts';
import type { Route, RouteInput } from './route.ts';
import { type Shape, shapesOf } from './schema-shapes.ts';
import { isSpecified } from './specified-operations.ts';
import type { Surface } from './surface.ts';
import { servingSurfaces } from './surfaces.ts';
import {
  describeUnknown,
  findUnknownMembers,
  findUnknownParameters,
  pathOf,
  type UnknownName,
  warningOf,
} from './unknown-members.ts';
import { parameterName } from './validation.ts';

/** Members of responses that contain records: the known names are those of the items. */
const ITEM_MEMBERS = ['results', 'data', 'business_units'];

/** Finds the names of a request that its route does not know. Removes nulls that count as absent from the body. */
export type UnknownNamesFinder = (request: FastifyRequest) => readonly UnknownName[];

/** Makes the finder of each route; `routes` are all served routes, as reads determine what bodies may repeat. */
export function unknownNamesFinders(
  routes: readonly Route[],
): (route: Route, surface: Surface) => UnknownNamesFinder {
  const reads = Map.groupBy(
    routes.filter(({ method, reply }) => method === 'GET' && reply !== undefined),
    ({ path }) => withoutNames(path),
  );
  return (route, { name: surface }) => {
    // Links to public pages get extra parameters from whoever forwards them.
    const takesAnyQuery = surface === 'public' || route.takesAnyBody || mayHaveOthers(route.query);
    const parameters = parametersOf(route);
    const shapes = lazy(() => ({
      taken: route.body && !route.takesAnyBody ? shapesOf(route.body) : [],
      shown: shownAt(reads, route, surface),
      dropsNull: route.method === 'POST',
    }));
    return ({ body, query }) => [
      ...(takesAnyQuery ? [] : findUnknownParameters(parameters, Object(query))),
      ...(body === undefined ? [] : findUnknownMembers(shapes(), body)),
    ];
  };
}

/** Returns the names of a route's parameters; those of lists also without brackets. */
function parametersOf({ query }: Route): ReadonlySet<string> {
  return new Set(
    Object.entries(query?.properties ?? {}).flatMap(([name, schema]) =>
      'type' in schema && schema.type === 'array'
        ? [name, parameterName(name), `${parameterName(name)}[]`]
        : [name],
    ),
  );
}

/** True if the schema itself defines what happens to other parameters. */
function mayHaveOthers(query: Route['query']): boolean {
  return query !== undefined && 'additionalProperties' in query;
}

/** Returns the shapes shown by reads of the same record, its collection and the collection's records. */
function shownAt(reads: ReadonlyMap<string, readonly Route[]>, { path }: Route, surface: string): Shape[] {
  const own = withoutNames(path);
  const routes = [own, `${own}/{}`, own.replace(/\/\{\}$/, '')].flatMap((each) => reads.get(each) ?? []);
  return [...new Set(routes)]
    .filter((route) => servingSurfaces(route).some(({ name }) => name === surface))
    .flatMap(({ reply }) => (reply ? shapesOf(reply) : []))
    .flatMap((shape) => {
      const items = ITEM_MEMBERS.flatMap((name) => shape.members?.get(name)?.shapes ?? []);
      return items.length > 0 ? items.flatMap((list) => list.items ?? []) : [shape];
    });
}

function withoutNames(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

/** A request with unknown names. */
export interface UnknownNames {
  readonly route: Route;
  readonly ctx: AnyContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly found: readonly UnknownName[];
}

/**
 * Reads the input of a request with unknown names and lists those that are ignored in the `Warning` header.
 * @throws AppError 400 with the area's code if one of them is refused; its issues name the other faults as well.
 */
export async function readDespiteUnknown(
  { route, ctx, request, reply, found }: UnknownNames,
  readInput: () => RouteInput,
): Promise<RouteInput> {
  const unknown = await withoutStored(route, ctx, found, readInput);
  const isStrict = wantsStrict(request) || !isSpecified(route);
  const refused = unknown.filter((each) => isStrict || isInDefinition(route, each));
  const ignored = unknown.filter((each) => !refused.includes(each));
  if (ignored.length > 0) reply.header('warning', warningOf(ignored));
  if (refused.length === 0) return readInput();
  const issues = refused.map((each) => ({ field: pathOf(each), message: describeUnknown(each) }));
  throw new AppError(route.invalid ?? INVALID_REQUEST, { issues: [...issues, ...issuesOf(readInput)] });
}

/** Returns true if the client asks to refuse what would be ignored (RFC 7240). */
export function wantsStrict({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const prefer = headers.prefer;
  return prefer !== undefined && /(?:^|[,;])\s*handling\s*=\s*"?strict"?\s*(?:$|[,;])/i.test(String(prefer));
}

/** Removes members that repeat the stored value at the same place, as an update may contain them. */
async function withoutStored(
  { updates }: Route,
  ctx: AnyContext,
  found: readonly UnknownName[],
  readInput: () => RouteInput,
): Promise<readonly UnknownName[]> {
  if (!updates?.current || found.every(({ kind }) => kind === 'parameter')) return found;
  const current = await updates.current(ctx, readInput()).catch((error: unknown) => {
    if (error instanceof AppError && error.definition.status === 404) return null;
    throw error;
  });
  return found.filter(({ kind, path }) => kind === 'parameter' || !isStored(current, path));
}

function isStored(record: unknown, path: readonly (string | number)[]): boolean {
  let value = record;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false;
    value = Reflect.get(value, step);
  }
  return true;
}

function isInDefinition({ definitions = [] }: Route, { path }: UnknownName): boolean {
  return path.length > 1 && definitions.some((name) => name === path[0]);
}

/** Returns the faults that reading the input finds. */
function issuesOf(readInput: () => RouteInput): readonly Issue[] {
  try {
    readInput();
    return [];
  } catch (error) {
    if (error instanceof AppError) return error.issues ?? [];
    throw error;
  }
}
