/** The values of a record's fields: compiled once for each model into what checks them and hands them to the database. */
import { type EntityModel, type Reader, readerOf, readText, type StoredField } from '../entities/index.ts';

/** What reads the values of one field. */
export interface FieldReader {
  readonly field: StoredField;
  readonly read: Reader;
  /** The name of the relation that the field stores: bodies may use it for the field's own. */
  readonly relation: string | null;
}

const readersByModel = new WeakMap<EntityModel, readonly FieldReader[]>();

/** What reads the fields of an entity's records, in the order of its definition. */
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

/** The name of the relation that a field stores; null for any other field. */
export function relationStoredIn({ relations }: EntityModel, { column }: StoredField): string | null {
  for (const relation of relations.values())
    if (relation.kind === 'belongs_to' && relation.column === column) return relation.name;
  return null;
}

function orNull(field: StoredField, { workflow }: EntityModel): Reader {
  // What is no state is for the workflow to refuse.
  const read = workflow?.field === field.name ? readText : readerOf(field);
  const ofNull = field.required ? { message: 'is required' } : { value: null };
  return (value, matching) => (value === null ? ofNull : read(value, matching));
}
