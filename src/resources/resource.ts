import type { Expression } from 'kysely';
import Type, { type TUnsafe } from 'typebox';
import type { ErrorDefinition } from '../errors/app-error.ts';
import type { Caller, Role } from '../tenancy/caller.ts';
import { bodySchema, ownerOption, versionOption } from './body.ts';
import type { EntityType } from './entity-types.ts';
import type { CreateOf, ReplaceOf, RowOf, ViewOf } from './field-types.ts';
import { type ColumnKind, columnOf, type Field, type Fields } from './fields.ts';
import { ofColumn } from './filter-sql.ts';
import type { FilterType } from './filter-values.ts';
import {
  FILTER_OPERATIONS,
  type FilterDefinition,
  type FilterField,
  type FilterOperation,
} from './filters.ts';
import { isChosen, type Key } from './keys.ts';
import { replySchema, shownPlaces, sqlView, viewOf } from './view.ts';

/** A record of any resource, as it is stored. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** What a resource says of itself. */
export interface Description<F extends Fields> {
  /** The kind under which history knows the records; absent: they leave none. */
  readonly entityType?: EntityType;
  /** The table; of another schema than `public`: `schema.table`. */
  readonly table: string;
  readonly key: Key;
  readonly notFound: ErrorDefinition;
  readonly fields: F;
  /** The errors of values that another record has, by the name of the unique constraint or index. */
  readonly taken?: Readonly<Record<string, ErrorDefinition>>;
  /** Totals that another table keeps: the sum of a column, for lists that are narrowed by these filters only. */
  readonly totals?: { readonly table: string; readonly column: string; readonly by: readonly string[] };
  /** A parent record imposes the owning unit, so bodies do not name it. */
  readonly ownedByParent?: true;
  /** Filters beside those of the fields: by a relation, a member of a JSON column, or something computed. */
  readonly filters?: Readonly<Record<string, FilterField>>;
  /** What filters can do. Default: everything. */
  readonly operations?: readonly FilterOperation[];
  /**
   * Refuses who may not do to the tenant's own records what `needed` stands for. Default: whoever holds that role in
   * any unit may.
   */
  readonly guard?: (caller: Caller, needed: Role) => void;
}

/** What every create of a unit's record may say beside the record's own fields. */
export interface OwnerOption {
  readonly business_unit?: string | null;
}

/** What every replace may say beside them. */
export interface VersionOption {
  readonly version?: number;
}

/**
 * A kind of record, with what follows from its description whatever its fields are. What units own has a column
 * `owner_bu_id`, and `shared` where the tenant can share records among its units (decisions section 3); the rest is
 * the tenant's.
 */
export interface Resource extends Omit<Description<Fields>, 'filters' | 'operations'> {
  readonly filters: FilterDefinition;
  /** The kind of each column. */
  readonly kinds: ReadonlyMap<string, ColumnKind>;
  readonly columns: readonly string[];
  /** Whether `version` counts the writes of a record. */
  readonly isVersioned: boolean;
  /** What lists read. */
  readonly listColumns: readonly string[];
  /** Columns that `search` looks in; none: the list has no search. */
  readonly search: readonly string[];
  /** The view in SQL, of the columns of `table`. */
  readonly sqlView: (table: string) => Expression<unknown>;
}

/** What the type checker knows of a resource's records and bodies. */
export interface ResourceTypes {
  readonly row: object;
  readonly view: object;
  readonly create: object;
  readonly replace: object;
}

/** The types that follow from fields. */
export interface TypesOf<F extends Fields> extends ResourceTypes {
  readonly row: RowOf<F>;
  readonly view: ViewOf<F> & object;
  readonly create: CreateOf<F> & object;
  readonly replace: ReplaceOf<F> & object;
}

/** A resource whose fields are known to the type checker. */
export interface TypedResource<T extends ResourceTypes> extends Resource {
  /** The record as its GET shows it; also what history keeps, so it holds no secrets. */
  readonly view: (row: T['row']) => T['view'];
  /** The record as lists show it. */
  readonly listView: (row: T['row']) => T['view'];
  readonly reply: TUnsafe<T['view']>;
  readonly listReply: TUnsafe<T['view']>;
  readonly createBody: TUnsafe<T['create'] & OwnerOption>;
  readonly replaceBody: TUnsafe<T['replace'] & OwnerOption & VersionOption>;
}

/** Makes a resource of its description. @throws Error when history shall keep records that count no versions. */
export function defineResource<const F extends Fields>(
  description: Description<F>,
): TypedResource<TypesOf<F>> {
  return typed<TypesOf<F>>(description);
}

function typed<T extends ResourceTypes>(description: Description<Fields>): TypedResource<T> {
  const { fields } = description;
  const stored = storedFields(fields);
  const kinds = new Map(stored.map(([name, field]) => [columnOf(name, field), field.kind]));
  const isVersioned = stored.some(([, { counts }]) => counts);
  if (description.entityType !== undefined && !isVersioned)
    throw new Error(`${description.table} needs a version: its records leave history.`);
  const owner = kinds.has('owner_bu_id') && !description.ownedByParent ? ownerOption : {};
  const inView = shownPlaces(fields, false);
  const inList = shownPlaces(fields, true);
  return {
    ...description,
    kinds,
    columns: ['tenant_id', ...kinds.keys()],
    isVersioned,
    listColumns: listColumns(stored),
    search: stored.filter(([, { search }]) => search).map(([name, field]) => columnOf(name, field)),
    filters: {
      fields: { ...filterFields(stored), ...description.filters },
      operations: description.operations ?? FILTER_OPERATIONS,
    },
    sqlView: (table) => sqlView(inView, table),
    view: viewOf<T['row'], T['view']>(inView),
    listView: viewOf<T['row'], T['view']>(inList),
    reply: Type.Unsafe<T['view']>(replySchema(inView)),
    listReply: Type.Unsafe<T['view']>(replySchema(inList)),
    createBody: Type.Unsafe<T['create'] & OwnerOption>(bodySchema(fields, 'create', owner)),
    replaceBody: Type.Unsafe<T['replace'] & OwnerOption & VersionOption>(
      bodySchema(
        fields,
        isChosen(description.key) ? 'create' : 'replace',
        isVersioned ? { ...owner, ...versionOption } : owner,
      ),
    ),
  };
}

/** Whether units own the records, rather than the tenant. */
export function isOwned({ kinds }: Resource): boolean {
  return kinds.has('owner_bu_id');
}

/** The fields that have a column. */
function storedFields(fields: Fields): [string, Field][] {
  return Object.entries(fields).flatMap(([name, field]): [string, Field][] =>
    field.kind === 'constant' ? [] : [[name, field]],
  );
}

/** Without what only the whole record shows; what is shown nowhere may be what a list's rows are told apart by. */
function listColumns(stored: readonly (readonly [string, Field])[]): string[] {
  const columns = stored
    .filter(([, { listed }]) => listed !== false)
    .map(([name, field]) => columnOf(name, field));
  return ['tenant_id', ...new Set(columns)];
}

const FILTER_TYPES: Readonly<Record<ColumnKind, FilterType>> = {
  text: 'text',
  uuid: 'id',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  time: 'time',
  json: 'json',
};

function filterFields(stored: readonly (readonly [string, Field])[]): Record<string, FilterField> {
  const filtered = stored.filter(([, { filter }]) => filter);
  return Object.fromEntries(
    filtered.map(([name, field]) => [
      name,
      { type: FILTER_TYPES[field.kind], sql: ofColumn(columnOf(name, field)) },
    ]),
  );
}
