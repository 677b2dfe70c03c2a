/** The mail that delivers an export (docs/specification/reports.md#export). */

import { html } from '../../http/html.ts';
import type { Platform } from '../../platform.ts';
import type { ReportType } from '../../reports/report.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { DefaultSender } from '../email-settings/api.ts';
import type { PlatformMail } from '../mail/api.ts';
import { readFile } from './file.ts';
import { fileUrl, LINK_DAYS } from './links.ts';
import type { ExportRow } from './tables.ts';

/** Maximum size of an attached file, in bytes. Larger ones are sent as a link. */
export const MAX_ATTACHED_BYTES = 10_000_000;

const LABELS: Readonly<Record<ReportType, string>> = {
  campaigns: 'campaigns',
  marketing_email_details: 'campaign emails',
  subscribers: 'subscribers',
  form_submissions: 'form submissions',
};

/** Number of rows and size of a complete file. */
export interface WrittenFile {
  readonly rows: number;
  readonly bytes: number;
}

/** Returns the file name of an export. */
export function fileNameOf({
  report_type: type,
  created_at: at,
}: Pick<ExportRow, 'report_type' | 'created_at'>) {
  return `${type}-${at.slice(0, 'YYYY-MM-DD'.length)}.csv`;
}

/** Builds the mail that delivers a file, attached or as a link. Its transmission has the id of the export. */
export async function buildMail(
  platform: Platform,
  db: ScopedDb,
  exportRow: ExportRow,
  { rows, bytes }: WrittenFile,
  { from, replyTo }: DefaultSender,
): Promise<PlatformMail> {
  const label = LABELS[exportRow.report_type];
  const name = fileNameOf(exportRow);
  const isAttached = bytes <= MAX_ATTACHED_BYTES;
  const summary = `The export of ${label} requested on ${exportRow.created_at} has ${rows} rows.`;
  const url = isAttached ? null : fileUrl(platform, db.tenantId, exportRow.id, platform.clock());
  const instructions = isAttached
    ? `It is attached as ${name}.`
    : `Anyone with this link can download it for ${LINK_DAYS} days:`;
  return {
    id: exportRow.id,
    ownerBuId: exportRow.mail_bu_id,
    description: `Export of ${label}`,
    to: [exportRow.receiver_email],
    from,
    replyTo,
    subject: `Export of ${label}`,
    html: mailHtml(summary, instructions, url),
    text: [summary, instructions, ...(url === null ? [] : [url])].join('\n'),
    attachments: isAttached ? [await attach(db, exportRow, name, bytes)] : [],
  };
}

async function attach(db: ScopedDb, { id, attempts }: ExportRow, name: string, bytes: number) {
  const parts = await Array.fromAsync(readFile(db, { id, attempts, file_bytes: bytes }));
  return { name, type: 'text/csv', data: Buffer.concat(parts).toString('base64') };
}

function mailHtml(summary: string, instructions: string, url: string | null): string {
  const link =
    url === null
      ? null
      : html`<p><a href="${url}">${url}</a></p>
`;
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Export</title></head>
<body style="font-family:system-ui,sans-serif;font-size:15px;line-height:1.45;color:#1b1b1f">
<p>${summary}</p>
<p>${instructions}</p>
${link}</body>
</html>
`;
  return page.toString();
}
