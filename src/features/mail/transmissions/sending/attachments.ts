/**
 * The files of a transmission, fetched once per process and cached while it is sent. Files on other servers are fetched
 * before a message takes memory: a slow server delays its own tenant, but not others that wait for memory.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../../../errors/app-error.ts';
import { STORAGE_UNAVAILABLE } from '../../../../errors/platform-errors.ts';
import type { MailAttachment } from '../../../../mail/message.ts';
import { oncePerPlatform, type Platform } from '../../../../platform.ts';
import { StorageBusy } from '../../../../storage/fair-storage.ts';
import { TenantTurns } from '../../../../work-queue/tenant-turns.ts';
import {
  type FileRequest,
  findAssetFile,
  findPublicFile,
  isPublicAddress,
  readFile,
} from '../../../assets/api.ts';
import { MAX_ATTACHMENT_BYTES } from '../request-check.ts';
import type { StoredAttachment } from '../tables.ts';
import type { LoadedTransmission } from './queries.ts';

/**
 * The files, or the reason why the messages cannot be sent; null: no download slot was free, and a retry may succeed.
 */
export type Attachments =
  | { readonly ok: true; readonly files: readonly MailAttachment[] }
  | { readonly ok: false; readonly error: string | null };

/** The tenant and transmission of a fetch. */
interface AttachmentQuery {
  readonly tenantId: string;
  readonly key: string;
  readonly attachments: readonly StoredAttachment[];
}

const NO_FILES: Attachments = { ok: true, files: [] };
const TOO_LARGE = 'The attachments exceed 10 MB in total.';
/** Concurrent downloads of a process, each of up to 10 MB. */
const DOWNLOADS = { total: 12, perTenant: 4 };
/** How long a download waits for its slot. */
const MAX_WAIT_MS = 10_000;
const TRIES = 3;
/** Pauses before the second and the third attempt. */
const WAITS_MS = [500, 2000];
const MAX_CACHED_TRANSMISSIONS = 20;
/** Long enough for a transmission, short enough that a later one fetches the files again. */
const KEEP_MS = 15 * 60_000;

const downloads = oncePerPlatform(() => new TenantTurns(DOWNLOADS));

/** No slot became free in time. */
class DownloadsBusy extends Error {}

const attachmentCache = oncePerPlatform(
  (platform) =>
    new LRUCache<string, Promise<Attachments>, AttachmentQuery>({
      max: MAX_CACHED_TRANSMISSIONS,
      ttl: KEEP_MS,
      memoMethod: (_key, _stale, { context }) => collect(platform, context),
    }),
);

/** Files by URL: bytes, or the reason why there are none. */
type RemoteFiles = ReadonlyMap<string, Buffer | string>;

/** The remote files of a transmission, and how they are fetched. */
interface RemoteFileQuery {
  readonly tenantId: string;
  readonly findUrls: () => Promise<readonly string[]>;
}

const remoteFileCache = oncePerPlatform(
  (platform) =>
    new LRUCache<string, Promise<RemoteFiles | null>, RemoteFileQuery>({
      max: MAX_CACHED_TRANSMISSIONS,
      ttl: KEEP_MS,
      memoMethod: (_key, _stale, { context }) => fetchAll(platform, context),
    }),
);

/**
 * Fetches the remote files of a transmission for `attachmentsOf`. Files that failed in three attempts are not fetched
 * again for other messages. Returns false when no slot was free in time; rejects while the database or the storage is
 * unavailable.
 */
export async function fetchRemoteFiles(
  platform: Platform,
  transmission: Pick<LoadedTransmission, 'tenant_id' | 'id'>,
  findUrls: RemoteFileQuery['findUrls'],
): Promise<boolean> {
  const cache = remoteFileCache(platform);
  const key = keyOf(transmission);
  try {
    const found = await cache.memo(key, { context: { tenantId: transmission.tenant_id, findUrls } });
    if (found === null) cache.delete(key);
    return found !== null;
  } catch (error) {
    cache.delete(key);
    throw error;
  }
}

async function fetchAll(
  platform: Platform,
  { tenantId, findUrls }: RemoteFileQuery,
): Promise<RemoteFiles | null> {
  const files = new Map<string, Buffer | string>();
  let maxBytes = MAX_ATTACHMENT_BYTES;
  try {
    for (const url of new Set(await findUrls())) {
      const found = await fetchFile(platform, { tenantId, url, maxBytes });
      files.set(url, found);
      if (typeof found === 'string') break;
      maxBytes -= found.length;
    }
    return files;
  } catch (error) {
    if (error instanceof DownloadsBusy || error instanceof StorageBusy) return null;
    throw error;
  }
}

/** Returns the files of a transmission; call `fetchRemoteFiles` before for remote ones. */
export function attachmentsOf(
  platform: Platform,
  transmission: Pick<LoadedTransmission, 'tenant_id' | 'id' | 'content'>,
): Promise<Attachments> {
  const { tenant_id: tenantId, content } = transmission;
  const { attachments } = content;
  if (attachments.length === 0) return Promise.resolve(NO_FILES);
  const cache = attachmentCache(platform);
  const key = keyOf(transmission);
  const found = cache.memo(key, { context: { tenantId, key, attachments } });
  const evict = () => cache.delete(key);
  // A message whose rendering fails never uses its files.
  found.then((files) => !files.ok && files.error === null && evict(), evict);
  return found;
}

function keyOf({ tenant_id: tenantId, id }: Pick<LoadedTransmission, 'tenant_id' | 'id'>): string {
  return `${tenantId}/${id}`;
}

async function collect(platform: Platform, query: AttachmentQuery): Promise<Attachments> {
  try {
    return await collectAll(platform, query);
  } catch (error) {
    if (error instanceof DownloadsBusy || error instanceof StorageBusy) return { ok: false, error: null };
    throw error;
  }
}

/** @throws DownloadsBusy, StorageBusy */
async function collectAll(
  platform: Platform,
  { tenantId, key, attachments }: AttachmentQuery,
): Promise<Attachments> {
  const remoteFiles = await remoteFileCache(platform).get(key);
  const files: MailAttachment[] = [];
  let remainingBytes = MAX_ATTACHMENT_BYTES;
  for (const { name, type, ...source } of attachments) {
    const content = await contentOf(platform, { tenantId, remoteFiles, maxBytes: remainingBytes }, source);
    if (typeof content === 'string')
      return { ok: false, error: `The attachment ${JSON.stringify(name)} could not be fetched: ${content}` };
    remainingBytes -= content.length;
    if (remainingBytes < 0) return { ok: false, error: TOO_LARGE };
    files.push({ name, type, content });
  }
  return { ok: true, files };
}

/** The tenant that reads a file, and the files fetched before. */
interface FileContext {
  readonly tenantId: string;
  readonly remoteFiles: RemoteFiles | null | undefined;
  readonly maxBytes: number;
}

/** Returns the bytes, or the reason why there are none. @throws DownloadsBusy for a file that must be fetched again. */
async function contentOf(
  platform: Platform,
  { tenantId, remoteFiles, maxBytes }: FileContext,
  { url, data = '', assetId }: Omit<StoredAttachment, 'name' | 'type'>,
): Promise<Buffer | string> {
  if (assetId !== undefined)
    return readAssetFile(platform, findAssetFile(platform, tenantId, assetId), maxBytes);
  if (url === undefined) return Buffer.from(data, 'base64');
  const found = remoteFiles?.get(url);
  if (found === undefined) throw new DownloadsBusy();
  return found;
}

/** A file to fetch. */
interface RemoteFile {
  readonly tenantId: string;
  readonly url: string;
  readonly maxBytes: number;
}

/** Returns the bytes, or the reason for the failure after three attempts. */
async function fetchFile(platform: Platform, file: RemoteFile): Promise<Buffer | string> {
  const { url, maxBytes } = file;
  let reason = '';
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (attempt > 0) await pause(WAITS_MS[attempt - 1]);
    const found = isPublicAddress(platform, url)
      ? await readAssetFile(platform, findPublicFile(platform, url), maxBytes)
      : await download(platform, file);
    if (typeof found !== 'string' || found === TOO_LARGE) return found;
    reason = found;
  }
  return reason;
}

async function download(
  platform: Platform,
  { tenantId, url, maxBytes }: RemoteFile,
): Promise<Buffer | string> {
  const release = await downloads(platform).take(tenantId, MAX_WAIT_MS);
  if (release === null) throw new DownloadsBusy();
  const result = await platform.outbound.download({ url, maxBytes }).finally(release);
  if (!result.ok) return result.error;
  if (result.status !== 200) return `The server answered with status ${result.status}.`;
  return result.isCut ? TOO_LARGE : result.bytes;
}

/** Returns a file of our own from the storage: an outbound call must not lead back to this installation. */
async function readAssetFile(
  platform: Platform,
  requested: Promise<FileRequest | null>,
  maxBytes: number,
): Promise<Buffer | string> {
  try {
    const file = await requested;
    if (file === null) return 'The asset does not exist.';
    return (await readFile(platform, file, maxBytes)) ?? TOO_LARGE;
  } catch (error) {
    const isTemporary =
      error instanceof StorageBusy || (error instanceof AppError && error.definition === STORAGE_UNAVAILABLE);
    if (error instanceof AppError && !isTemporary) return error.message;
    throw error;
  }
}
