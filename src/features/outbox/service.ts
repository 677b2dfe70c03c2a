import { type ParsedMail, simpleParser } from 'mailparser';
import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { normalizeAddress } from '../../mail/address.ts';
import type { Platform } from '../../platform.ts';
import { type PageRequest, toListPage } from '../../resources/paging.ts';
import { findOutboxMessage, listOutbox, type OutboxSummaryRow } from './queries.ts';

/** One page of captured messages; `to` narrows it to an address. */
export async function listMessages(platform: Platform, to: string | undefined, request: PageRequest) {
  const recipient = to === undefined ? null : normalizeAddress(to);
  const { rows, total } = await listOutbox(
    platform.database.everyTenant('operator-outbox'),
    recipient,
    request,
  );
  const results = rows.map((row) => ({
    ...toSummary(row),
    raw_url: `${platform.publicUrl()}/admin/outbox/${row.id}/raw`,
  }));
  return toListPage(results, total, request);
}

/** A captured message as a mail program would show it. @throws NOT_FOUND */
export async function readMessage(platform: Platform, id: string) {
  const row = await getMessage(platform, id);
  const parsed = await simpleParser(row.raw, {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
    skipTextLinks: true,
  });
  return {
    ...toSummary(row),
    html: parsed.html === false ? null : parsed.html,
    text: parsed.text ?? null,
    headers: toHeaders(parsed),
  };
}

/** A captured message as it would have been sent. @throws NOT_FOUND */
export async function readRawMessage(platform: Platform, id: string): Promise<Buffer> {
  return (await getMessage(platform, id)).raw;
}

async function getMessage(platform: Platform, id: string) {
  const row = await findOutboxMessage(platform.database.everyTenant('operator-outbox'), id);
  if (!row) throw new AppError(NOT_FOUND);
  return row;
}

function toSummary(row: OutboxSummaryRow) {
  return {
    id: row.id,
    to: row.recipient,
    from: row.header_from,
    subject: row.subject,
    created_at: row.created_at,
  };
}

/** What the parser decoded to a text, and the field itself where it made something else of it. */
function toHeaders({ headerLines, headers }: ParsedMail): Record<string, string | string[]> {
  const fields = new Map<string, string[]>();
  for (const { key, line } of headerLines) {
    const decoded = headers.get(key);
    const plain = line
      .slice(line.indexOf(':') + 1)
      .replace(/\r?\n(?=[ \t])/g, '')
      .trim();
    fields.set(key, [...(fields.get(key) ?? []), typeof decoded === 'string' ? decoded : plain]);
  }
  return Object.fromEntries(
    [...fields].map(([key, values]) => [key, values.length === 1 ? values.join() : values]),
  );
}
