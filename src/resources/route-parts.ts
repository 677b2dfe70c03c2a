/** Parts of a resource's routes. */
import Type from 'typebox';
import type { ErrorDefinition, Issue } from '../errors/app-error.ts';
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

/** The common properties of a resource's routes. */
export interface RouteFamily {
  /** `/api/form_themes`, the base path. It may contain a parent's key: `/api/pages/{project_id}/redirects`. */
  readonly path: string;
  /** First part of the operation ids. */
  readonly id: string;
  readonly tag: string;
  /** The record's name in sentences: `form theme`. */
  readonly noun: string;
  readonly envelope?: ErrorEnvelope;
  /** The code of a malformed request; INVALID_REQUEST unless the area has its own. */
  readonly invalid?: ErrorDefinition;
  /** The largest body of a create or replace, in bytes, if over the usual 1 MiB. */
  readonly maxBodyBytes?: number;
  readonly limits?: Readonly<Record<'read' | 'write' | 'delete', RateLimit>>;
  /** A replace returns `{success, <key>}` instead of `{<key>}`, or only `{success}`. */
  readonly saysSuccess?: true | 'alone';
}

/** The texts and errors of one route. */
export interface RouteTexts {
  readonly summary?: string;
  readonly description?: string;
  /** Errors of the resource's own rules. */
  readonly errors?: readonly ErrorDefinition[];
}

/** Method, access and verb of each kind of route. */
const KINDS = {
  create: { method: 'POST', access: 'editor', limit: 'write', verb: 'Creates' },
  list: { method: 'POST', access: 'member', limit: 'read', verb: 'Lists' },
  get: { method: 'GET', access: 'member', limit: 'read', verb: 'Reads' },
  replace: { method: 'PUT', access: 'editor', limit: 'write', verb: 'Updates' },
  delete: { method: 'DELETE', access: 'admin', limit: 'delete', verb: 'Deletes' },
} as const;

/** Returns the properties of a route from its kind, family and texts. */
export function routeProperties<const K extends keyof typeof KINDS>(
  kind: K,
  resource: Resource,
  family: RouteFamily,
  texts: RouteTexts,
) {
  const { method, access, limit, verb }: (typeof KINDS)[K] = KINDS[kind];
  const { id, noun, tag, envelope, invalid, maxBodyBytes, limits } = family;
  const object =
    kind === 'list'
      ? `${noun}${noun.endsWith('x') ? 'es' : 's'}, newest first`
      : `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
  const path = pathOf(kind, resource, family);
  return {
    id: `${id}.${kind}`,
    method,
    path,
    summary: texts.summary ?? `${verb} ${object}${kind === 'delete' ? '; its history stays readable' : ''}`,
    ...(texts.description === undefined ? {} : { description: texts.description }),
    tag,
    access,
    errors: [...errorsOf(kind, resource), ...(texts.errors ?? [])],
    ...(envelope && { envelope }),
    // Invalid list requests have one code in every area (docs/specification/conventions.md#filters).
    ...(invalid && kind !== 'list' && { invalid }),
    ...(maxBodyBytes !== undefined && ['create', 'replace'].includes(kind) && { maxBodyBytes }),
    ...(limits && { rateLimit: limits[limit] }),
    ...parametersOf(path),
  };
}

/** Returns the path of a route. A resource with a single record uses the family's path itself. */
function pathOf(kind: keyof typeof KINDS, { key }: Resource, { path }: RouteFamily): string {
  if (kind === 'list') return `${path}/list`;
  const last = key.columns.at(-1);
  return kind === 'create' || last === undefined || key.suffix !== undefined ? path : `${path}/{${last}}`;
}

/** Returns the property `params` of a route, if its path has parameters. */
function parametersOf(path: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return {};
  return { params: Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))) };
}

function errorsOf(kind: keyof typeof KINDS, resource: Resource): readonly ErrorDefinition[] {
  if (kind === 'list') return [];
  if (kind === 'create') return createErrors(resource);
  if (kind === 'get') return [resource.notFound];
  if (kind === 'delete') return [resource.notFound, FORBIDDEN];
  const isSetOnce = Object.values(resource.fields).some(
    (field) => field.kind !== 'constant' && field.writes === 'once',
  );
  return [
    resource.notFound,
    FORBIDDEN,
    ...(namesOwner(resource) ? [OWNER_IMMUTABLE] : []),
    ...(isSetOnce ? [IMMUTABLE_FIELD] : []),
    VERSION_CONFLICT,
  ];
}

/** Errors of a create by the rules of ownership. */
export function createErrors(resource: Resource): ErrorDefinition[] {
  return namesOwner(resource) ? [FORBIDDEN, BUSINESS_UNIT_REQUIRED] : [FORBIDDEN];
}

/** Returns true if bodies may contain the owning unit. */
function namesOwner(resource: Resource): boolean {
  return isOwned(resource) && !resource.ownedByParent;
}

/** Returns the parts of a record's key in the path. */
export function keyFrom({ key }: Resource, params: object): string[] {
  const members = new Map<string, unknown>(Object.entries(params));
  return key.columns.flatMap((column) => (members.has(column) ? [String(members.get(column))] : []));
}

/** A remark about an accepted value. */
const Warning = Type.Object({ field: Type.String(), message: Type.String() }, { title: 'Warning' });

/** The member `warnings` of responses to writes. */
export const warningsOption = Type.Optional(
  Type.Array(Warning, {
    description: 'Absent if there are none.',
  }),
);

/**
 * Returns the response of a write and its schema: the record's key, `success` for replaces that report it, and warnings
 * if there can be any.
 */
export function keyReply(
  { key }: Resource,
  saysSuccess: RouteFamily['saysSuccess'] | false = false,
  warns = false,
) {
  const name = key.suffix === undefined ? (key.columns.at(-1) ?? 'id') : 'id';
  const members = saysSuccess === 'alone' ? {} : { [name]: Type.String() };
  return {
    schema: Type.Unsafe<Readonly<Record<string, string | boolean | readonly Issue[]>>>(
      Type.Object(
        {
          ...(saysSuccess ? { success: Type.Boolean() } : {}),
          ...members,
          ...(warns ? { warnings: warningsOption } : {}),
        },
        { title: keyReplyTitle(saysSuccess === 'alone' ? '' : name, saysSuccess !== false, warns) },
      ),
    ),
    of: (row: object, warnings: readonly Issue[] = []) => ({
      ...(saysSuccess ? { success: true } : {}),
      ...(saysSuccess === 'alone' ? {} : { [name]: key.suffix ?? keyOf({ key }, row).at(-1) ?? '' }),
      ...warned(warnings),
    }),
    warned,
  };
}

/** `IdReply`, `SuccessCodeReply`, `IdReplyWithWarnings`. */
function keyReplyTitle(name: string, saysSuccess: boolean, warns: boolean): string {
  const texts = ['', ...(saysSuccess ? ['success'] : []), ...name.split('_')].filter((word) => word !== '');
  const title = texts.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
  return `${title}Reply${warns ? 'WithWarnings' : ''}`;
}

function warned(warnings: readonly Issue[]): object {
  return warnings.length > 0 ? { warnings } : {};
}

/** The owner and version in a checked body, as options of the record functions. */
export function optionsOf(resource: Resource, body: unknown): { businessUnit?: string; version?: number } {
  if (typeof body !== 'object' || body === null) return {};
  const members: ReadonlyMap<string, unknown> = new Map(Object.entries(body));
  const named = namesOwner(resource) && members.get(resource.ownerName);
  const unit = typeof named === 'string' ? named : null;
  const version =
    resource.isVersioned && 'version' in body && typeof body.version === 'number' ? body.version : null;
  return { ...(unit === null ? {} : { businessUnit: unit }), ...(version === null ? {} : { version }) };
}
