/** Contract for exports: `Feature.reports` lists a feature's reports. */
import type { ScopedDb } from '../tenancy/scoped-db.ts';

/** Types of exports (docs/specification/reports.md#export). */
export const REPORT_TYPES = [
  'campaigns',
  'marketing_email_details',
  'subscribers',
  'form_submissions',
] as const;

/** A type of export. */
export type ReportType = (typeof REPORT_TYPES)[number];

/** Conditions by field, each `{operation, value}` or operations with their values. */
export type ReportFilters = Readonly<Record<string, unknown>>;

/** The date field of a report's rows, to which `from` and `to` apply. */
export interface ReportDate {
  readonly field: string;
  readonly type: 'date' | 'time';
}

/** A table of any length, read in pages; rows have a value for each column. */
export interface ReportRows {
  readonly columns: readonly string[];
  readonly pages: AsyncIterable<readonly ReportRow[]>;
}

/**
 * Values of a row: texts, numbers and booleans; null and undefined are empty cells; other values are written as JSON.
 */
export type ReportRow = readonly unknown[];

/** One type of export. `resourceReport` creates it for the records of a list. */
export interface Report {
  readonly type: ReportType;
  readonly date: ReportDate;
  /** Checks the filters. @throws AppError INVALID_REQUEST naming each invalid filter. */
  readonly check: (db: ScopedDb, filters: ReportFilters) => Promise<void>;
  /**
   * Returns the accessible rows of `db`, in limited memory. `db` is a snapshot that stays open until `pages` is
   * consumed, so wait for nothing but the database.
   * @throws ReportRefusal if the export is impossible.
   */
  readonly read: (db: ScopedDb, filters: ReportFilters) => Promise<ReportRows>;
}

/** Thrown when an export is impossible, with a message for the user. A retry would fail too. */
export class ReportRefusal extends Error {
  override readonly name = 'ReportRefusal';
}
