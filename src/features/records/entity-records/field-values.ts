/** Readers for the fields of a record, created once per model. */
import { type EntityModel, type Reader, readerOf, readText, type StoredField } from '../entities/index.ts';

/** Validates and converts the values of one field. */
export interface FieldReader {
  readonly field: StoredField;
  readonly read: Reader;
  /** Relation that the field stores: a body may use its name instead of the field's. */
  readonly relation: string | null;
}

const readersByModel = new WeakMap<EntityModel, readonly FieldReader[]>();

/** Returns the readers of an entity's fields, in the order of its definition. */
export function fieldReaders(model: EntityModel): readonly FieldReader[] {
  const known =
    readersByModel.get(model) ??
    [...model.fields.values()].map((field) => ({
      field,
      read: orNull(field, model),
      relation: relationStoredIn(model, field),
    }));
  readersByModel.set(model, known);
  return known;
}

/** Returns the relation that a field stores; null for any other field. */
export function relationStoredIn({ relations }: EntityModel, { column }: StoredField): string | null {
  for (const relation of relations.values())
    if (relation.kind === 'belongs_to' && relation.column === column) return relation.name;
  return null;
}

function orNull(field: StoredField, { workflow }: EntityModel): Reader {
  // The workflow refuses unknown states.
  const read = workflow?.field === field.name ? readText : readerOf(field);
  const ofNull = field.required ? { message: 'is required' } : { value: null };
  return (value, matching) => (value === null ? ofNull : read(value, matching));
}
