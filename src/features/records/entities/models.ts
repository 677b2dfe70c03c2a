/** Entity models: definitions compiled for reading and writing records. */
import { schemaOf } from '../../../db/tenant-schemas.ts';
import { writtenMember } from '../../../db/written-json.ts';
import type { ScopedTable } from '../../../tenancy/scoped-tables.ts';
import { columnOf, constraintName, stagedPrefix, stagedPrefixOf, totalsTableOf } from './names.ts';
import type { Definition, Field, FieldType, Workflow as WorkflowDefinition } from './schema.ts';
import type { StoredField } from './stored-field.ts';
import { readerOf, type ValueRules } from './values.ts';

/** A relation that `include` can load. */
export interface Relation {
  readonly name: string;
  readonly kind: 'belongs_to' | 'has_many';
  /** The entity of the related records. */
  readonly entity: string;
  /** Own column for `belongs_to`; for `has_many` the other entity's column that refers to this one. */
  readonly column: string;
}

/** States of records, and transitions between them. */
export interface Workflow {
  /** Stored field that contains the state. */
  readonly field: string;
  readonly initial: string;
  readonly states: readonly string[];
  readonly transitions: readonly { readonly from: string; readonly to: string }[];
  readonly ownerField: string | null;
}

/** A compiled definition. */
export interface EntityModel {
  readonly name: string;
  /** `schema.table`, the name in scoped statements. */
  readonly table: string;
  /** Table with the number of records, per unit if units own them. */
  readonly totals: string;
  /** Tables of all entities of the tenant. Scoped statements use this map while a model that contains it is cached. */
  readonly tables: ReadonlyMap<string, ScopedTable>;
  readonly ownedBy: 'tenant' | 'business_unit';
  /** By stored name, in the order of the definition. */
  readonly fields: ReadonlyMap<string, StoredField>;
  readonly relations: ReadonlyMap<string, Relation>;
  readonly workflow: Workflow | null;
  /** Returns the field of a violated constraint or index, including staged ones. */
  fieldOfConstraint(name: string): StoredField | null;
}

/** All entities of a tenant at one revision. */
export interface EntityModels {
  readonly revision: number;
  get(entity: string): EntityModel | undefined;
  all(): readonly EntityModel[];
}

/** Rules that a table enforces for a field, each as a constraint or an index. */
export const RULES = ['unique', 'index', 'enum', 'min', 'max', 'refers'] as const;

/** Maximum length of a text that PostgreSQL can index. */
export const MAX_INDEXED_CHARS = 500;

/** Returns true if values are texts, so that `min` and `max` limit their lengths. */
export function isText(type: FieldType): boolean {
  return type === 'string' || type === 'text' || type === 'enum';
}

/** Returns the name under which a field is stored; null if it has no column. */
export function storedNameOf({ name, type, relation }: Field): string | null {
  if (type !== 'relation') return name;
  return relation?.kind === 'belongs_to' ? `${name}_id` : null;
}

/** Returns the stored fields of a definition, in its order. */
export function storedFieldsOf({ fields, workflow }: Omit<Definition, 'name' | 'owned_by'>): StoredField[] {
  return fields.flatMap((field) => {
    const name = storedNameOf(field);
    if (name === null) return [];
    const isState = workflow?.field === field.name;
    const rules = valueRulesOf(field, isState);
    return [
      {
        ...rules,
        name,
        column: columnOf(name, field.pattern ?? null),
        type: field.type,
        required: field.required === true,
        unique: field.unique === true,
        indexed: isIndexed(field, isState),
        searchable: field.searchable === true,
        default: isState ? workflow?.initial : defaultOf(field, rules),
        enum: isState ? (workflow?.states ?? null) : rules.enum,
      },
    ];
  });
}

/** Returns the rules for the values of a field. `isState`: the field contains the state of a workflow. */
export function valueRulesOf(field: Field, isState: boolean): ValueRules {
  const { type } = field;
  const isBound = isText(type) && type !== 'enum' && (field.unique === true || isIndexed(field, isState));
  return {
    type,
    enum: field.enum ?? null,
    min: field.min ?? null,
    max: field.max ?? (isBound ? MAX_INDEXED_CHARS : null),
    pattern: field.pattern ?? null,
    refersTo: field.relation?.entity ?? null,
  };
}

function isIndexed({ indexed, type }: Field, isState: boolean): boolean {
  return indexed === true || type === 'relation' || isState;
}

function defaultOf(field: Field, rules: ValueRules): unknown {
  const { default: value, type } = field;
  if (value === undefined || value === null) return undefined;
  const read = readerOf(rules)(value);
  if (!('value' in read)) throw new Error('A definition has a default that was not checked.');
  return type === 'json' ? writtenMember(field, 'default') : read.value;
}

/** Compiles all definitions of a tenant. */
export function compileModels(
  tenantId: string,
  revision: number,
  definitions: readonly Definition[],
): EntityModels {
  const tables = new Map([
    ...definitions.map(({ name, owned_by }) => [name, SCOPED_TABLES[owned_by]] as const),
    ...OWNERS.map((owned_by) => [totalsTableOf({ owned_by }), SCOPED_TABLES[owned_by]] as const),
  ]);
  const models = new Map(definitions.map((each) => [each.name, compileModel(tenantId, each, tables)]));
  return { revision, get: (entity) => models.get(entity), all: () => [...models.values()] };
}

const OWNERS = ['tenant', 'business_unit'] as const;

/** Properties of the tables that table-sql.ts creates. */
const SCOPED_TABLES: Readonly<Record<Definition['owned_by'], ScopedTable>> = {
  tenant: { has_tenant: true, is_owned: false, is_shareable: false },
  business_unit: { has_tenant: true, is_owned: true, is_shareable: false },
};

function compileModel(
  tenantId: string,
  definition: Definition,
  tables: ReadonlyMap<string, ScopedTable>,
): EntityModel {
  const stored = storedFieldsOf(definition);
  return {
    name: definition.name,
    table: `${schemaOf(tenantId)}.${definition.name}`,
    totals: `${schemaOf(tenantId)}.${totalsTableOf(definition)}`,
    tables,
    ownedBy: definition.owned_by,
    fields: new Map(stored.map((field) => [field.name, field])),
    relations: new Map(definition.fields.flatMap(relationOf)),
    workflow: workflowOf(definition.workflow),
    fieldOfConstraint: constraintFinder(definition.name, stored),
  };
}

/** Computes constraint names only after a violation: storing them would take most of a model's memory. */
function constraintFinder(
  entity: string,
  fields: readonly StoredField[],
): (name: string) => StoredField | null {
  const namesOf = ({ name }: StoredField) => RULES.map((rule) => constraintName(entity, name, rule));
  return (name) =>
    fields.find(
      (field) => namesOf(field).includes(name) || stagedPrefix(entity, field.name) === stagedPrefixOf(name),
    ) ?? null;
}

function relationOf(field: Field): [string, Relation][] {
  const { name, relation } = field;
  if (relation === undefined) return [];
  const { kind, entity } = relation;
  const storedName = kind === 'belongs_to' ? `${name}_id` : `${relation.field}_id`;
  return [[name, { name, kind, entity, column: columnOf(storedName) }]];
}

function workflowOf(workflow: WorkflowDefinition | null): Workflow | null {
  if (workflow === null) return null;
  const { field, initial, states, transitions, owner_field } = workflow;
  return { field, initial, states, transitions, ownerField: owner_field ?? null };
}
