/** Plans how a changed definition changes its table. The plan is data, without SQL or rows. */

import { isText, storedFieldsOf } from './models.ts';
import { constraintName } from './names.ts';
import type { Definition, FieldType } from './schema.ts';
import type { StoredField } from './stored-field.ts';

/** PostgreSQL type of a field's column. */
export type ColumnType =
  | 'text'
  | 'bigint'
  | 'double precision'
  | 'boolean'
  | 'date'
  | 'timestamptz'
  | 'json'
  | 'uuid';

const COLUMN_TYPES: Readonly<Record<FieldType, ColumnType>> = {
  string: 'text',
  text: 'text',
  enum: 'text',
  integer: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
  json: 'json',
  uuid: 'uuid',
  relation: 'uuid',
};

/** Returns the column type of a field. */
export function columnTypeOf({ type }: Pick<StoredField, 'type'>): ColumnType {
  return COLUMN_TYPES[type];
}

/** The parts of a definition that determine its table. */
export interface TableDefinition {
  readonly entity: string;
  readonly isOwned: boolean;
  readonly fields: readonly StoredField[];
}

/** Extracts the parts of a definition that determine its table. */
export function tableDefinitionOf(definition: Definition): TableDefinition {
  const isOwned = definition.owned_by === 'business_unit';
  return { entity: definition.name, isOwned, fields: storedFieldsOf(definition) };
}

/** A rule that the database enforces. */
export type Rule =
  | { readonly kind: 'required' | 'unique' | 'index' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'min' | 'max'; readonly bound: number; readonly ofLength: boolean }
  | { readonly kind: 'refers'; readonly entity: string };

/** One step of a change. */
export type Step =
  | { readonly do: 'create_table'; readonly isOwned: boolean; readonly fields: readonly StoredField[] }
  | { readonly do: 'drop_table' }
  | { readonly do: 'drop_rule'; readonly name: string; readonly column: string; readonly rule: Rule }
  | { readonly do: 'drop_search' }
  | { readonly do: 'drop_column'; readonly column: string }
  | { readonly do: 'add_column'; readonly field: StoredField }
  /** Renames a staged column to the field's column. */
  | { readonly do: 'adopt_column'; readonly staged: string; readonly field: StoredField }
  | { readonly do: 'rename_column'; readonly from: string; readonly to: string }
  | { readonly do: 'convert_column'; readonly field: StoredField; readonly from: FieldType }
  | { readonly do: 'add_rule'; readonly name: string; readonly field: StoredField; readonly rule: Rule }
  /** Renames the staged constraint or index of a rule. */
  | {
      readonly do: 'adopt_rule';
      readonly staged: string;
      readonly name: string;
      readonly field: StoredField;
      readonly rule: Rule;
    }
  | { readonly do: 'add_search'; readonly name: string; readonly columns: readonly string[] };

/** A planned change of a table. */
export interface Plan {
  /** Creates, drops and converts the table and its columns. */
  readonly reshape: readonly Step[];
  /** Adds rules for rows; each step fails if a row violates its rule. */
  readonly constrain: readonly Step[];
  /** Fields with a pattern that existing rows were not matched against. */
  readonly patterns: readonly StoredField[];
  /** Other entities whose tables are locked; true if the lock also blocks readers. */
  readonly parents: ReadonlyMap<string, boolean>;
}

interface NamedRule {
  readonly name: string;
  readonly field: StoredField;
  readonly rule: Rule;
}

/** Lists the rules that the database enforces for a field. */
function rulesOf(entity: string, field: StoredField): NamedRule[] {
  const rules: Rule[] = [
    ...(field.required ? [{ kind: 'required' } as const] : []),
    ...(field.enum === null ? [] : [{ kind: 'enum', values: field.enum } as const]),
    ...bound('min', field),
    ...bound('max', field),
    ...(field.unique ? [{ kind: 'unique' } as const] : []),
    ...(field.indexed ? [{ kind: 'index' } as const] : []),
    ...(field.refersTo === null ? [] : [{ kind: 'refers', entity: field.refersTo } as const]),
  ];
  return rules.map((rule) => ({ name: constraintName(entity, field.name, rule.kind), field, rule }));
}

function bound(kind: 'min' | 'max', field: StoredField): Rule[] {
  const value = field[kind];
  return value === null ? [] : [{ kind, bound: value, ofLength: isText(field.type) }];
}

/** Plans the steps from one definition to the next; null means that there is no table before or after. */
export function planChange(old: TableDefinition | null, next: TableDefinition | null): Plan {
  const before = old?.fields ?? [];
  const after = next?.fields ?? [];
  const oldByName = new Map(before.map((field) => [field.name, field]));
  const newByName = new Map(after.map((field) => [field.name, field]));
  const isConverted = ({ name }: StoredField) => {
    const [oldField, newField] = [oldByName.get(name), newByName.get(name)];
    return (
      oldField !== undefined && newField !== undefined && columnTypeOf(oldField) !== columnTypeOf(newField)
    );
  };
  const oldRules = old === null ? [] : before.flatMap((field) => rulesOf(old.entity, field));
  const newRules = next === null ? [] : after.flatMap((field) => rulesOf(next.entity, field));
  // Constraints and indexes of a converted column are rebuilt.
  const unchanged = new Set(intersection(oldRules, newRules, isConverted));
  const dropped = oldRules.filter((each) => !unchanged.has(textOf(each)));
  const added = newRules.filter((each) => !unchanged.has(textOf(each)));
  const [oldSearch, newSearch] = [searchedFields(before), searchedFields(after)];
  const keepsSearch = namesOf(oldSearch) === namesOf(newSearch) && !newSearch.some(isConverted);
  const parents = parentsOf(dropped, added, (old ?? next)?.entity);
  if (next === null) return { reshape: [{ do: 'drop_table' }], constrain: [], patterns: [], parents };
  const search: Step[] =
    keepsSearch || newSearch.length === 0
      ? []
      : [
          {
            do: 'add_search',
            name: constraintName(next.entity, 'search_text', 'search'),
            columns: newSearch.map(({ column }) => column),
          },
        ];
  const constrain: Step[] = [...added.map((each): Step => ({ do: 'add_rule', ...each })), ...search];
  if (old === null) {
    const { isOwned, fields } = next;
    return { reshape: [{ do: 'create_table', isOwned, fields }], constrain, patterns: [], parents };
  }
  return {
    reshape: [
      ...(keepsSearch || oldSearch.length === 0 ? [] : [{ do: 'drop_search' } as const]),
      ...dropped.map(
        ({ name, field, rule }): Step => ({ do: 'drop_rule', name, column: field.column, rule }),
      ),
      ...before
        .filter(({ name }) => !newByName.has(name))
        .map(({ column }): Step => ({ do: 'drop_column', column })),
      ...after.filter(({ name }) => !oldByName.has(name)).map((field): Step => ({ do: 'add_column', field })),
      ...after.flatMap((field): Step[] => {
        const was = oldByName.get(field.name);
        if (!was) return [];
        const { column } = was;
        return [
          ...(isConverted(field)
            ? [{ do: 'convert_column', field: { ...field, column }, from: was.type } as const]
            : []),
          ...(column === field.column
            ? []
            : [{ do: 'rename_column', from: column, to: field.column } as const]),
        ];
      }),
    ],
    constrain,
    patterns: after.filter((field) => {
      const was = oldByName.get(field.name);
      return (
        was !== undefined && field.pattern !== null && (was.pattern !== field.pattern || isConverted(field))
      );
    }),
    parents,
  };
}

function searchedFields(fields: readonly StoredField[]): StoredField[] {
  return fields.filter(({ searchable }) => searchable);
}

function namesOf(fields: readonly StoredField[]): string {
  return fields.map(({ name }) => name).join();
}

/** Returns the rules that a change leaves as they are. */
function intersection(
  before: readonly NamedRule[],
  after: readonly NamedRule[],
  isConverted: (field: StoredField) => boolean,
): string[] {
  const existing = new Set(after.map(textOf));
  return before
    .filter(({ field }) => !isConverted(field))
    .map(textOf)
    .filter((text) => existing.has(text));
}

function textOf({ name, rule }: NamedRule): string {
  return JSON.stringify([name, rule]);
}

function parentsOf(
  dropped: readonly NamedRule[],
  added: readonly NamedRule[],
  own: string | undefined,
): ReadonlyMap<string, boolean> {
  const targets = (rules: readonly NamedRule[], isExclusive: boolean) =>
    rules.flatMap(({ rule }): [string, boolean][] =>
      rule.kind === 'refers' && rule.entity !== own ? [[rule.entity, isExclusive]] : [],
    );
  return new Map([...targets(added, false), ...targets(dropped, true)]);
}
