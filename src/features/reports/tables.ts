import type { ColumnType, Selectable } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import type { ReportFilters, ReportType } from '../../reports/report.ts';
import type { JsonColumn } from '../../resources/field-types.ts';

/** Stored status of an export. Once it is `mailed`, the API returns the status of its mail instead. */
export type StoredStatus = 'queued' | 'running' | 'mailed' | 'failed';

declare module '../../db/tables.ts' {
  interface Tables {
    report_exports: {
      tenant_id: string;
      id: string;
      created_at: Time;
      membership_id: string;
      mail_bu_id: string;
      receiver_email: string;
      report_type: ReportType;
      filters: JsonColumn<ReportFilters>;
      unit_ids: JsonColumn<readonly string[]> | null;
      byte_order_mark: boolean | null;
      status: StoredStatus;
      attempts: ColumnType<number, never, number>;
      rows: number | null;
      file_bytes: number | null;
      finished_at: Time | null;
      error: string | null;
    };
    report_parts: { tenant_id: string; export_id: string; attempt: number; part: number; data: Buffer };
  }
}

/** A requested export. */
export type ExportRow = Selectable<Tables['report_exports']>;
