/**
 * Finds records of one kind by a text, for the search in all kinds. Each search reads a few rows of an index: by key,
 * by an address, or by the beginning of the name.
 */
import { type SqlBool, sql } from 'kysely';
import type { MemberContext } from '../http/context.ts';
import type { Caller } from '../tenancy/caller.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { type AnyQuery, runCompiled } from './compiled-statements.ts';
import { keyOf, sortKeyOf } from './keys.ts';
import { orderBy, sortsOf } from './list-order.ts';
import { listOrdered } from './lists.ts';
import type { AnyRow, Resource } from './resource.ts';
import { partsOfSortKey } from './restored-records.ts';
import type { SearchKind } from './search-kinds.ts';

/** Rows that a search by name reads from each place of the index. */
const NAMED_ROWS = 20;
/** Records with one address among which the newest are chosen. */
const ADDRESS_ROWS = 1000;
/** Maximum length of a title or subtitle, in characters: names may have any length. */
const MAX_CHARS = 200;

/** A record that a search found. */
export interface FoundRecord {
  readonly entityType: SearchKind;
  /** As in history: `<project_id>#<id>` inside projects. */
  readonly key: string;
  readonly title: string;
  readonly subtitle: string | null;
  /** The owning unit; null for records of the tenant. */
  readonly ownerBuId: string | null;
}

/** Returns at most `limit` records that match a text and that the caller may see. */
type FindRecords = (ctx: MemberContext, text: string, limit: number) => Promise<FoundRecord[]>;

/** A kind of record that can be searched. A feature lists it in its manifest, under `searches`. */
export interface RecordSearch {
  readonly entityType: SearchKind;
  /** Returns false for callers who see no records of the kind. Default: all callers with a unit see some. */
  readonly isVisible?: (caller: Caller) => boolean;
  /** Finds the records that a text identifies. */
  readonly findExact: FindRecords;
  /** Finds records by their names. */
  readonly findNamed: FindRecords;
}

/** The parts of a search that do not follow from the resource. */
interface SearchRules {
  /** The kind, if the resource has no history. */
  readonly kind?: SearchKind;
  /** Columns of the title. Default: `name` or `label`. If all are empty, the title is the key. */
  readonly title?: readonly string[];
  /** Column of the second line. Default: the key, unless it is a UUID. */
  readonly subtitle?: string;
  /** A filter by an address, which identifies records and has an index. */
  readonly address?: string;
  /** Returns the key that a text stands for. Default: the text, also in lower case. */
  readonly toKey?: (text: string) => string | null;
  /** Column of the names. Default: `name`. */
  readonly named?: string;
  /** False if the index of names begins with the parent, so that names of all parents would be read. */
  readonly byName?: boolean;
}

/**
 * Derives the search of a kind from its resource. Names are searched by the resource's finder, or by an index of all
 * names in the tenant; without either, records are found by key and address only.
 * @throws Error if neither the resource nor the rules name a kind.
 */
export function searchOf(resource: Resource, rules: SearchRules = {}): RecordSearch {
  const { finder, key } = resource;
  const entityType = rules.kind ?? resource.entityType;
  if (entityType === undefined)
    throw new Error(`${resource.table} has no history, so its search needs a kind.`);
  const toFound = (row: AnyRow) => toFoundRecord(resource, entityType, rules, row);
  return {
    entityType,
    findExact: async ({ db }, text, limit) => {
      const rows = [
        ...(await readByKey(db, resource, rules, text)),
        ...(await readByAddress(db, resource, rules, text, limit)),
      ];
      return rows.map(toFound);
    },
    findNamed: async ({ db }, text, limit) => {
      const read = finder === undefined || key.columns.length > 1 ? readByName : readByFinder;
      return (await read(db, resource, rules, text, limit)).map(toFound);
    },
  };
}

function toFoundRecord(
  resource: Resource,
  entityType: SearchKind,
  { title = titleColumns(resource), subtitle }: SearchRules,
  row: AnyRow,
): FoundRecord {
  const { key, kinds } = resource;
  const textOf = (column: string) => (typeof row[column] === 'string' ? row[column] : '');
  const sortKey = sortKeyOf(key, keyOf(resource, row));
  const isShownKey = kinds.get(key.columns.at(-1) ?? '') !== 'uuid';
  const name = title
    .map(textOf)
    .filter((part) => part !== '')
    .join(' ');
  const second = subtitle === undefined ? (isShownKey ? sortKey : '') : textOf(subtitle);
  const owner = textOf('owner_bu_id');
  return {
    entityType,
    key: sortKey,
    title: shortened(name === '' ? sortKey : name),
    subtitle: second === '' || second === name ? null : shortened(second),
    ownerBuId: owner === '' ? null : owner,
  };
}

/** Cuts a title or subtitle of a found record. */
export function shortened(text: string): string {
  return text.slice(0, MAX_CHARS).toWellFormed();
}

function titleColumns({ kinds }: Resource): readonly string[] {
  return ['name', 'label'].filter((column) => kinds.has(column));
}

/** The columns from which a found record is made. */
function columnsOf(resource: Resource, { title = titleColumns(resource), subtitle }: SearchRules): string[] {
  const owner = resource.kinds.has('owner_bu_id') ? ['owner_bu_id'] : [];
  return [
    ...new Set([...resource.key.columns, ...title, ...(subtitle === undefined ? [] : [subtitle]), ...owner]),
  ];
}

function readByKey(db: ScopedDb, resource: Resource, rules: SearchRules, text: string): Promise<AnyRow[]> {
  const keys = rules.toKey === undefined ? [text, text.toLowerCase()] : [rules.toKey(text) ?? ''];
  const parts = keys.map((key) => partsOfSortKey(resource, key)).find((each) => each !== null);
  if (parts === undefined) return Promise.resolve([]);
  return runCompiled(db, resource, 'found by key', parts, (query, slots) =>
    resource.key.columns.reduce(
      (rows, column, index) => rows.where(column, '=', slots[index]),
      query.selectFrom(resource.table).select(columnsOf(resource, rules)),
    ),
  );
}

/** Reads the newest records with an address. */
async function readByAddress(
  db: ScopedDb,
  resource: Resource,
  rules: SearchRules,
  text: string,
  limit: number,
): Promise<AnyRow[]> {
  const { address = '' } = rules;
  const normal = resource.filters.fields[address]?.normalization;
  if (normal === undefined || !text.includes('@')) return [];
  const columns = columnsOf(resource, rules);
  return runCompiled(db, resource, 'found by address', [normal.of(text), limit], (query, [value, slot]) =>
    query
      // The limit inside keeps the planner from reading the newest records of all addresses.
      .selectFrom(
        query
          .selectFrom(resource.table)
          .select([...columns, 'created_at'])
          .where(normal.column, '=', value)
          .limit(ADDRESS_ROWS)
          .as('found'),
      )
      .select(columns.map((column) => `found.${column}`))
      .orderBy('found.created_at', 'desc')
      .limit(sql<number>`${slot}::bigint`),
  );
}

async function readByFinder(
  db: ScopedDb,
  resource: Resource,
  _rules: SearchRules,
  text: string,
  limit: number,
): Promise<AnyRow[]> {
  const { rows } = await listOrdered(db, resource, { search: text, page: 1, limit, count: false });
  return rows.map((row) => Object(row));
}

/**
 * Reads the records whose names begin with the text, in any letter case. The index has names as they are written, so
 * the text is looked up as it is, in lower case, with a capital, and in capitals: a few names after each of these
 * places are read, and those that begin with the text are returned.
 */
async function readByName(
  db: ScopedDb,
  resource: Resource,
  rules: SearchRules,
  text: string,
  limit: number,
): Promise<AnyRow[]> {
  const column = namedColumn(resource, rules);
  if (column === null) return [];
  const lower = text.toLowerCase();
  const places = [text, lower, lower.replace(/^./u, (first) => first.toUpperCase()), text.toUpperCase()];
  const order = { column, isDescending: false };
  const rowsAfter = (query: AnyQuery, place: unknown) =>
    query
      .selectFrom(
        query
          .selectFrom(resource.table)
          .select([...new Set([...columnsOf(resource, rules), column])])
          .where(sql<SqlBool>`${sql.ref(column)} >= ${place}::text`)
          .orderBy(orderBy(resource, order))
          .limit(NAMED_ROWS)
          .as('named'),
      )
      .selectAll();
  const rows = await runCompiled<AnyRow>(db, resource, 'found by name', places, (query, slots) =>
    slots.map((place) => rowsAfter(query, place)).reduce((all, some) => all.union(some)),
  );
  const matching = rows.filter((row) => String(row[column]).toLowerCase().startsWith(lower));
  return matching.slice(0, limit);
}

/** The column with the names of all the tenant's records in an index; null if there is none. */
function namedColumn(resource: Resource, { byName = true, named = 'name' }: SearchRules): string | null {
  const { key } = resource;
  const isSorted = key.columns.length === 1 && sortsOf(resource).includes(named);
  return byName && (isSorted || key.columns[0] === named) ? named : null;
}
