/** Serves files at their public addresses (docs/specification/assets.md#public-address). */
import { Readable } from 'node:stream';
import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { clientHasTag } from '../../http/conditional-reads.ts';
import type { RequestContext } from '../../http/context.ts';
import type { Cors } from '../../http/cors.ts';
import type { RawReply, StreamReply } from '../../http/route.ts';
import type { ByteRange } from '../../storage/storage.ts';
import { fileNameOf } from './addresses.ts';
import { isSameFile, rangeOf } from './byte-range.ts';
import { contentTypeOf, isPassive } from './file-types.ts';
import type { VariantQuery } from './schema.ts';
import { type FileRequest, findAsset, openFile, sizeOfFile } from './stored-files.ts';
import { type ImageRequest, readImageRequest } from './variant.ts';

/** Response headers that scripts of other sites may read, for example media players, which request ranges. */
const EXPOSED_HEADERS = [
  ...['accept-ranges', 'content-disposition', 'content-encoding', 'content-length', 'content-range', 'etag'],
  'retry-after',
].join(', ');

/** CORS rules for files: pages of any site may fetch them, with range and conditional requests. */
export const FILE_CORS: Cors<unknown> = {
  origins: async () => ['*'],
  isSameForAll: true,
  requestHeaders: [
    'cache-control',
    'if-match',
    'if-modified-since',
    'if-none-match',
    'if-range',
    'pragma',
    'range',
  ],
};

/** Headers of every file. They let pages of other sites embed and read it. */
const COMMON_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'accept-ranges': 'bytes',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** Headers for files with active content: if a browser displays one anyway, it has no origin and loads nothing. */
const SANDBOX_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-frame-options': 'DENY',
} as const;

/**
 * Serves an asset's file, or a variant of its image.
 * @throws AppError NOT_FOUND; INVALID_REQUEST as `readImageRequest`, RATE_LIMITED as `openFile`.
 */
export async function serveFile(
  ctx: RequestContext,
  id: string,
  query: VariantQuery,
): Promise<RawReply | StreamReply> {
  const { platform, method, headers } = ctx;
  const asset = await findAsset(platform, id);
  if (asset === null) throw new AppError(NOT_FOUND);
  const file: FileRequest = { asset, image: readImageRequest(asset, query) };
  const etag = file.image === null ? `"${asset.sha256}"` : `"${asset.sha256}-${file.image.name}"`;
  const common = { ...headersOf(file), etag };
  if (clientHasTag(headers, etag)) return { status: 304, headers: common, body: '' };
  const isWhole = headers.range === undefined || !isSameFile(headers['if-range'], etag);
  if (isWhole && method !== 'HEAD') {
    const { size, body } = await openFile(platform, file);
    return fileReply(200, { ...common, 'content-length': String(size) }, body);
  }
  const size = await sizeOfFile(platform, file);
  const range = isWhole ? 'all' : rangeOf(headers.range, size);
  if (range === null)
    return {
      status: 416,
      headers: { ...common, 'cache-control': 'no-store', 'content-range': `bytes */${size}` },
      body: '',
    };
  const [status, partial] =
    range === 'all' ? ([200, {}] as const) : ([206, toContentRange(range, size)] as const);
  const length = range === 'all' ? size : range.end - range.start + 1;
  const partialHeaders = { ...common, ...partial, 'content-length': String(length) };
  if (method === 'HEAD') return { status, headers: partialHeaders, body: Readable.from([]) };
  return fileReply(
    status,
    partialHeaders,
    (await openFile(platform, file, range === 'all' ? undefined : range)).body,
  );
}

function headersOf({ asset, image }: FileRequest): Readonly<Record<string, string>> {
  const type = image === null ? contentTypeOf(asset.mime_type) : `image/${image.spec.format}`;
  const isInline = image !== null || isPassive(asset.mime_type);
  return {
    ...COMMON_HEADERS,
    ...(isInline ? {} : SANDBOX_HEADERS),
    'content-type': type,
    'content-disposition': disposition(isInline ? 'inline' : 'attachment', asset.name, image),
  };
}

/** Returns the Content-Disposition header (RFC 6266), with an ASCII file name for old clients and the full one. */
function disposition(kind: 'inline' | 'attachment', name: string, image: ImageRequest | null): string {
  const file = fileNameOf(name);
  const downloadName = image === null ? file : `${file.replace(/\.\w{1,5}$/, '')}.${image.spec.format}`;
  const ascii = downloadName.replaceAll(/[^ \w.()-]/g, '_');
  const encoded = encodeURIComponent(downloadName).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function toContentRange({ start, end }: ByteRange, size: number) {
  return { 'content-range': `bytes ${start}-${end}/${size}` };
}

function fileReply(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Readable | Buffer,
): RawReply | StreamReply {
  return body instanceof Readable ? { status, headers, body } : { status, headers, body };
}
