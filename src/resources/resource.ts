import type { Expression } from 'kysely';
import { LRUCache } from 'lru-cache';
import Type, { type TSchema, type TUnsafe } from 'typebox';
import type { AppError, ErrorDefinition } from '../errors/app-error.ts';
import type { Caller, Role } from '../tenancy/caller.ts';
import { bodySchema, type OwnerOption, ownerOption, type VersionOption, versionOption } from './body.ts';
import type { EntityType } from './entity-types.ts';
import type { CreateOf, ReplaceOf, RowOf, ViewOf } from './field-types.ts';
import { COLUMN_KINDS, type ColumnKind, type Constant, columnOf, type Field, type Fields } from './fields.ts';
import type { FilterField } from './filter-field.ts';
import { FILTER_OPERATIONS, type FilterOperation, ofColumn, ofInteger } from './filter-sql.ts';
import type { FilterDefinition } from './filters.ts';
import { createsOnReplace, type Key } from './keys.ts';
import { type ComputedColumns, viewOf } from './view.ts';

/** Maximum number of cached variants per resource. */
const MAX_CACHED_CHOICES = 100;

/** A stored record of any resource. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** A table whose `column` adds up to the number of records, for lists with no other conditions than `by`. */
export interface Totals {
  readonly table: string;
  readonly column: string;
  readonly by: readonly string[];
  /**
   * Number of rows (`slot`) over which the total of a unit is spread, so that concurrent writes rarely wait for each
   * other. Absent: the feature updates the totals itself.
   */
  readonly slots?: number;
}

/** The description of a resource. */
export interface ResourceDescription<F extends Fields> {
  /** The type name of its responses in typed clients; its bodies are `<title>Create` and `<title>Replace`. */
  readonly title?: string;
  /** The kind of the records in history; absent: they have no history. */
  readonly entityType?: EntityType;
  /** The table; outside the schema `public`: `schema.table`. */
  readonly table: string;
  readonly key: Key;
  readonly notFound: ErrorDefinition;
  readonly fields: F;
  /** The errors of duplicate values, by the name of the unique constraint or index. */
  readonly duplicates?: Readonly<Record<string, ErrorDefinition | (() => AppError)>>;
  /** Totals that another table stores. */
  readonly totals?: Totals;
  /** The SQL function that finds a list's few matches (`finder.ts`). */
  readonly finder?: string;
  /** The column with the unit that owns the history; default: `owner_bu_id`. */
  readonly historyOwner?: string;
  /** The parent record determines the owning unit, so bodies do not contain it. */
  readonly ownedByParent?: true;
  /** Filters in addition to those of the fields: by a relation, a member of a JSON column, or a computed value. */
  readonly filters?: Readonly<Record<string, FilterField>>;
  /**
   * Columns that lists can be sorted by, in addition to `created_at`: never null, each with an index after the tenant
   * and the parent.
   */
  readonly sorts?: readonly string[];
  /** Filter operations. Default: all. */
  readonly operations?: readonly FilterOperation[];
  /**
   * Refuses callers who lack the role `needed` for the tenant's own records. Default: the role in any unit is enough.
   */
  readonly guard?: (caller: Caller, needed: Role) => void;
}

/** A cache of variants that show fewer members in lists, by the names of these members. */
interface Choices<R> {
  get(name: string): R | undefined;
  set(name: string, choice: R): unknown;
}

/** The types of a resource's records and bodies. */
export interface ResourceTypes {
  readonly row: object;
  readonly view: object;
  readonly create: object;
  readonly replace: object;
}

/** The types that follow from fields. */
interface TypesOf<F extends Fields> extends ResourceTypes {
  readonly row: RowOf<F>;
  readonly view: ViewOf<F> & object;
  readonly create: CreateOf<F> & object;
  readonly replace: ReplaceOf<F> & object;
}

/**
 * A kind of record, with everything derived from its description. Records of units have a column `owner_bu_id`, and
 * `shared` if the tenant can share them among its units (docs/specification/tenants.md#what-a-call-reaches); other
 * records belong to the tenant.
 */
export interface Resource<T extends ResourceTypes = ResourceTypes>
  extends Omit<ResourceDescription<Fields>, 'filters' | 'operations'> {
  readonly filters: FilterDefinition;
  /** The kind of each column. */
  readonly kinds: ReadonlyMap<string, ColumnKind>;
  readonly columns: readonly string[];
  /** The SQL of computed columns. */
  readonly computed: ComputedColumns;
  /** True if `version` counts the writes of a record. */
  readonly isVersioned: boolean;
  /** The name of the owning unit in bodies and responses. */
  readonly ownerName: string;
  /** The columns that lists read. */
  readonly listColumns: readonly string[];
  /** The columns in `listColumns` whose values may be long. */
  readonly largeColumns: readonly string[];
  /** Variants with fewer members in lists, cached so that the statements of each are compiled once. */
  readonly choices: Choices<Resource<T>>;
  /** Columns that `search` looks in; if there are none, the list has no search. */
  readonly search: readonly string[];
  /** The record as its GET shows it; also stored in history, so it contains no secrets. */
  view(row: T['row']): T['view'];
  /** SQL of `view`, from the columns of `table`. */
  readonly sqlView: (table: string) => Expression<unknown>;
  /** The record as lists show it. */
  listView(row: T['row']): T['view'];
  /** SQL of `listView`, from the columns of `table`. */
  readonly sqlListView: (table: string) => Expression<unknown>;
  readonly reply: TUnsafe<T['view']>;
  readonly listReply: TUnsafe<T['view']>;
  readonly createBody: TUnsafe<T['create'] & OwnerOption>;
  readonly replaceBody: TUnsafe<T['replace'] & OwnerOption & VersionOption>;
}

/** Derives a resource from its description. @throws Error if records with history have no version. */
export function defineResource<const F extends Fields>(
  description: ResourceDescription<F>,
): Resource<TypesOf<F>> {
  type T = TypesOf<F>;
  const { fields, key, title } = description;
  const stored = Object.entries<Field | Constant>(fields).flatMap(([name, field]) =>
    field.kind === 'constant' ? [] : [{ name, column: columnOf(name, field), field }],
  );
  const columnsWhere = (isIn: (field: Field) => boolean) =>
    stored.filter(({ field }) => isIn(field)).map(({ column }) => column);
  const kinds = new Map(stored.map(({ column, field }) => [column, field.kind]));
  const isVersioned = stored.some(({ field }) => field.counts);
  if (description.entityType !== undefined && !isVersioned)
    throw new Error(`${description.table} has history, so it needs a version field.`);
  const ownerName =
    stored.find(({ column, field }) => column === 'owner_bu_id' && !field.hidden)?.name ?? 'business_unit';
  const owner: Readonly<Record<string, TSchema>> =
    kinds.has('owner_bu_id') && !description.ownedByParent ? { [ownerName]: ownerOption.business_unit } : {};
  const fullView = viewOf<T['row'], T['view']>(fields, false, title);
  const listView = viewOf<T['row'], T['view']>(fields, true, title);
  return {
    ...description,
    kinds,
    columns: [...new Set(['tenant_id', ...kinds.keys()])],
    computed: new Map(
      stored.flatMap(({ column, field: { computed } }) => (computed ? [[column, computed]] : [])),
    ),
    isVersioned,
    ownerName,
    // Lists do not read columns that only the whole record shows. They read hidden columns, which code may need.
    listColumns: [...new Set(['tenant_id', ...columnsWhere(({ listed }) => listed !== false)])],
    largeColumns: columnsWhere((field) => field.listed !== false && mayBeLong(field)),
    choices: new LRUCache<string, Resource<T>>({ max: MAX_CACHED_CHOICES }),
    search: columnsWhere(({ search }) => search === true),
    filters: {
      fields: { ...filtersOf(stored), ...description.filters },
      operations: description.operations ?? FILTER_OPERATIONS,
    },
    sqlView: fullView.sql,
    view: fullView.of,
    listView: listView.of,
    sqlListView: listView.sql,
    reply: titled<T['view']>(fullView.schema, title),
    listReply: titled<T['view']>(listView.schema, title, hasShorterList(stored) ? 'Summary' : ''),
    createBody: titled<T['create'] & OwnerOption>(
      bodySchema(fields, 'create', owner, title),
      title,
      'Create',
    ),
    replaceBody: titled<T['replace'] & OwnerOption & VersionOption>(
      bodySchema(
        fields,
        createsOnReplace(key) ? 'create' : 'replace',
        isVersioned ? { ...owner, ...versionOption } : owner,
        title,
      ),
      title,
      'Replace',
    ),
  };
}

/** The filters by fields. */
function filtersOf(
  stored: readonly { readonly name: string; readonly column: string; readonly field: Field }[],
): Record<string, FilterField> {
  const filtered = stored.filter(({ field }) => field.filter);
  return Object.fromEntries(
    filtered.map(({ name, column, field }) => [
      name,
      {
        type: COLUMN_KINDS[field.kind].filter,
        ...valuesOf(field.schema),
        sql: field.kind === 'integer' ? ofInteger(column) : ofColumn(column),
      },
    ]),
  );
}

/** The values of an enum of texts; nothing for other schemas. */
function valuesOf(schema: TSchema): { readonly values?: readonly string[] } {
  const values: unknown = 'enum' in schema ? schema.enum : undefined;
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? { values } : {};
}

/** Returns true if lists leave out fields that the whole record shows. */
function hasShorterList(stored: readonly { readonly field: Field }[]): boolean {
  return stored.some(({ field }) => field.listed === false && !field.hidden);
}

/** True if values may be long. Values that the platform generates are short. */
function mayBeLong({ kind, schema, computed, writes }: Field): boolean {
  if (computed !== undefined) return false;
  return kind === 'json' || (kind === 'text' && writes !== 'platform' && !('maxLength' in schema));
}

function titled<V>(schema: TSchema, title: string | undefined, suffix = ''): TUnsafe<V> {
  return Type.Unsafe<V>(title === undefined ? schema : { ...schema, title: `${title}${suffix}` });
}

/** True if units own the records, false if the tenant does. */
export function isOwned({ kinds }: Resource): boolean {
  return kinds.has('owner_bu_id');
}
