import Type, { type Static } from 'typebox';

/** Names of entities and fields: safe in SQL, paths and filters without escaping. */
const NAME = '^(?!.*__)[a-z][a-z0-9_]{0,47}$';
const nameSchema = (description: string) => Type.String({ pattern: NAME, description });
const isName = new RegExp(NAME);

/** Returns true if an entity or a field may have this name. */
export function isEntityName(text: string): boolean {
  return isName.test(text);
}

/** Maximum number of fields per entity, and of entities per tenant. */
export const MAX_FIELDS = 200;
export const MAX_ENTITIES = 500;
const MAX_CHOICES = 200;

const State = Type.String({ minLength: 1, maxLength: 200 });

/** Type of a field. */
export const FieldTypeName = Type.Enum(
  ['string', 'text', 'integer', 'number', 'boolean', 'date', 'datetime', 'json', 'uuid', 'enum', 'relation'],
  { description: 'What it holds.' },
);
/** Type of a field. */
export type FieldType = Static<typeof FieldTypeName>;

export const EntityName = nameSchema('What it is called, in paths too; cannot change.');

const RelationOption = Type.Object(
  {
    entity: nameSchema('The entity that records refer to.'),
    kind: Type.Enum(['belongs_to', 'has_many'], {
      description:
        '`belongs_to` refers to one record and is stored as `<name>_id`; `has_many` is the way back.',
    }),
    field: Type.Optional(
      nameSchema("Of `has_many`: the field of the other entity that refers to this one's records."),
    ),
  },
  { title: 'EntityRelation' },
);

/** Definition of a field. */
export const Field = Type.Object(
  {
    name: nameSchema('What it is called; a new name is a new field.'),
    type: FieldTypeName,
    label: Type.Optional(Type.String({ maxLength: 200, description: 'For people.' })),
    required: Type.Optional(Type.Boolean({ description: 'Every record has a value.' })),
    unique: Type.Optional(Type.Boolean({ description: 'No two records have the same value.' })),
    indexed: Type.Optional(Type.Boolean({ description: 'Filters by it are quick.' })),
    searchable: Type.Optional(Type.Boolean({ description: '`search` looks in it.' })),
    default: Type.Optional(Type.Unknown({ description: 'What a record has that is made without a value.' })),
    enum: Type.Optional(
      Type.Array(State, { minItems: 1, maxItems: MAX_CHOICES, description: 'Of type `enum`: the choices.' }),
    ),
    min: Type.Optional(Type.Number({ description: 'The least value; of a text the least length.' })),
    max: Type.Optional(Type.Number({ description: 'The greatest value; of a text the greatest length.' })),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'A regular expression that texts match (RE2).',
      }),
    ),
    relation: Type.Optional(RelationOption),
  },
  { title: 'EntityField' },
);
/** Definition of a field. */
export type Field = Static<typeof Field>;

export const FieldList = Type.Array(Field, {
  maxItems: MAX_FIELDS,
  description: 'In the order in which records show them.',
});

/** States of records, and transitions between them. */
export const Workflow = Type.Object(
  {
    field: nameSchema('The field that holds the state.'),
    initial: State,
    states: Type.Array(State, { minItems: 1, maxItems: MAX_CHOICES }),
    transitions: Type.Array(Type.Object({ from: State, to: State }, { title: 'WorkflowTransition' }), {
      maxItems: 1000,
    }),
    owner_field: Type.Optional(nameSchema('The field that holds who has taken the record.')),
  },
  { title: 'Workflow' },
);
/** States of records, and transitions between them. */
export type Workflow = Static<typeof Workflow>;

/** Owner of an entity's records. */
export const OwnedBy = Type.Enum(['tenant', 'business_unit'], {
  description: 'Whose records they are: `tenant` unless given; cannot change.',
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
    description: 'Fields by name, and `workflow`, that may be removed with their values.',
  }),
);

/** Query of a deletion. */
export const DeleteQuery = Type.Object({
  drop: Type.Optional(Type.Boolean({ description: 'Deletes the records as well. Default: false.' })),
});
