/** Tables of all tenants' entities, for backup and restore of the whole database. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely';
import { Compile } from 'typebox/compile';
import type { DependentTables } from '../../../backup/tables.ts';
import { isTenantSchema, schemaOf } from '../../../db/tenant-schemas.ts';
import { STAGED } from './names.ts';
import { planChange, tableDefinitionOf } from './plan.ts';
import { Definition } from './schema.ts';
import { schemaStatements, statementsOf } from './table-sql.ts';

const definitions = Compile(Definition);

/** Only compiles statements; it runs none. */
const writer = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Tables of entities, which are derived from the definitions. */
export const entityTables: DependentTables = {
  isInSchema: isTenantSchema('n.nspname'),
  isBeingAdded: `starts_with(a.attname::text, '${STAGED}')`,
  // Every change of a definition raises a revision first.
  lock: 'lock table entity_revisions in share mode',
  listOwners: async (client) => {
    const { rows } = await client.query('select distinct tenant_id from entities order by tenant_id');
    return rows.map(({ tenant_id }) => String(tenant_id));
  },
  planOf: async (client, tenantId) => {
    const schema = schemaOf(tenantId);
    const { rows } = await client.query(
      'select name, owned_by, fields, workflow from entities where tenant_id = $1 order by name',
      [tenantId],
    );
    const all = rows.map((row) => {
      if (!definitions.Check(row)) throw new Error(`${String(row.name)} is not a valid entity definition.`);
      return { table: { schema, entity: row.name }, ...planChange(null, tableDefinitionOf(row)) };
    });
    return {
      create: [
        written(schemaStatements(schema, false)),
        ...all.map(({ table, reshape }) => written(statementsOf(table, reshape))),
      ],
      finish: all.flatMap(({ table, constrain }) =>
        constrain.length === 0 ? [] : [written(statementsOf(table, constrain))],
      ),
    };
  },
};

function written(statements: readonly RawBuilder<unknown>[]): string {
  return statements.map((statement) => statement.compile(writer).sql).join(';\n');
}
