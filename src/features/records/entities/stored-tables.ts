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

/** Compiles statements to SQL text; it has no connection. */
const compiler = new Kysely<unknown>({
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
  // Blocks changes of definitions: each one raises the revision first.
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
        compileScript(schemaStatements(schema)),
        ...all.map(({ table, reshape }) => compileScript(statementsOf(table, reshape))),
      ],
      finish: all.flatMap(({ table, constrain }) =>
        constrain.length === 0 ? [] : [compileScript(statementsOf(table, constrain))],
      ),
    };
  },
};

function compileScript(statements: readonly RawBuilder<unknown>[]): string {
  return statements.map((statement) => statement.compile(compiler).sql).join(';\n');
}
