/** Usage of a record: the records that refer to it, also inactive ones, which do not prevent its deletion. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import Type, { type Static } from 'typebox';
import { NOT_FOUND } from '../errors/platform-errors.ts';
import { defineRoute, type Route } from '../http/route.ts';
import type { Platform } from '../platform.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { EntityTypeName } from './entity-types.ts';
import { requireTenantReader } from './ownership.ts';
import { getRecord } from './records.ts';
import type { Resource } from './resource.ts';
import { keyFrom, type RouteFamily } from './route-parts.ts';

/** Maximum number of records of one kind in a reply. */
export const MAX_USAGE = 100;

const UsingRecord = Type.Object(
  {
    entity_type: EntityTypeName,
    key: Type.String({ description: 'Its key in history.' }),
    title: Type.String(),
    is_active: Type.Boolean({ description: 'True if it takes effect now, such as an active form.' }),
  },
  { title: 'UsingRecord' },
);
/** A record that refers to another one. */
export type UsingRecord = Static<typeof UsingRecord>;

const Usage = Type.Object({ results: Type.Array(UsingRecord) }, { title: 'Usage' });

/** Finds the records of one kind that refer to a record: those that the scope reads, at most `MAX_USAGE`. */
export type FindUsage = (db: ScopedDb, id: string) => Promise<readonly UsingRecord[]>;

/** Returns SQL that is true if a JSON column contains an id, at any depth. */
export function mentions(column: string, id: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`position(${id.toLowerCase()} in lower(${sql.ref(column)}::text)) > 0`;
}

/** `GET <path>/{id}/usage`: the records that the finders return, kind by kind. */
export function usageRoute(
  resource: Resource,
  family: RouteFamily,
  findersOf: (platform: Platform) => readonly FindUsage[],
): Route {
  return defineRoute({
    id: `${family.id}.usage`,
    method: 'GET',
    path: `${family.path}/{id}/usage`,
    tag: family.tag,
    access: 'member',
    summary: `Lists the records that use ${family.noun.match(/^[aeiou]/) ? 'an' : 'a'} ${family.noun}`,
    description: `Those that the caller can see, at most ${MAX_USAGE} of each kind.`,
    errors: [NOT_FOUND],
    params: Type.Object({ id: Type.String() }),
    reply: Usage,
    handler: async ({ caller, db, platform }, { params }) => {
      requireTenantReader(caller, resource);
      await getRecord(db, resource, keyFrom(resource, params));
      const results: UsingRecord[] = [];
      for (const find of findersOf(platform)) results.push(...(await find(db, params.id)));
      return { results };
    },
  });
}
