import type { Expression } from 'kysely';
import { LRUCache } from 'lru-cache';
import Type, { type TSchema, type TUnsafe } from 'typebox';
import type { AppError, ErrorDefinition } from '../errors/app-error.ts';
import type { Caller, Role } from '../tenancy/caller.ts';
import { bodySchema, type OwnerOption, ownerOption, type VersionOption, versionOption } from './body.ts';
import type { EntityType } from './entity-types.ts';
import type { CreateOf, ReplaceOf, RowOf, ViewOf } from './field-types.ts';
import { COLUMN_KINDS, type ColumnKind, type Constant, columnOf, type Field, type Fields } from './fields.ts';
import { FILTER_OPERATIONS, type FilterOperation, ofColumn, ofInteger } from './filter-sql.ts';
import type { FilterDefinition, FilterField } from './filters.ts';
import { isChosen, type Key } from './keys.ts';
import { viewOf } from './view.ts';

/** Choices of members that are kept of a resource. */
const KEPT_CHOICES = 100;

/** A record of any resource, as it is stored. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** The sum of a column, for lists that are narrowed by these filters only. */
export interface Totals {
  readonly table: string;
  readonly column: string;
  readonly by: readonly string[];
  /**
   * Over how many rows the total of a unit is spread, by `slot`: each create and delete of a record counts in one of them.
   * Absent: whoever writes the records counts them.
   */
  readonly slots?: number;
}

/** What a resource says of itself. */
export interface Description<F extends Fields> {
  /** What typed clients call its answers; its bodies are `<title>Create` and `<title>Replace`. */
  readonly title?: string;
  /** The kind under which history knows the records; absent: they leave none. */
  readonly entityType?: EntityType;
  /** The table; of another schema than `public`: `schema.table`. */
  readonly table: string;
  readonly key: Key;
  readonly notFound: ErrorDefinition;
  readonly fields: F;
  /** The errors of values that another record has, by the name of the unique constraint or index. */
  readonly taken?: Readonly<Record<string, ErrorDefinition | (() => AppError)>>;
  /** Totals that another table keeps. */
  readonly totals?: Totals;
  /** The SQL function that finds the few records which lists ask for (`finder.ts`). */
  readonly finder?: string;
  /** The column that names the unit whose history it is; of what units own: `owner_bu_id`. */
  readonly historyOwner?: string;
  /** A parent record imposes the owning unit, so bodies do not name it. */
  readonly ownedByParent?: true;
  /** Filters beside those of the fields: by a relation, a member of a JSON column, or something computed. */
  readonly filters?: Readonly<Record<string, FilterField>>;
  /** Columns that lists can be ordered by, beside `created_at`: never null, each with an index after the tenant and the parent. */
  readonly sorts?: readonly string[];
  /** What filters can do. Default: everything. */
  readonly operations?: readonly FilterOperation[];
  /**
   * Refuses who may not do to the tenant's own records what `needed` stands for. Default: whoever holds that role in
   * any unit may.
   */
  readonly guard?: (caller: Caller, needed: Role) => void;
}

/** A cache of what lists show, by the names of their members. */
interface Choices<R> {
  get(name: string): R | undefined;
  set(name: string, choice: R): unknown;
}

/** What the type checker knows of a resource's records and bodies. */
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
 * A kind of record, with what follows from its description. What units own has a column `owner_bu_id`, and `shared` where
 * the tenant can share records among its units (docs/specification/tenants.md#what-a-call-reaches); the rest
 * is the tenant's.
 */
export interface Resource<T extends ResourceTypes = ResourceTypes>
  extends Omit<Description<Fields>, 'filters' | 'operations'> {
  readonly filters: FilterDefinition;
  /** The kind of each column. */
  readonly kinds: ReadonlyMap<string, ColumnKind>;
  readonly columns: readonly string[];
  /** How those of them are made that no row holds. */
  readonly computed: ReadonlyMap<string, (table: string) => Expression<unknown>>;
  /** Whether `version` counts the writes of a record. */
  readonly isVersioned: boolean;
  /** What bodies call the unit that owns a record: as answers do. */
  readonly ownerName: string;
  /** What lists read. */
  readonly listColumns: readonly string[];
  /** Those of them whose values may be of any length. */
  readonly largeColumns: readonly string[];
  /** The same with some members in its lists, by their names: kept so that their statements are compiled once. */
  readonly choices: Choices<Resource<T>>;
  /** Columns that `search` looks in; none: the list has no search. */
  readonly search: readonly string[];
  /** The record as its GET shows it; also what history keeps, so it holds no secrets. */
  view(row: T['row']): T['view'];
  /** The same in SQL, of the columns of `table`. */
  readonly sqlView: (table: string) => Expression<unknown>;
  /** The record as lists show it. */
  listView(row: T['row']): T['view'];
  /** The same in SQL, of the columns of `table`. */
  readonly sqlListView: (table: string) => Expression<unknown>;
  readonly reply: TUnsafe<T['view']>;
  readonly listReply: TUnsafe<T['view']>;
  readonly createBody: TUnsafe<T['create'] & OwnerOption>;
  readonly replaceBody: TUnsafe<T['replace'] & OwnerOption & VersionOption>;
}

/** Makes a resource of its description. @throws Error when history shall keep records that count no versions. */
export function defineResource<const F extends Fields>(description: Description<F>): Resource<TypesOf<F>> {
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
    throw new Error(`${description.table} needs a version: its records leave history.`);
  const ownerName =
    stored.find(({ column, field }) => column === 'owner_bu_id' && !field.hidden)?.name ?? 'business_unit';
  const owner: Readonly<Record<string, TSchema>> =
    kinds.has('owner_bu_id') && !description.ownedByParent ? { [ownerName]: ownerOption.business_unit } : {};
  const whole = viewOf<T['row'], T['view']>(fields, false, title);
  const listed = viewOf<T['row'], T['view']>(fields, true, title);
  return {
    ...description,
    kinds,
    columns: [...new Set(['tenant_id', ...kinds.keys()])],
    computed: new Map(
      stored.flatMap(({ column, field: { computed } }) => (computed ? [[column, computed]] : [])),
    ),
    isVersioned,
    ownerName,
    // Without what only the whole record shows; what is shown nowhere may be what a list's rows are told apart by.
    listColumns: [...new Set(['tenant_id', ...columnsWhere(({ listed }) => listed !== false)])],
    largeColumns: columnsWhere((field) => field.listed !== false && isOfAnyLength(field)),
    choices: new LRUCache<string, Resource<T>>({ max: KEPT_CHOICES }),
    search: columnsWhere(({ search }) => search === true),
    filters: {
      fields: { ...filtersOf(stored), ...description.filters },
      operations: description.operations ?? FILTER_OPERATIONS,
    },
    sqlView: whole.sql,
    view: whole.of,
    listView: listed.of,
    sqlListView: listed.sql,
    reply: titled<T['view']>(whole.schema, title),
    listReply: titled<T['view']>(listed.schema, title, hasShorterList(stored) ? 'Summary' : ''),
    createBody: titled<T['create'] & OwnerOption>(
      bodySchema(fields, 'create', owner, title),
      title,
      'Create',
    ),
    replaceBody: titled<T['replace'] & OwnerOption & VersionOption>(
      bodySchema(
        fields,
        isChosen(key) ? 'create' : 'replace',
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
        sql: field.kind === 'integer' ? ofInteger(column) : ofColumn(column),
      },
    ]),
  );
}

/** Returns true if lists leave out fields that the whole record shows. */
function hasShorterList(stored: readonly { readonly field: Field }[]): boolean {
  return stored.some(({ field }) => field.listed === false && !field.hidden);
}

/** What the platform makes is short; only what it is given by others may not be. */
function isOfAnyLength({ kind, schema, computed, writes }: Field): boolean {
  if (computed !== undefined) return false;
  return kind === 'json' || (kind === 'text' && writes !== 'platform' && !('maxLength' in schema));
}

function titled<V>(schema: TSchema, title: string | undefined, suffix = ''): TUnsafe<V> {
  return Type.Unsafe<V>(title === undefined ? schema : { ...schema, title: `${title}${suffix}` });
}

/** Whether units own the records, rather than the tenant. */
export function isOwned({ kinds }: Resource): boolean {
  return kinds.has('owner_bu_id');
}
