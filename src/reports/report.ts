/** What a feature brings so that its records can be exported: `Feature.reports` lists them. */
import type { ScopedDb } from '../tenancy/scoped-db.ts';

/** What can be exported (docs/specification/reports.md#export). */
export const REPORT_TYPES = [
  'campaigns',
  'marketing_email_details',
  'subscribers',
  'form_submissions',
] as const;

/** A kind of export. */
export type ReportType = (typeof REPORT_TYPES)[number];

/** Conditions by field, each `{operation, value}` or operations with their values. */
export type ReportFilters = Readonly<Record<string, unknown>>;

/** The date of a report's rows, which `from` and `to` bound: a field of its filters. */
export interface ReportDate {
  readonly field: string;
  readonly type: 'date' | 'time';
}

/** A table of any length: rows have a value for each column, some at a time. */
export interface ReportRows {
  readonly columns: readonly string[];
  readonly pages: AsyncIterable<readonly ReportRow[]>;
}

/** Texts, numbers, true or false; null and undefined are empty cells; anything else is written as JSON. */
export type ReportRow = readonly unknown[];

/** One kind of export. For the records of a list, `resourceReport` makes it. */
export interface Report {
  readonly type: ReportType;
  readonly date: ReportDate;
  /** @throws AppError INVALID_REQUEST naming each filter that cannot be. */
  readonly check: (db: ScopedDb, filters: ReportFilters) => Promise<void>;
  /**
   * The rows that `db` reaches, in a memory that does not grow with them. `db` is a snapshot, which ends when `pages`
   * has been gone through: nothing but the database is awaited.
   * @throws ReportRefusal
   */
  readonly read: (db: ScopedDb, filters: ReportFilters) => Promise<ReportRows>;
}

/** Why an export cannot be made, in words for whoever asked for it: another try would end the same way. */
export class ReportRefusal extends Error {
  override readonly name = 'ReportRefusal';
}
