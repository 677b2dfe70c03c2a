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
import { contentTypeOf, isHarmless } from './file-types.ts';
import type { VariantQuery } from './schema.ts';
import { type FileRequest, findAsset, openFile, sizeOfFile } from './stored-files.ts';
import { type PictureRequest, readPictureRequest } from './variant.ts';

/** Response headers that scripts of other sites may read, such as media players that request ranges. */
const READABLE = [
  ...['accept-ranges', 'content-disposition', 'content-encoding', 'content-length', 'content-range', 'etag'],
  'retry-after',
].join(', ');

/** CORS rules: pages of any site may fetch files, with range and conditional requests. */
export const anyPage: Cors<unknown> = {
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

/** Headers of every file; they let pages of other sites show and read it. */
const USUAL_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'accept-ranges': 'bytes',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': READABLE,
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** Headers for files with active content: if a browser opens one anyway, it has no origin and loads nothing. */
const UNABLE_TO_RUN = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-frame-options': 'DENY',
} as const;

/**
 * Serves an asset's file, or a variant of its picture.
 * @throws AppError NOT_FOUND; INVALID_REQUEST as `askedPicture`, RATE_LIMITED as `openFile`.
 */
export async function answerFile(
  ctx: RequestContext,
  id: string,
  query: VariantQuery,
): Promise<RawReply | StreamReply> {
  const { platform, method, headers } = ctx;
  const asset = await findAsset(platform, id);
  if (asset === null) throw new AppError(NOT_FOUND);
  const file: FileRequest = { asset, picture: readPictureRequest(asset, query) };
  const etag = file.picture === null ? `"${asset.sha256}"` : `"${asset.sha256}-${file.picture.name}"`;
  const common = { ...headersOf(file), etag };
  if (clientHasTag(headers, etag)) return { status: 304, headers: common, body: '' };
  const isWhole = headers.range === undefined || !isSameFile(headers['if-range'], etag);
  if (isWhole && method !== 'HEAD') {
    const { size, body } = await openFile(platform, file);
    return sent(200, { ...common, 'content-length': String(size) }, body);
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
  return sent(
    status,
    partialHeaders,
    (await openFile(platform, file, range === 'all' ? undefined : range)).body,
  );
}

function headersOf({ asset, picture }: FileRequest): Readonly<Record<string, string>> {
  const type = picture === null ? contentTypeOf(asset.mime_type) : `image/${picture.order.format}`;
  const isShown = picture !== null || isHarmless(asset.mime_type);
  return {
    ...USUAL_HEADERS,
    ...(isShown ? {} : UNABLE_TO_RUN),
    'content-type': type,
    'content-disposition': disposition(isShown ? 'inline' : 'attachment', asset.name, picture),
  };
}

/** Returns the Content-Disposition header (RFC 6266), with an ASCII file name for old clients and the full one. */
function disposition(kind: 'inline' | 'attachment', name: string, picture: PictureRequest | null): string {
  const file = fileNameOf(name);
  const downloadName = picture === null ? file : `${file.replace(/\.\w{1,5}$/, '')}.${picture.order.format}`;
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

function sent(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Readable | Buffer,
): RawReply | StreamReply {
  return body instanceof Readable ? { status, headers, body } : { status, headers, body };
}
