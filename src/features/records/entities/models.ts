/** What records are made by: definitions with everything worked out that follows from them. */
import { schemaOf } from '../../../db/tenant-schemas.ts';
import type { ScopedTable } from '../../../tenancy/scoped-tables.ts';
import { columnOf, constraintName, stagedPrefix, stagedPrefixOf, totalsTableOf } from './names.ts';
import type { Definition, Field, FieldType, Workflow as WorkflowDefinition } from './schema.ts';
import { readerOf, type ValueRules } from './values.ts';

/** A field that has a column. */
export interface StoredField {
  /** As records show it: `total`, `customer_id`. */
  readonly name: string;
  /** `f_total`; of a text with a pattern, `f_number__1a2b3c4d`. */
  readonly column: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly unique: boolean;
  /** Has an index of its own, for filters. */
  readonly indexed: boolean;
  readonly searchable: boolean;
  /** As a body would give it, but of times and UUIDs as records show them; of a workflow's state the initial one; undefined: none. */
  readonly default: unknown;
  readonly enum: readonly string[] | null;
  /** Of texts the length in characters (code points), else the value. */
  readonly min: number | null;
  readonly max: number | null;
  readonly pattern: string | null;
  /** The entity of a `belongs_to`. */
  readonly refersTo: string | null;
}

/** What `include` can load. */
export interface Relation {
  readonly name: string;
  readonly kind: 'belongs_to' | 'has_many';
  /** The entity of the records that it loads. */
  readonly entity: string;
  /** Of `belongs_to` the own column, of `has_many` the other's column that refers to this entity. */
  readonly column: string;
}

/** Which states records go through. */
export interface Workflow {
  /** The stored field that holds the state. */
  readonly field: string;
  readonly initial: string;
  readonly states: readonly string[];
  readonly transitions: readonly { readonly from: string; readonly to: string }[];
  readonly ownerField: string | null;
}

/** An entity, as its records are read and written. */
export interface EntityModel {
  readonly name: string;
  /** `schema.table`, as scoped statements name it. */
  readonly table: string;
  /** The table of the same schema that has the totals of its records, of each unit where units own them. */
  readonly totals: string;
  /** The tables of all entities of the tenant, by which statements are scoped: known as long as a model is kept that has them. */
  readonly tables: ReadonlyMap<string, ScopedTable>;
  readonly ownedBy: 'tenant' | 'business_unit';
  /** By stored name, in the order of the definition. */
  readonly fields: ReadonlyMap<string, StoredField>;
  readonly relations: ReadonlyMap<string, Relation>;
  readonly workflow: Workflow | null;
  /** The field of a violated constraint or index of this entity's table, also of one that is made for a coming definition. */
  fieldOfConstraint(name: string): StoredField | null;
}

/** All entities of a tenant as they are at one revision. */
export interface EntityModels {
  readonly revision: number;
  get(entity: string): EntityModel | undefined;
  all(): readonly EntityModel[];
}

/** What a table keeps of a rule about a field; each is a constraint or an index of its own. */
export const RULES = ['unique', 'index', 'enum', 'min', 'max', 'refers'] as const;

/** The longest text of which PostgreSQL can keep an index. */
export const MAX_INDEXED_CHARS = 500;

/** Whether values are texts, so that `min` and `max` bound their lengths. */
export function isText(type: FieldType): boolean {
  return type === 'string' || type === 'text' || type === 'enum';
}

/** The name under which a field is stored; null: it has no column. */
export function storedNameOf({ name, type, relation }: Field): string | null {
  if (type !== 'relation') return name;
  return relation?.kind === 'belongs_to' ? `${name}_id` : null;
}

/** The stored fields of a definition, in its order. */
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

/** What the values of a field are read by; `isState`: it holds the state of a workflow. */
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

function defaultOf({ default: given, type }: Field, rules: ValueRules): unknown {
  if (given === undefined || given === null) return undefined;
  const read = readerOf(rules)(given);
  if (!('value' in read)) throw new Error('A definition has a default that was not checked.');
  return type === 'json' ? given : read.value;
}

/** The models of all definitions of a tenant. */
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

/** The tables follow from the definitions (table-sql.ts). */
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

/** Looks only when something is refused: all names of all constraints would be most of what a model takes. */
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
