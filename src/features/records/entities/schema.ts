import Type, { type Static } from 'typebox';

/** Names of entities and fields: safe in SQL, paths and filters without escaping. */
const NAME = '^(?!.*__)[a-z][a-z0-9_]{0,47}$';
const nameSchema = (description: string) => Type.String({ pattern: NAME, description });
const isName = new RegExp(NAME);

/** Returns true if an entity or a field may have this name. */
export function isEntityName(text: string): boolean {
  return isName.test(text);
}

/** Maximum number of fields per entity. */
export const MAX_FIELDS = 200;
/** Maximum number of entities per tenant. */
export const MAX_ENTITIES = 500;
const MAX_CHOICES = 200;

const State = Type.String({ minLength: 1, maxLength: 200 });

/** Type of a field. */
export const FieldTypeName = Type.Enum([
  'string',
  'text',
  'integer',
  'number',
  'boolean',
  'date',
  'datetime',
  'json',
  'uuid',
  'enum',
  'relation',
]);
/** Type of a field. */
export type FieldType = Static<typeof FieldTypeName>;

/** Name of an entity. */
export const EntityName = nameSchema('Used in paths; cannot change.');

const RelationOption = Type.Object(
  {
    entity: nameSchema('The related entity.'),
    kind: Type.Enum(['belongs_to', 'has_many'], {
      description: '`belongs_to` refers to one record, stored as `<name>_id`; `has_many` is the inverse.',
    }),
    field: Type.Optional(
      nameSchema('For `has_many`: the field of the other entity that refers to this one.'),
    ),
  },
  { title: 'EntityRelation' },
);

/** Definition of a field. */
export const Field = Type.Object(
  {
    name: nameSchema('A changed name makes a new field.'),
    type: FieldTypeName,
    label: Type.Optional(Type.String({ maxLength: 200, description: 'Display name.' })),
    required: Type.Optional(Type.Boolean({ description: 'Every record must have a value.' })),
    unique: Type.Optional(Type.Boolean({ description: 'Values must be unique.' })),
    indexed: Type.Optional(Type.Boolean({ description: 'Creates an index for filters.' })),
    searchable: Type.Optional(Type.Boolean({ description: 'Included in `search`.' })),
    default: Type.Optional(Type.Unknown({ description: 'Value of records created without one.' })),
    enum: Type.Optional(
      Type.Array(State, { minItems: 1, maxItems: MAX_CHOICES, description: 'Choices, for type `enum`.' }),
    ),
    min: Type.Optional(Type.Number({ description: 'Minimum value, or length of a text.' })),
    max: Type.Optional(Type.Number({ description: 'Maximum value, or length of a text.' })),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'RE2 expression that texts must match.',
      }),
    ),
    relation: Type.Optional(RelationOption),
  },
  { title: 'EntityField' },
);
/** Definition of a field. */
export type Field = Static<typeof Field>;

/** Fields of an entity. */
export const FieldList = Type.Array(Field, {
  maxItems: MAX_FIELDS,
  description: 'In display order.',
});

/** States of records, and transitions between them. */
export const Workflow = Type.Object(
  {
    field: nameSchema('Field for the state.'),
    initial: State,
    states: Type.Array(State, { minItems: 1, maxItems: MAX_CHOICES }),
    transitions: Type.Array(Type.Object({ from: State, to: State }, { title: 'WorkflowTransition' }), {
      maxItems: 1000,
    }),
    owner_field: Type.Optional(nameSchema('Field for the owner of the record.')),
  },
  { title: 'Workflow' },
);
/** States of records, and transitions between them. */
export type Workflow = Static<typeof Workflow>;

/** Owner of an entity's records. */
export const OwnedBy = Type.Enum(['tenant', 'business_unit'], {
  description: 'Default: `tenant`. Cannot change.',
});

/** The parts of a definition that determine tables and rules. */
export const Definition = Type.Object({
  name: EntityName,
  owned_by: OwnedBy,
  fields: FieldList,
  workflow: Type.Union([Workflow, Type.Null()]),
});
/** The parts of a definition that determine tables and rules. */
export type Definition = Static<typeof Definition>;

/** Parts of a definition that may be removed although they have values. */
export const Drop = Type.Optional(
  Type.Array(Type.String(), {
    maxItems: 1000,
    description: 'Names of fields, or `workflow`, whose values may be deleted.',
  }),
);

/** Query of a deletion. */
export const DeleteQuery = Type.Object({
  drop: Type.Optional(Type.Boolean({ description: 'Also delete the records. Default: false.' })),
});
