/** The parts of which the routes of a resource are made. */
import Type from 'typebox';
import type { ErrorDefinition } from '../errors/app-error.ts';
import {
  BUSINESS_UNIT_REQUIRED,
  FORBIDDEN,
  IMMUTABLE_FIELD,
  OWNER_IMMUTABLE,
  VERSION_CONFLICT,
} from '../errors/platform-errors.ts';
import type { ErrorEnvelope } from '../http/error-shapes.ts';
import type { RateLimit } from '../http/route.ts';
import { keyOf } from './keys.ts';
import { isOwned, type Resource } from './resource.ts';

/** What the routes of one resource have in common. */
export interface RouteFamily {
  /** `/api/form_themes`; the routes are made below it. A parent's key stands in it: `/api/pages/{project_id}/redirects`. */
  readonly path: string;
  /** First part of the operation ids. */
  readonly id: string;
  readonly tag: string;
  /** The record in a sentence: `form theme`. */
  readonly noun: string;
  readonly envelope?: ErrorEnvelope;
  /** The code of a malformed request; INVALID_REQUEST unless the area has its own. */
  readonly invalid?: ErrorDefinition;
  readonly limits?: Readonly<Record<'read' | 'write' | 'delete', RateLimit>>;
  /** A replace answers `{success, <key>}` instead of `{<key>}`. */
  readonly saysSuccess?: true;
}

/** What one route says beyond what its kind says. */
export interface RouteWords {
  readonly summary?: string;
  readonly description?: string;
  /** Errors of the resource's own rules. */
  readonly errors?: readonly ErrorDefinition[];
}

/** Errors of a create by the rules of ownership. */
export function createErrors(resource: Resource): ErrorDefinition[] {
  return namesOwner(resource) ? [FORBIDDEN, BUSINESS_UNIT_REQUIRED] : [FORBIDDEN];
}

/** Whether bodies may name the unit that owns the record. */
function namesOwner(resource: Resource): boolean {
  return isOwned(resource) && !resource.ownedByParent;
}

/** Errors of a replace by the rules of ownership and locking. */
export function replaceErrors(resource: Resource): ErrorDefinition[] {
  const isSetOnce = Object.values(resource.fields).some(
    (field) => field.kind !== 'constant' && field.writes === 'once',
  );
  return [
    FORBIDDEN,
    ...(namesOwner(resource) ? [OWNER_IMMUTABLE] : []),
    ...(isSetOnce ? [IMMUTABLE_FIELD] : []),
    VERSION_CONFLICT,
  ];
}

/** The facts of a route that its family and its own words give. */
export function common(
  { tag, envelope, invalid, limits }: RouteFamily,
  kind: 'read' | 'write' | 'delete',
  { description, summary }: RouteWords,
  usualSummary: string,
) {
  return {
    tag,
    summary: summary ?? usualSummary,
    ...(description === undefined ? {} : { description }),
    ...(envelope ? { envelope } : {}),
    ...(invalid ? { invalid } : {}),
    ...(limits ? { rateLimit: limits[kind] } : {}),
  };
}

/** `a form`, `an e-mail`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** The schema of the parameters that a path names, if it names any: without, the route is on no record's path. */
export function parametersOf(path: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return {};
  return { params: Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))) };
}

/** The path of one record; of what there is only one, the family's. */
export function recordPath({ key }: Resource, { path }: RouteFamily): string {
  const last = key.columns.at(-1);
  return last === undefined || key.suffix !== undefined ? path : `${path}/{${last}}`;
}

/** The parts of a record's key that the path gives. */
export function keyFrom({ key }: Resource, params: object): string[] {
  const given = new Map<string, unknown>(Object.entries(params));
  return key.columns.flatMap((column) => (given.has(column) ? [String(given.get(column))] : []));
}

/** The field under which answers give a record's key. */
export function keyName({ key }: Resource): string {
  return key.suffix === undefined ? (key.columns.at(-1) ?? 'id') : 'id';
}

/** The schema of an answer that gives a record's key. */
export function keyReply(resource: Resource, saysSuccess = false) {
  const key = { [keyName(resource)]: Type.String() };
  return Type.Unsafe<Readonly<Record<string, string | boolean>>>(
    Type.Object(saysSuccess ? { success: Type.Boolean(), ...key } : key),
  );
}

/** The answer that gives a record's key. */
export function toKeyReply(resource: Resource, row: object): Record<string, string> {
  return { [keyName(resource)]: resource.key.suffix ?? keyOf(resource, row).at(-1) ?? '' };
}

/** What a checked body says of owner and version, as the record functions take it. */
export function optionsOf(resource: Resource, body: unknown): { businessUnit?: string; version?: number } {
  if (typeof body !== 'object' || body === null) return {};
  const named = namesOwner(resource) && 'business_unit' in body && body.business_unit;
  const unit = typeof named === 'string' ? named : null;
  const version =
    resource.isVersioned && 'version' in body && typeof body.version === 'number' ? body.version : null;
  return { ...(unit === null ? {} : { businessUnit: unit }), ...(version === null ? {} : { version }) };
}
