/** Browser files, compressed once and sent in the encoding that the client accepts, with validation by ETag. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { clientHasTag } from './conditional-reads.ts';
import type { RequestContext } from './context.ts';
import type { RawReply } from './route.ts';

/** A file in its three encodings. */
export interface StaticFile {
  readonly contentType: string;
  readonly body: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
  /** Weak (RFC 9110, section 8.8.1), because all three encodings share it. */
  readonly etag: string;
}

/** Level 9 takes a third of the time of level 11 and the result is a few per cent larger. */
const BROTLI_QUALITY = 9;

const ENCODINGS = [
  { name: 'br', of: 'brotli' },
  { name: 'gzip', of: 'gzip' },
] as const;

const staticBodies = new WeakSet<Buffer>();

/** Returns true for the bytes of a static file: they are in memory whether or not a response holds them. */
export function isStaticBody(body: string | Buffer): boolean {
  return typeof body !== 'string' && staticBodies.has(body);
}

/** Compresses a text or bytes to a static file, outside the event loop. */
export async function compressFile(contentType: string, content: string | Buffer): Promise<StaticFile> {
  const body = Buffer.from(content);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(body),
    promisify(brotliCompress)(body, quality),
  ]);
  for (const bytes of [body, zipped, brotli]) staticBodies.add(bytes);
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { contentType, body, gzip: zipped, brotli, etag: `W/"${digest}"` };
}

/** A page generated for each visitor is compressed each time: fast rather than small. */
const PAGE_QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Returns the same response, compressed if the client accepts brotli. */
export async function compressedReply(
  { headers: { 'accept-encoding': accepted } }: RequestContext,
  { status, headers, body }: RawReply,
): Promise<RawReply> {
  const vary = [headers.vary, 'Accept-Encoding'].filter((name) => name !== undefined).join(', ');
  if (chooseEncoding(String(accepted ?? ''))?.name !== 'br')
    return { status, headers: { ...headers, vary }, body };
  const compressed = await promisify(brotliCompress)(body, PAGE_QUALITY);
  return { status, headers: { ...headers, vary, 'content-encoding': 'br' }, body: compressed };
}

/** Answers with a file; browsers revalidate after `maxAgeSeconds` and get a 304 if it is unchanged. */
export function fileReply(
  { headers: asked }: RequestContext,
  file: StaticFile,
  maxAgeSeconds = 3600,
): RawReply {
  const headers = {
    'content-type': file.contentType,
    'cache-control': `public, max-age=${maxAgeSeconds}`,
    etag: file.etag,
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  };
  if (clientHasTag(asked, file.etag)) return { status: 304, headers, body: '' };
  const encoding = chooseEncoding(String(asked['accept-encoding'] ?? ''));
  if (encoding === undefined) return { status: 200, headers, body: file.body };
  return { status: 200, headers: { ...headers, 'content-encoding': encoding.name }, body: file[encoding.of] };
}

/** Chooses the smallest of our encodings that the client accepts; `q=0` refuses one (RFC 9110, 12.5.3). */
function chooseEncoding(acceptEncoding: string) {
  const accepted = acceptEncoding
    .toLowerCase()
    .split(',')
    // White space is trimmed per part: a regular expression around the separator would backtrack on long input.
    .map((part) => part.split(';').map((each) => each.trim()))
    .filter(([, quality]) => quality === undefined || !/^q=0(?:\.0*)?$/.test(quality))
    .map(([coding]) => coding);
  return ENCODINGS.find(({ name }) => accepted.includes(name));
}
