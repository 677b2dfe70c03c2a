/** Variants of images in other sizes and formats, created on the first request and then stored. */
import { readFile } from 'node:fs/promises';
import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { limitedError, type WindowCounter, windowCounter } from '../../http/rate-limits.ts';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import { folderOfAsset, originalOf } from './addresses.ts';
import { MAX_SECONDS, MAX_WAIT_MS, waitForImageSlot, writeImage } from './images.ts';
import { countVariant } from './queries.ts';
import type { ImageRequest } from './variant.ts';

/** Maximum number of new variants of one asset per minute (docs/specification/assets.md#public-address). */
const LIMIT = { limit: 100, windowSeconds: 60 };
/** Maximum number of stored variants per asset, so that public requests cannot fill the storage. */
const MAX_STORED = 1000;

/** Deadline of a request for a new variant in ms: time to wait for memory plus time to process. */
const DEADLINE_MS = MAX_WAIT_MS + MAX_SECONDS * 1000;

/** The asset from which a variant is created. */
export interface ImageSource {
  readonly tenant_id: string;
  readonly id: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly variants: number;
}

/** A created variant. `bytes` is null if it was stored. */
interface CreatedVariant {
  readonly bytes: Buffer | null;
}

interface VariantWork {
  readonly counter: WindowCounter;
  /** Variants being created, by storage key. */
  readonly running: Map<string, Promise<CreatedVariant>>;
}

const variantWork = oncePerPlatform(
  (platform): VariantWork => ({
    counter: windowCounter(platform, 'asset-pictures', LIMIT.windowSeconds),
    running: new Map(),
  }),
);

/** Returns the storage key of a variant. */
export function variantKeyOf({ tenant_id, id }: ImageSource, { name }: ImageRequest): string {
  return `${folderOfAsset(tenant_id, id)}/${name}`;
}

/**
 * Creates a variant that is not stored yet, once for all concurrent requests.
 * @throws AppError RATE_LIMITED if there are too many new variants of this asset, if too many images wait, or after the
 * deadline; NOT_FOUND if the original file is missing.
 */
export function makeVariant(
  platform: Platform,
  source: ImageSource,
  request: ImageRequest,
): Promise<CreatedVariant> {
  const { running } = variantWork(platform);
  const key = variantKeyOf(source, request);
  const work =
    running.get(key) ?? createVariant(platform, source, request).finally(() => running.delete(key));
  running.set(key, work);
  return withinDeadline(work);
}

async function createVariant(
  platform: Platform,
  source: ImageSource,
  request: ImageRequest,
): Promise<CreatedVariant> {
  const { count, msLeft } = await variantWork(platform).counter.add(source.id);
  if (count > LIMIT.limit) throw limitedError(msLeft, 'Too many new sizes of this image. Try again later.');
  const pixels = (source.width ?? 0) * (source.height ?? 0);
  const release = await waitForImageSlot(platform, 'variant', { tenantId: source.tenant_id, pixels });
  if (release === null) throw limitedError(1000, 'Too many images are being created. Try again later.');
  return writeVariant(platform, source, request).finally(release);
}

/**
 * Waits for a variant until the deadline. The work cannot be stopped: it continues, and the next request finds the
 * variant.
 * @throws AppError RATE_LIMITED after the deadline.
 */
async function withinDeadline(work: Promise<CreatedVariant>): Promise<CreatedVariant> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooLong()), DEADLINE_MS);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

function tooLong() {
  return limitedError(DEADLINE_MS, 'Creating the image took too long. Request a smaller one.');
}

/** True for the error of sharp's own time limit. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout');
}

async function writeVariant(
  platform: Platform,
  source: ImageSource,
  request: ImageRequest,
): Promise<CreatedVariant> {
  const { storage } = platform;
  const original = await storage.local(originalOf(source.tenant_id, source.id));
  if (original === null) throw new AppError(NOT_FOUND);
  const draft = await storage.draft();
  try {
    await writeImage(original.path, draft.path, request.spec).catch((error: unknown) => {
      throw isTimeout(error) ? tooLong() : error;
    });
    if (source.variants >= MAX_STORED) return { bytes: await readFile(draft.path) };
    await storage.store(variantKeyOf(source, request), draft);
    await countVariant(platform.scoped(wholeTenant(source.tenant_id)), source.id);
    return { bytes: null };
  } finally {
    await draft.discard();
    await original.release();
  }
}
