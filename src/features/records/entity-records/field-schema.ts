/** Entities as JSON Schema, for the OpenAPI document of a tenant. */
import type { EntityModel, StoredField } from '../entities/index.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Returns the schema of a field; it includes null unless the field is required. */
export function fieldSchema(field: StoredField): Schema {
  const { type, ...rules } = valueSchema(field);
  const values = Array.isArray(rules.enum) && !field.required ? { enum: [...rules.enum, null] } : {};
  if (type === undefined) return rules;
  return { type: field.required ? type : [type, 'null'], ...rules, ...values };
}

/** Returns the schema of a record in responses, with the relations that `include` can load. */
export function recordSchema(model: EntityModel): Schema {
  const own = [...model.fields.values()].map((field) => [field.name, fieldSchema(field)] as const);
  const relations = [...model.relations.values()].map(({ name, kind, entity }) => {
    const one = { $ref: `#/components/schemas/${entity}` };
    const schema = kind === 'has_many' ? { type: 'array', items: one } : { anyOf: [one, { type: 'null' }] };
    return [name, { ...schema, description: 'With `include`.' }] as const;
  });
  const unit = model.ownedBy === 'business_unit' ? { business_unit: uuid('The owning unit.') } : {};
  return {
    type: 'object',
    properties: {
      id: uuid('Set by the platform.'),
      ...unit,
      ...Object.fromEntries(own),
      _created_at: timestamp,
      _updated_at: timestamp,
      _created_by: author,
      _updated_by: author,
      ...Object.fromEntries(relations),
    },
    required: ['id'],
  };
}

/** Returns the schema of the body of a create or an update. */
export function bodySchema(model: EntityModel, isNew: boolean): Schema {
  const fields = [...model.fields.values()];
  const unit =
    model.ownedBy === 'business_unit'
      ? { business_unit: { type: 'string', description: 'Id, slug or name of the owning unit; set once.' } }
      : {};
  const own = fields.map((each) => {
    // A record cannot leave its workflow.
    const field = isNew && each.name === model.workflow?.field ? { ...each, required: true } : each;
    const defaults = isNew && field.default !== undefined ? { default: field.default } : {};
    return [field.name, { ...fieldSchema(field), ...defaults }] as const;
  });
  const isNeeded = ({ required, default: defaults }: StoredField) => required && defaults === undefined;
  const needed = isNew ? fields.filter(isNeeded).map(({ name }) => name) : [];
  return {
    type: 'object',
    properties: { ...unit, ...Object.fromEntries(own) },
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}

/**
 * Returns true if a pattern (RE2) is also valid in JSON Schema (ECMA-262). Validators refuse schemas with invalid
 * patterns.
 */
function isOfJsonSchema(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== '';
  } catch {
    return false;
  }
}

const timestamp = { type: 'string', format: 'date-time' };
const author = { type: ['string', 'null'], description: 'The id of a user, or `automation:<key>`.' };

function uuid(description: string): Schema {
  return { type: 'string', format: 'uuid', description };
}

function valueSchema({ type, enum: values, min, max, pattern, refersTo }: StoredField): Schema {
  const bounds = { ...(min === null ? {} : { minimum: min }), ...(max === null ? {} : { maximum: max }) };
  switch (type) {
    case 'string':
    case 'text':
      return {
        type: 'string',
        ...(min === null ? {} : { minLength: min }),
        ...(max === null ? {} : { maxLength: max }),
        ...(pattern === null || !isOfJsonSchema(pattern) ? {} : { pattern }),
        ...(values === null ? {} : { enum: values }),
      };
    case 'enum':
      return { type: 'string', enum: values ?? [] };
    case 'integer':
    case 'number':
      return { type, ...bounds };
    case 'boolean':
      return { type };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'datetime':
      return timestamp;
    case 'uuid':
      return { type: 'string', format: 'uuid' };
    case 'relation':
      return uuid(`A record of ${refersTo}.`);
    case 'json':
      return { description: 'Any JSON.' };
  }
}
