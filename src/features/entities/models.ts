/** What records are made by: definitions with everything worked out that follows from them. */
import { schemaOf } from '../../db/tenant-schemas.ts';
import { columnOf, constraintName, stagedPrefix, stagedPrefixOf } from './names.ts';
import type { Definition, Field, FieldType, Workflow as WorkflowDefinition } from './schema.ts';

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
  /** Undefined: none. */
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
  /** The name of the stored field that has this column. */
  readonly storedName: string;
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
  readonly version: number;
  /** `schema.table`, as scoped statements name it. */
  readonly table: string;
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
    const unique = field.unique === true;
    const indexed = field.indexed === true || field.type === 'relation' || isState;
    const bound =
      isText(field.type) && field.type !== 'enum' && (unique || indexed) ? MAX_INDEXED_CHARS : null;
    return [
      {
        name,
        column: columnOf(name, field.pattern ?? null),
        type: field.type,
        required: field.required === true,
        unique,
        indexed,
        searchable: field.searchable === true,
        default: field.default ?? undefined,
        enum: isState ? (workflow?.states ?? null) : (field.enum ?? null),
        min: field.min ?? null,
        max: field.max ?? bound,
        pattern: field.pattern ?? null,
        refersTo: field.relation?.entity ?? null,
      },
    ];
  });
}

/** The models of all definitions of a tenant. */
export function compileModels(
  tenantId: string,
  revision: number,
  definitions: readonly (Definition & { readonly version: number })[],
): EntityModels {
  const models = new Map(definitions.map((each) => [each.name, compileModel(tenantId, each)]));
  return { revision, get: (entity) => models.get(entity), all: () => [...models.values()] };
}

function compileModel(tenantId: string, definition: Definition & { readonly version: number }): EntityModel {
  const stored = storedFieldsOf(definition);
  const constraints = new Map(
    stored.flatMap((field) =>
      [
        stagedPrefix(definition.name, field.name),
        ...RULES.map((rule) => constraintName(definition.name, field.name, rule)),
      ].map((name): [string, StoredField] => [name, field]),
    ),
  );
  return {
    name: definition.name,
    version: definition.version,
    table: `${schemaOf(tenantId)}.${definition.name}`,
    ownedBy: definition.owned_by,
    fields: new Map(stored.map((field) => [field.name, field])),
    relations: new Map(definition.fields.flatMap(relationOf)),
    workflow: workflowOf(definition.workflow),
    fieldOfConstraint: (name) => constraints.get(name) ?? constraints.get(stagedPrefixOf(name)) ?? null,
  };
}

function relationOf(field: Field): [string, Relation][] {
  const { name, relation } = field;
  if (relation === undefined) return [];
  const { kind, entity } = relation;
  const storedName = kind === 'belongs_to' ? `${name}_id` : `${relation.field}_id`;
  return [[name, { name, kind, entity, column: columnOf(storedName), storedName }]];
}

function workflowOf(workflow: WorkflowDefinition | null): Workflow | null {
  if (workflow === null) return null;
  const { field, initial, states, transitions, owner_field } = workflow;
  return { field, initial, states, transitions, ownerField: owner_field ?? null };
}
