import Type, { type Static } from 'typebox';
import { nullable } from '../../http/schemas.ts';
import { REPORT_TYPES } from '../../reports/report.ts';
import { Filters } from '../../resources/paging.ts';

const Moment = Type.String({ format: 'date-time' });

/** The body of an export request. */
export const ExportBody = Type.Object(
  {
    receiver_email: Type.String({ maxLength: 320, description: 'Recipient of the file.' }),
    report_type: Type.Enum([...REPORT_TYPES]),
    output_format: Type.Enum(['csv']),
    filters: Filters,
    byte_order_mark: Type.Optional(
      Type.Boolean({
        description:
          'Start the file with a byte order mark, so that Excel detects UTF-8. Default: true for browsers.',
      }),
    ),
  },
  { title: 'ReportExport' },
);
/** A request for an export. */
export type ExportBody = Static<typeof ExportBody>;

/** Reply to an accepted export. */
export const ExportAccepted = Type.Object({ messageId: Type.String() }, { title: 'ReportExportQueued' });

/** The progress of an export. */
export const ExportProgress = Type.Object(
  {
    messageId: Type.String(),
    status: Type.Enum(['queued', 'running', 'sent', 'failed'], {
      description: '`sent`: the mail was handed to the relay.',
    }),
    rows: nullable(Type.Integer({ description: 'Excluding the header; null until all are read.' })),
    created_at: Moment,
    finished_at: nullable(Moment),
    error: nullable(Type.String({ description: 'Why the export or its mail failed.' })),
  },
  { title: 'ReportExportProgress' },
);
/** An export with its progress. */
export type ExportProgress = Static<typeof ExportProgress>;
