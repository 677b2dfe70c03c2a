import { type RawBuilder, sql } from 'kysely';
import { schemaOf } from '../../../db/tenant-schemas.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** The table of an entity: the tenant's schema, and the entity, whose name the table has. */
export interface EntityTable {
  readonly schema: string;
  readonly entity: string;
}

/** Returns the table of an entity. */
export function entityTableOf({ tenantId }: ScopedDb, entity: string): EntityTable {
  return { schema: schemaOf(tenantId), entity };
}

/** Returns the quoted name of a table. */
export function tableSql({ schema, entity }: EntityTable): RawBuilder<unknown> {
  return sql.id(schema, entity);
}
