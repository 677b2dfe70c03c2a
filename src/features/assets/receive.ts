/** Receives an uploaded file: writes it to the local disk, measures and checks it. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../errors/app-error.ts';
import { invalidRequest, PAYLOAD_TOO_LARGE } from '../../errors/platform-errors.ts';
import { limitedError } from '../../http/rate-limits.ts';
import type { Platform } from '../../platform.ts';
import type { Draft } from '../../storage/storage.ts';
import { typeOfFile } from './file-types.ts';
import {
  BrokenImage,
  checkImage,
  formatOf,
  type ImageInfo,
  measureImage,
  waitForImageSlot,
} from './images.ts';

/** Maximum size of a file in bytes (docs/specification/assets.md#asset). */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** Properties of a received file. */
export interface ReceivedFile {
  readonly size: number;
  readonly sha256: string;
  readonly mime_type: string;
  readonly width: number | null;
  readonly height: number | null;
}

/** Writes a stream to a draft. @throws AppError PAYLOAD_TOO_LARGE beyond 100 MiB; errors of the stream. */
export async function writeDraft(
  bytes: Readable,
  draft: Draft,
): Promise<Pick<ReceivedFile, 'size' | 'sha256'>> {
  const hash = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > MAX_FILE_BYTES)
        return done(new AppError(PAYLOAD_TOO_LARGE, { message: 'The file is larger than 100 MiB.' }));
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(bytes, measure, createWriteStream(draft.path, { flags: 'wx', mode: 0o600 }));
  return { size, sha256: hash.digest('hex') };
}

/**
 * Detects the type of a draft from its bytes. Decodes an image once to check it.
 * @throws AppError INVALID_REQUEST for a broken or too large image, RATE_LIMITED if memory is short.
 */
export async function inspectDraft(
  platform: Platform,
  tenantId: string,
  { path }: Draft,
): Promise<Pick<ReceivedFile, 'mime_type' | 'width' | 'height'>> {
  const mimeType = await typeOfFile(path);
  if (formatOf(mimeType) === null) return { mime_type: mimeType, width: null, height: null };
  try {
    return { mime_type: mimeType, ...(await checkedImage(platform, tenantId, path)) };
  } catch (error) {
    if (!(error instanceof BrokenImage)) throw error;
    throw invalidRequest([{ field: 'file', message: error.message }]);
  }
}

async function checkedImage(platform: Platform, tenantId: string, path: string): Promise<ImageInfo> {
  const info = await measureImage(path);
  const release = await waitForImageSlot(platform, 'upload', {
    tenantId,
    pixels: info.width * info.height,
  });
  if (release === null) throw limitedError(1000, 'Too many images are being checked. Try again later.');
  try {
    await checkImage(path);
  } finally {
    release();
  }
  return info;
}
