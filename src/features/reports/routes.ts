import { Readable } from 'node:stream';
import Type from 'typebox';
import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { defineRawRoute, defineRoute, type Route } from '../../http/route.ts';
import type { Job } from '../../jobs/jobs.ts';
import type { Report } from '../../reports/report.ts';
import { ExportAccepted, ExportBody, ExportProgress } from './schema.ts';
import { acceptExport, checkExport, EXPORT_CHECKS, findLinkedFile, getProgress } from './service.ts';

const tag = 'Reports';
/** Limit per tenant: each export reads a whole table and sends a file to an address that the caller chooses. */
const EXPORTS_PER_HOUR = 60;

/** Routes of exports of these kinds, which `job` writes (docs/specification/reports.md#export). */
export function reportRoutes(reports: ReadonlyMap<string, Report>, job: Job): readonly Route[] {
  return [
    defineRoute({
      id: 'reports.export',
      method: 'POST',
      path: '/api/reports/export',
      summary: 'Exports records as a CSV file, which is sent by mail',
      description:
        'The records that the caller reads, as they are when the export is made. `filters` are those of the list of the same records; a plain value means `eq`, an array `in`, and `from` and `to` bound the date of the rows. At most 60 an hour for each tenant.',
      tag,
      access: 'editor',
      rateLimit: { limit: EXPORTS_PER_HOUR, windowSeconds: 3600, per: 'tenant' },
      body: ExportBody,
      checks: EXPORT_CHECKS,
      reply: ExportAccepted,
      prepare: (ctx, { body }) => checkExport(ctx, body, reports),
      write: (ctx, { body }, conditions) => acceptExport(ctx, body, conditions, job),
    }),
    defineRoute({
      id: 'reports.get_export',
      method: 'GET',
      path: '/api/reports/export/{messageId}',
      summary: 'How far an export is',
      description: 'For whoever asked for it, and for owners of the tenant.',
      tag,
      access: 'member',
      errors: [NOT_FOUND],
      params: Type.Object({ messageId: Type.String() }),
      reply: ExportProgress,
      handler: (ctx, { params }) => getProgress(ctx, params.messageId),
    }),
    downloadRoute,
  ];
}

/** Not cached by others, and never shown as a page of ours. */
const FILE_HEADERS = {
  'content-type': 'text/csv; charset=utf-8; header=present',
  'cache-control': 'no-store, private',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const;

const OVER =
  'There is no such export, its link is over, or something that it held was erased. Ask for it again.';

const downloadRoute = defineRawRoute({
  id: 'reports.download',
  method: 'GET',
  path: '/reports/{token}',
  summary: 'The file of an export that is too large for a mail',
  description: 'The link in the mail: it needs no key, and is good for 7 days.',
  tag,
  access: 'public',
  errors: [NOT_FOUND],
  params: Type.Object({ token: Type.String() }),
  raw: { contentType: 'text/csv', description: 'The file.' },
  handler: async (ctx, { params }) => {
    const file = await findLinkedFile(ctx, params.token);
    if (file === null) throw new AppError(NOT_FOUND, { message: OVER });
    const headers = {
      ...FILE_HEADERS,
      'content-length': String(file.bytes),
      'content-disposition': `attachment; filename="${file.name}"`,
    };
    return { status: 200, headers, body: ctx.method === 'HEAD' ? Readable.from([]) : file.content };
  },
});
