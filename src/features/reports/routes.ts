import { Readable } from 'node:stream';
import Type from 'typebox';
import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../http/body-limit.ts';
import { defineRawRoute, defineRoute, type Route } from '../../http/route.ts';
import type { Job } from '../../jobs/jobs.ts';
import type { Report } from '../../reports/report.ts';
import { ExportAccepted, ExportBody, ExportProgress } from './schema.ts';
import { acceptExport, checkExport, EXPORT_CHECKS, findLinkedFile, getProgress } from './service.ts';

const tag = 'Reports';
/** Limit per tenant: each export reads a whole table and sends a file to an address that the caller chooses. */
const EXPORTS_PER_HOUR = 60;

/** Returns the routes that export `reports` (docs/specification/reports.md#export). `job` writes an accepted export. */
export function reportRoutes(reports: ReadonlyMap<string, Report>, job: Job): readonly Route[] {
  return [
    defineRoute({
      id: 'reports.export',
      method: 'POST',
      path: '/api/reports/export',
      summary: 'Exports records as CSV, sent by mail',
      description:
        "Exports the records that the caller can read. `filters` are those of the list; a plain value means `eq`, an array `in`; `from` and `to` limit the rows' date. At most 60 per hour and tenant.",
      tag,
      access: 'editor',
      rateLimit: { limit: EXPORTS_PER_HOUR, windowSeconds: 3600, per: 'tenant' },
      body: ExportBody,
      maxBodyBytes: CONTENT_BODY_BYTES,
      checks: EXPORT_CHECKS,
      reply: ExportAccepted,
      prepare: (ctx, { body }) => checkExport(ctx, body, reports),
      write: (ctx, { body }, conditions) => acceptExport(ctx, body, conditions, job),
    }),
    defineRoute({
      id: 'reports.get_export',
      method: 'GET',
      path: '/api/reports/export/{messageId}',
      summary: 'Reads the progress of an export',
      description: 'For the requester and owners.',
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

/** Headers that prevent that proxies cache a file, or that browsers display it as a page. */
const FILE_HEADERS = {
  'content-type': 'text/csv; charset=utf-8; header=present',
  'cache-control': 'no-store, private',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const;

const UNAVAILABLE =
  'The export does not exist, its link has expired, or data in it was erased. Request it again.';

const downloadRoute = defineRawRoute({
  id: 'reports.download',
  method: 'GET',
  path: '/reports/{token}',
  summary: 'Downloads an export that is too large for mail',
  description: 'The link in the mail: valid for 7 days without a key.',
  tag,
  access: 'public',
  errors: [NOT_FOUND],
  params: Type.Object({ token: Type.String() }),
  raw: { contentType: 'text/csv', description: 'The file.' },
  handler: async (ctx, { params }) => {
    const file = await findLinkedFile(ctx, params.token);
    if (file === null) throw new AppError(NOT_FOUND, { message: UNAVAILABLE });
    const headers = {
      ...FILE_HEADERS,
      'content-length': String(file.bytes),
      'content-disposition': `attachment; filename="${file.name}"`,
    };
    return { status: 200, headers, body: ctx.method === 'HEAD' ? Readable.from([]) : file.content };
  },
});
