import { type ParsedMail, simpleParser } from 'mailparser';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import { normalizeAddress } from '../../../mail/address.ts';
import type { Platform } from '../../../platform.ts';
import { listViews } from '../../../resources/lists.ts';
import type { PageRequest } from '../../../resources/paging.ts';
import { getRecord } from '../../../resources/records.ts';
import { messages } from './resource.ts';

/** Returns one page of captured messages of all tenants, newest first; `to` selects an address. */
export async function listMessages(platform: Platform, to: string | undefined, request: PageRequest) {
  const filters = to === undefined ? {} : { to: { operation: 'eq', value: normalizeAddress(to) } };
  const page = await listViews(everyMessage(platform), messages, { ...request, filters });
  const url = (id: string) => `${platform.publicUrl()}/admin/outbox/${id}/raw`;
  return { ...page, results: page.results.map((each) => ({ ...each, raw_url: url(each.id) })) };
}

/** Returns a captured message as a mail program would show it. @throws NOT_FOUND */
export async function readMessage(platform: Platform, id: string) {
  const row = await getRecord(everyMessage(platform), messages, id);
  const parsed = await simpleParser(Buffer.from(row.raw), {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
    skipTextLinks: true,
  });
  return {
    ...messages.view(row),
    html: parsed.html === false ? null : parsed.html,
    text: parsed.text ?? null,
    headers: toHeaders(parsed),
  };
}

/** Returns the bytes of a captured message. @throws NOT_FOUND */
export async function readRawMessage(platform: Platform, id: string): Promise<Buffer> {
  const { raw } = await getRecord(everyMessage(platform), messages, id);
  // The embedded database returns plain byte arrays.
  return Buffer.from(raw);
}

function everyMessage({ database }: Platform): EveryTenantDb {
  return database.everyTenant('operator-outbox');
}

/** Returns the headers as decoded text, and as the original field where the parser returns something else. */
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
