/** Pictures in other sizes and formats: made once, when they are first asked for, and kept in the storage. */
import { readFile } from 'node:fs/promises';
import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { limitedError, type WindowCounter, windowCounter } from '../../http/rate-limits.ts';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import { folderOfAsset, originalOf } from './addresses.ts';
import { LONGEST_SECONDS, MAX_WAIT_MS, makePicture, takePictureTurn } from './pictures.ts';
import { countVariant } from './queries.ts';
import type { AskedPicture } from './variant.ts';

/** Variants of one asset that may be made per minute (docs/specification/assets.md#public-address). */
const LIMIT = { limit: 100, windowSeconds: 60 };
/** Variants stored per asset, so that public requests cannot fill the storage. Others are made per request. */
const MOST_KEPT = 1000;

/** Deadline of a request for a new size: the wait for its turn, and the work, in ms. */
const DEADLINE_MS = MAX_WAIT_MS + LONGEST_SECONDS * 1000;

/** The picture that a variant is made from. */
export interface PictureSource {
  readonly tenant_id: string;
  readonly id: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly variants: number;
}

/** A picture as it was made, where the storage does not keep it. */
interface MadePicture {
  readonly bytes: Buffer | null;
}

interface Making {
  readonly counter: WindowCounter;
  /** By the name of the file. */
  readonly running: Map<string, Promise<MadePicture>>;
}

const makings = oncePerPlatform(
  (platform): Making => ({
    counter: windowCounter(platform, 'asset-pictures', LIMIT.windowSeconds),
    running: new Map(),
  }),
);

/** The name in the storage of a picture. */
export function fileOfPicture({ tenant_id, id }: PictureSource, { name }: AskedPicture): string {
  return `${folderOfAsset(tenant_id, id)}/${name}`;
}

/**
 * Makes a picture that the storage does not have, once for all who ask for it at the same time. Its bytes are given where they are not
 * kept.
 * @throws AppError RATE_LIMITED when too many are made of this asset, or at all; NOT_FOUND when its file is gone.
 */
export function makeVariant(
  platform: Platform,
  source: PictureSource,
  asked: AskedPicture,
): Promise<MadePicture> {
  const { running } = makings(platform);
  const file = fileOfPicture(source, asked);
  const making = running.get(file) ?? makeInTurn(platform, source, asked).finally(() => running.delete(file));
  running.set(file, making);
  return withinDeadline(making);
}

async function makeInTurn(
  platform: Platform,
  source: PictureSource,
  asked: AskedPicture,
): Promise<MadePicture> {
  const { count, msLeft } = await makings(platform).counter.add(source.id);
  if (count > LIMIT.limit) throw limitedError(msLeft, 'Too many new sizes of this picture. Try again later.');
  const pixels = (source.width ?? 0) * (source.height ?? 0);
  const leave = await takePictureTurn(platform, 'variant', { tenantId: source.tenant_id, pixels });
  if (leave === null) throw limitedError(1000, 'Too many pictures are being made. Try again later.');
  return make(platform, source, asked).finally(leave);
}

/**
 * Waits for a picture until the deadline. Work that cannot be stopped keeps its place and goes on, so that it is kept for the next request.
 * @throws AppError RATE_LIMITED when it has taken too long.
 */
async function withinDeadline(work: Promise<MadePicture>): Promise<MadePicture> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooLong()), DEADLINE_MS);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

function tooLong() {
  return limitedError(DEADLINE_MS, 'The picture takes too long. Ask for a smaller one.');
}

/** True for the error of sharp's own deadline. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout');
}

async function make(platform: Platform, source: PictureSource, asked: AskedPicture): Promise<MadePicture> {
  const { storage } = platform;
  const original = await storage.local(originalOf(source.tenant_id, source.id));
  if (original === null) throw new AppError(NOT_FOUND);
  const draft = await storage.draft();
  try {
    await makePicture(original.path, draft.path, asked.order).catch((error: unknown) => {
      throw isTimeout(error) ? tooLong() : error;
    });
    if (source.variants >= MOST_KEPT) return { bytes: await readFile(draft.path) };
    await storage.keep(fileOfPicture(source, asked), draft);
    await countVariant(platform.scoped(wholeTenant(source.tenant_id)), source.id);
    return { bytes: null };
  } finally {
    await draft.discard();
    await original.release();
  }
}
