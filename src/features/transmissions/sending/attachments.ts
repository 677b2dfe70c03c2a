/** The files of a transmission, fetched once per process and kept while it is sent. */
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { MailAttachment } from '../../../mail/message.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { MAX_ATTACHMENT_BYTES } from '../request-check.ts';
import type { StoredAttachment } from '../tables.ts';
import type { LoadedTransmission } from './queries.ts';

/** The files, or why the messages cannot be sent. */
export type Attachments =
  | { readonly ok: true; readonly files: readonly MailAttachment[] }
  | { readonly ok: false; readonly error: string };

const NONE: Attachments = { ok: true, files: [] };
const TRIES = 3;
/** Before the second and the third try. */
const WAITS_MS = [500, 2000];
const MAX_CACHED_TRANSMISSIONS = 20;
/** Long enough for a transmission, short enough that one sent again later asks again. */
const KEEP_MS = 15 * 60_000;

const fetched = oncePerPlatform(
  (platform) =>
    new LRUCache<string, Promise<Attachments>, readonly StoredAttachment[]>({
      max: MAX_CACHED_TRANSMISSIONS,
      ttl: KEEP_MS,
      memoMethod: (_key, _stale, { context }) => collect(platform, context),
    }),
);

/** The files of a transmission. What could not be fetched in three tries is not tried again for other messages. */
export function attachmentsOf(
  platform: Platform,
  { tenant_id, id, content: { attachments } }: LoadedTransmission,
): Promise<Attachments> {
  if (attachments.length === 0) return Promise.resolve(NONE);
  return fetched(platform).memo(`${tenant_id}/${id}`, { context: attachments });
}

async function collect(platform: Platform, attachments: readonly StoredAttachment[]): Promise<Attachments> {
  const files: MailAttachment[] = [];
  let left = MAX_ATTACHMENT_BYTES;
  for (const { name, type, url, data = '' } of attachments) {
    const content = url === undefined ? Buffer.from(data, 'base64') : await fetchFile(platform, url, left);
    if (typeof content === 'string')
      return { ok: false, error: `The attachment ${JSON.stringify(name)} could not be fetched: ${content}` };
    left -= content.length;
    if (left < 0) return { ok: false, error: 'The attachments have more than 10 MB in all.' };
    files.push({ name, type, content });
  }
  return { ok: true, files };
}

/** The bytes, or in words why there are none after three tries. */
async function fetchFile(platform: Platform, url: string, maxBytes: number): Promise<Buffer | string> {
  let fault = '';
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (attempt > 0) await pause(WAITS_MS[attempt - 1]);
    const result = await platform.outbound.download({ url, maxBytes });
    if (result.ok && result.status === 200) {
      return result.isCut ? 'The attachments have more than 10 MB in all.' : result.bytes;
    }
    fault = result.ok ? `The server answered with status ${result.status}.` : result.error;
  }
  return fault;
}
