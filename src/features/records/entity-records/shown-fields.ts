/** Fields that records show, filter and sort by: those of the definition, and those of every record. */
import type { FilterType } from '../../../resources/filter-values.ts';
import { columnTypeOf, type EntityModel, type FieldType } from '../entities/index.ts';

/** Alias of the records table in all statements of this folder. */
export const ROWS = 'r';

/** A field as records show it. */
export interface ShownField {
  readonly name: string;
  readonly column: string;
  /** Type for filters. */
  readonly type: FilterType;
  /** True if every record has a value. */
  readonly isFilled: boolean;
  /** Type of the column, which a new definition may change; null for columns of every record. */
  readonly columnType: string | null;
}

const FILTER_TYPES: Readonly<Record<FieldType, FilterType>> = {
  string: 'text',
  text: 'text',
  enum: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'time',
  json: 'json',
  uuid: 'uuid',
  relation: 'uuid',
};

const shownByModel = new WeakMap<EntityModel, ReadonlyMap<string, ShownField>>();

/** Returns the fields of an entity's records by name, in the order of responses. */
export function shownFields(model: EntityModel): ReadonlyMap<string, ShownField> {
  const known = shownByModel.get(model) ?? new Map(allOf(model).map((field) => [field.name, field]));
  shownByModel.set(model, known);
  return known;
}

const filteredByModel = new WeakMap<EntityModel, ReadonlyMap<string, ShownField>>();

/** Returns the fields for filters and sorting: those of a record, and each relation as the field that stores it. */
export function filteredFields(model: EntityModel): ReadonlyMap<string, ShownField> {
  const known = filteredByModel.get(model) ?? new Map([...relationsOf(model), ...shownFields(model)]);
  filteredByModel.set(model, known);
  return known;
}

function relationsOf(model: EntityModel): [string, ShownField][] {
  return [...model.relations.values()].flatMap(({ name, kind, column }) => {
    const stored = [...shownFields(model).values()].find((field) => field.column === column);
    return kind === 'belongs_to' && stored ? [[name, stored]] : [];
  });
}

/** Returns true if records show the unit that owns them. */
export function showsUnit({ ownedBy }: EntityModel): boolean {
  return ownedBy === 'business_unit';
}

function allOf(model: EntityModel): ShownField[] {
  const own = [...model.fields.values()].map(({ name, column, type, required }) => ({
    name,
    column,
    type: FILTER_TYPES[type],
    isFilled: required,
    columnType: columnTypeOf({ type }),
  }));
  const unit = showsUnit(model) ? [filled('business_unit', 'owner_bu_id', 'id')] : [];
  return [
    filled('id', 'id', 'uuid'),
    ...own,
    ...unit,
    filled('_created_at', 'created_at', 'time'),
    filled('_updated_at', 'updated_at', 'time'),
    filled('_created_by', 'created_by', 'text'),
    filled('_updated_by', 'updated_by', 'text'),
  ];
}

function filled(name: string, column: string, type: FilterType): ShownField {
  return { name, column, type, isFilled: true, columnType: null };
}
