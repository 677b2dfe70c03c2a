/** The tables of all tenants' entities, for whoever takes a database along as a whole: backup and restore. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely';
import { Compile } from 'typebox/compile';
import type { DependentTables, SqlExecutor } from '../../backup/tables.ts';
import { isTenantSchema, schemaOf } from '../../db/tenant-schemas.ts';
import { STAGED } from './names.ts';
import { factsOf, type Plan, planChange } from './plan.ts';
import { Definition } from './schema.ts';
import { schemaStatements, statementsOf, type TablePlace } from './table-sql.ts';

const definitions = Compile(Definition);

/** Writes statements out; nothing is run by it. */
const writer = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** The tables of entities, which follow from the definitions. */
export const entityTables: DependentTables = {
  areIn: isTenantSchema('n.nspname'),
  isComing: `starts_with(a.attname::text, '${STAGED}')`,
  // Whoever changes a definition counts that first. A database of an older version has none.
  findHold: async (client) =>
    (await hasTable(client, 'entity_revisions')) ? 'lock table entity_revisions in share mode' : null,
  make: async (client) => {
    for (const { place, plan } of await listPlans(client))
      await run(client, [...schemaStatements(place.schema), ...statementsOf(place, plan.reshape)]);
  },
  finish: async (client) => {
    for (const { place, plan } of await listPlans(client))
      await run(client, statementsOf(place, plan.constrain));
  },
};

async function run(client: SqlExecutor, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const statement of statements) await client.query(statement.compile(writer).sql);
}

async function listPlans(client: SqlExecutor): Promise<{ place: TablePlace; plan: Plan }[]> {
  if (!(await hasTable(client, 'entities'))) return [];
  const { rows } = await client.query(
    'select tenant_id, name, owned_by, fields, workflow from entities order by tenant_id, name',
  );
  return rows.map((row) => {
    const tenantId = String(row.tenant_id);
    if (!definitions.Check(row)) throw new Error(`${String(row.name)} is no definition of an entity.`);
    return {
      place: { schema: schemaOf(tenantId), entity: row.name },
      plan: planChange(null, factsOf(row)),
    };
  });
}

async function hasTable(client: SqlExecutor, name: string): Promise<boolean> {
  const { rows } = await client.query('select to_regclass($1) is not null as is_there', [`public.${name}`]);
  return rows[0]?.is_there === true;
}
