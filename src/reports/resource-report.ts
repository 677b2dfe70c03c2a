/** Reports of list routes: the filters of the list, and its fields as columns. */
import type { FilterField } from '../resources/filter-field.ts';
import { readFilters } from '../resources/filters.ts';
import { distinctMemberNames, recordPages } from '../resources/record-pages.ts';
import type { Resource, ResourceTypes } from '../resources/resource.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { DATE_BOUNDS } from './plain-filters.ts';
import {
  type Report,
  type ReportDate,
  type ReportFilters,
  ReportRefusal,
  type ReportRow,
  type ReportType,
} from './report.ts';

/** Maximum number of columns of one object: more than a form can have questions. Limits the memory of a row. */
const MAX_NAMES = 1000;

/** Definition of the report of a list. */
export interface ResourceReport {
  readonly type: ReportType;
  readonly date: ReportDate;
  /** A field with an object, and its column prefix: each member of the object is a column `<prefix>.<name>`. */
  readonly spread?: {
    readonly field: string;
    readonly prefix: string;
    /** Sorts the names of the columns; absent: alphabetically. */
    readonly sortNames?: (
      db: ScopedDb,
      filters: ReportFilters,
      names: readonly string[],
    ) => Promise<readonly string[]>;
  };
  /** Filter fields that depend on the request, as in the list's route. */
  readonly fields?: (db: ScopedDb, filters: ReportFilters) => Promise<Readonly<Record<string, FilterField>>>;
}

/** Creates the report of a resource's list. */
export function resourceReport<T extends ResourceTypes>(
  resource: Resource<T>,
  { type, date, spread, fields }: ResourceReport,
): Report {
  const listQueryOf = async (db: ScopedDb, filters: ReportFilters) => ({
    filters,
    ...(fields ? { fields: await fields(db, filters) } : {}),
  });
  const fieldNames =
    'properties' in resource.listReply ? Object.keys(Object(resource.listReply.properties)) : [];
  return {
    type,
    date,
    async check(db, filters) {
      const { operations, fields: defaultFields } = resource.filters;
      const definition = { operations, fields: { ...defaultFields, ...(await fields?.(db, filters)) } };
      readFilters(definition, filters, { otherFields: DATE_BOUNDS });
    },
    async read(db, filters) {
      const listQuery = await listQueryOf(db, filters);
      const found = spread
        ? await distinctMemberNames(db, resource, listQuery, spread.field, MAX_NAMES + 1)
        : [];
      if (found.length > MAX_NAMES) throw tooManyColumns(spread?.field ?? '');
      const names = (await spread?.sortNames?.(db, filters, found)) ?? found;
      const columns = fieldNames.flatMap((name) =>
        name === spread?.field ? names.map((each) => `${spread.prefix}.${each}`) : name,
      );
      const toRow = (view: object) => {
        const row: unknown[] = [];
        for (const name of fieldNames) {
          const value: unknown = Reflect.get(view, name);
          if (name !== spread?.field) row.push(value);
          else for (const each of names) row.push(memberOf(value, each));
        }
        return row;
      };
      return { columns, pages: pagesOf(db, resource, listQuery, toRow) };
    },
  };
}

async function* pagesOf<T extends ResourceTypes>(
  db: ScopedDb,
  resource: Resource<T>,
  listQuery: Parameters<typeof recordPages>[2],
  toRow: (view: object) => ReportRow,
): AsyncGenerator<readonly ReportRow[]> {
  for await (const rows of recordPages(db, resource, listQuery))
    yield rows.map((row) => toRow(resource.listView(row)));
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : null;
}

function tooManyColumns(field: string): ReportRefusal {
  return new ReportRefusal(
    `${field} has more than ${MAX_NAMES} different names. Use filters to reduce them.`,
  );
}
