/** Files that browsers load, compressed once: as the client can take them, and not again while they are unchanged. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isHeld } from './conditional.ts';
import type { RequestContext } from './context.ts';
import type { RawReply } from './route.ts';

/** A file in the three encodings in which it is sent. */
export interface StaticFile {
  readonly contentType: string;
  readonly body: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
  /** Weak (RFC 9110, section 8.8.1), because all three encodings share it. */
  readonly etag: string;
}

/** Near the best there is: 9 takes a third of the time that 11 does, for a few per cent more. */
const BROTLI_QUALITY = 9;

const ENCODINGS = [
  { name: 'br', of: 'brotli' },
  { name: 'gzip', of: 'gzip' },
] as const;

const staticBodies = new WeakSet<Buffer>();

/** Returns true for the bytes of a static file: they are in memory whether or not an answer holds them. */
export function isStaticBody(body: string | Buffer): boolean {
  return typeof body !== 'string' && staticBodies.has(body);
}

/** Makes a file of a text or of bytes; compressing takes a moment, beside the event loop. */
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

/** A page that is made anew for each visitor is compressed for each: quickly rather than as far as it goes. */
const PAGE_QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** The same answer, compressed where the client takes brotli. */
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

/** Answers with a file; browsers ask again after `maxAgeSeconds`, and are told in a line when it is the same. */
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
  if (isHeld(asked, file.etag)) return { status: 304, headers, body: '' };
  const encoding = chooseEncoding(String(asked['accept-encoding'] ?? ''));
  if (encoding === undefined) return { status: 200, headers, body: file.body };
  return { status: 200, headers: { ...headers, 'content-encoding': encoding.name }, body: file[encoding.of] };
}

/** The smallest of our encodings that the client names; one named with `q=0` is refused (RFC 9110, 12.5.3). */
function chooseEncoding(acceptEncoding: string) {
  const accepted = acceptEncoding
    .toLowerCase()
    .split(',')
    // White space is taken away from each part: an expression that looks for it around the sign reads a long one over and over.
    .map((part) => part.split(';').map((each) => each.trim()))
    .filter(([, quality]) => quality === undefined || !/^q=0(?:\.0*)?$/.test(quality))
    .map(([coding]) => coding);
  return ENCODINGS.find(({ name }) => accepted.includes(name));
}
