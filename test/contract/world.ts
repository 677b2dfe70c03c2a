/** The examples of all features: a record of every kind, and a valid request to every route. */
import { randomBytes } from 'node:crypto';
import { features } from '../../src/features/index.ts';
import {
  type Example,
  type ExampleRecord,
  type NameOf,
  resolve,
  type Unique,
} from '../../src/http/examples.ts';
import type { Route } from '../../src/http/route.ts';
import type { TestTenant } from '../harness/test-app.ts';
import type { World } from './record-maker.ts';
import { MAKERS } from './records/index.ts';
import { clientsOf, ownerOf, targetOf } from './route-calls.ts';

export type { NameOf } from '../../src/http/examples.ts';

/** A request to a route. */
export interface RouteRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The credential of a surface that has one of its own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a route that reads it as a stream. */
  readonly upload?: { readonly type: string; readonly text: string };
}

/** Every route that clients can call, in the order of the features. */
export const allRoutes: readonly Route[] = features.flatMap((feature) => [...feature.routes]);

/** Names of the changed features, which the runner sets for `npm run test:changed`; undefined for all features. */
const changedFeatures = process.env.TESSERA_TEST_FEATURES?.split(',');
/** False if tests call only the routes of changed features, so that some groups of routes may be empty. */
export const callsEveryRoute = changedFeatures === undefined;
/** The features whose routes tests call. */
export const calledFeatures = features.filter(({ name }) => changedFeatures?.includes(name) ?? true);
/** The routes of {@link calledFeatures}. */
export const calledRoutes: readonly Route[] = calledFeatures.flatMap((feature) => [...feature.routes]);

const examples = features.flatMap(({ examples: own = [] }) => own);
const requests = new Map(examples.flatMap((each) => Object.entries(each.requests)));
const declared = new Map(examples.flatMap(({ records = {} }) => Object.entries(records)));
const recordsByPath = new Map(
  [...declared].flatMap(([name, { path = [] }]) =>
    [path].flat().map((each) => [anonymous(each), name] as const),
  ),
);

/** Names of all records that {@link createWorld} creates. */
export const allRecords: readonly string[] = [...new Set([...declared.keys(), ...Object.keys(MAKERS)])];

/** Returns the names of the records that the example requests to these routes name. */
export function recordsOf(routes: readonly Route[]): string[] {
  const named = routes.flatMap((route) => [...recordsIn((name) => requestTo(route, name))]);
  return [...new Set(named)];
}

/**
 * Returns the names of the records for tests that call {@link calledRoutes}: all, or those of the changed features and
 * `others`.
 */
export function recordsOfCalled(...others: readonly string[]): readonly string[] {
  if (callsEveryRoute) return allRecords;
  const own = calledFeatures.flatMap(({ examples }) => Object.keys(examples?.records ?? {}));
  return [...new Set([...own, ...recordsOf(calledRoutes), ...others])];
}

/**
 * Creates one record of each of these kinds in the tenant, and the records that they need. Returns a function that
 * returns their names.
 */
export async function createWorld(
  tenant: TestTenant,
  receiverUrl: string,
  records: readonly string[] = allRecords,
): Promise<NameOf> {
  const names = new Map<string, Promise<string>>();
  const known = new Map<string, string>();
  const nameOf = (record: string): string => {
    const name = known.get(record);
    if (name === undefined) throw new Error(`No record is called ${record}: see records of an examples.ts`);
    return name;
  };
  const record = (name: string): Promise<string> => {
    const existing = names.get(name) ?? make(name);
    names.set(name, existing);
    return existing;
  };
  /** Computes a part of a request once the records that it names exist. */
  const withRecords = async <T>(part: (name: NameOf) => T, own?: string): Promise<T> => {
    for (const name of recordsIn(part)) if (name !== own) await record(name);
    // A PUT names the record that it creates.
    const newName = unique((own && declared.get(own)?.shown) ?? 'new');
    return part((name) => (name === own ? newName : nameOf(name)));
  };
  const world: World = {
    tenant,
    receiverUrl,
    record,
    body: async (id) => ({ ...(await withRecords((name) => bodyOf(routeOf(id), name))) }),
  };
  const make = async (name: string): Promise<string> => {
    const existing = await (MAKERS[name]?.(world) ?? createByExample(name));
    known.set(name, existing);
    return existing;
  };
  const owner = await ownerOf(tenant);
  const clientOf = clientsOf({ anonymous: tenant.api, admin: tenant.operator }, owner);
  const createByExample = async (kind: string): Promise<string> => {
    const { createdBy = '', with: changes = {}, path } = declared.get(kind) ?? {};
    const route = routeOf(createdBy);
    const request = await withRecords((name) => requestTo(route, name), kind);
    const body = { ...request.body, ...resolve(changes, nameOf, unique) };
    const answer = await clientOf(route).send(route.method, targetOf(route, request), { body });
    if (answer.status !== 200) throw new Error(`${createdBy} answered ${answer.status}: ${answer.text}`);
    return answer.body[keyOf(path, createdBy)];
  };
  for (const name of records) await record(name);
  return nameOf;
}

/** Returns names of the same form that do not exist. */
export function absentNames(present: NameOf): NameOf {
  const names = new Map<string, string>();
  return (record) => {
    const name = names.get(record) ?? declared.get(record)?.absent?.() ?? present(record);
    names.set(record, name);
    return name;
  };
}

/** Returns the example request to a route, with these names. */
export function requestTo(route: Route, name: NameOf): RouteRequest {
  const example = requests.get(route.patches ?? route.id) ?? {};
  const own = <T extends object>(part: Example<T> | undefined) => part && resolve(part, name, unique);
  const params = { ...paramsOf(route, name), ...own(example.params) };
  const query = { ...pageOf(route), ...own(example.query) };
  const body = bodyOf(route, name);
  const upload = own(example.upload);
  const headers = own(example.headers);
  return {
    ...(route.params ? { params } : {}),
    ...(Object.keys(query).length > 0 ? { query } : {}),
    ...(body ? { body } : {}),
    ...(upload ? { upload } : {}),
    ...(headers ? { headers } : {}),
  };
}

/** True if the example request names a record whose name is secret. */
export function namesSecret(route: Route): boolean {
  return [...recordsIn((name) => requestTo(route, name))].some((record) => declared.get(record)?.absent);
}

function bodyOf(route: Route, name: NameOf): object | undefined {
  const { body } = requests.get(route.patches ?? route.id) ?? {};
  const own = body ? resolve(body, name, unique) : route.filters && listOfUnit(route, name);
  return own && { ...own, ...unitOf(route, name) };
}

/** Returns the parameters of a route that have no example. */
export function missingParams(route: Route): string[] {
  const ownParams = requestTo(route, (record) => record).params ?? {};
  return Object.keys(route.params?.properties ?? {}).filter((param) => ownParams[param] === undefined);
}

/** Returns the names of the records that a part of a request names. */
function recordsIn(part: (name: NameOf) => unknown): ReadonlySet<string> {
  const found = new Set<string>();
  part((record) => {
    found.add(record);
    return record;
  });
  return found;
}

/** Returns the parameters that follow from the paths of records. */
function paramsOf({ path }: Route, name: NameOf): Record<string, string> {
  const found = [...path.matchAll(/\{(\w+)\}/g)].flatMap(({ 0: param, 1: key = '', index }) => {
    const record = recordsByPath.get(anonymous(path.slice(0, index + param.length)));
    return record === undefined ? [] : [[key, record] as const];
  });
  return Object.fromEntries(found.map(([key, record]) => [key, name(record)]));
}

/** Returns the first page of a list whose query has pages. */
function pageOf({ query }: Route): Record<string, string> {
  const { page, limit } = query?.properties ?? {};
  return page && limit ? { page: '1', limit: '10' } : {};
}

/** Filters a list by the unit of the records. */
function listOfUnit({ filters }: Route, name: NameOf): object {
  const own = filters?.fields.business_unit && { business_unit: { operation: 'eq', value: name('unit') } };
  return { page: 1, limit: 10, filters: { ...own } };
}

/** Returns the unit that owns a written record. */
function unitOf({ body }: Route, name: NameOf): object {
  const properties: object = Object(body && 'properties' in body ? body.properties : {});
  return Object.fromEntries(
    ['business_unit', 'business_unit_id'].flatMap((key) => (key in properties ? [[key, name('unit')]] : [])),
  );
}

/** Makes a text unique without changing its form. */
const unique: Unique = (text) => {
  const suffix = randomBytes(4).toString('hex');
  const own = /[a-z]/.test(text) ? suffix : suffix.toUpperCase();
  return text.replace(/(?=[@.])|$/, own);
};

function anonymous(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

function routeOf(id: string): Route {
  const route = allRoutes.find((each) => each.id === id);
  if (!route) throw new Error(`There is no operation ${id || 'that creates the record, nor a maker of it'}`);
  return route;
}

/**
 * Returns the member of the response that names the record: the last parameter of its path or of the created record's.
 */
function keyOf(path: ExampleRecord['path'], createdBy: string): string {
  const [own] = [path ?? []].flat();
  const [like] = [...declared.values()].flatMap((each) =>
    each.createdBy === createdBy ? (each.path ?? []) : [],
  );
  return /\{(\w+)\}$/.exec(own ?? like ?? '')?.[1] ?? 'id';
}
