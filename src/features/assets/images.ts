/**
 * Checks and resizes images with sharp (libvips), in libuv's threads. Only the loaders of accepted formats are enabled,
 * so that no file is read as a vector graphic or a document.
 */
import { availableParallelism } from 'node:os';
import type { Sharp, SharpOptions } from 'sharp';
import { shareBytes } from '../../memory/shares.ts';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { Counts, FairQueue, type Release } from '../../work-queue/fair-queue.ts';
import type { ImageFormat } from './schema.ts';

/** Maximum number of pixels of an uploaded image (docs/specification/assets.md#asset). */
export const MAX_PIXELS = 100_000_000;

/** Default output format of each media type that can be resized. */
const FORMATS: Readonly<Record<string, ImageFormat>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/gif': 'webp',
  'image/tiff': 'webp',
};

/** Accepted formats, by the names of their loaders in libvips. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff'];

const INPUT: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true };
/** Time limit for processing one image, in seconds. */
export const MAX_SECONDS = 30;
/** Cost of encoding one pixel by format, relative to decoding one. */
const WORK_PER_PIXEL: Readonly<Record<ImageFormat, number>> = { avif: 25, webp: 5, jpeg: 1, png: 1 };
/**
 * Work limit of one variant, in decoded pixels: about 10 s of CPU time. Checked in advance, because encoding cannot be
 * stopped.
 */
const MAX_WORK = 200_000_000;
/** Low effort: the default takes four times as long for a large image and saves only a tenth of the size. */
const AVIF_EFFORT = 2;

/** An image counts with all its pixels. */
const BYTES_PER_PIXEL = 4;
/** Maximum time that an image waits for memory, in ms. */
export const MAX_WAIT_MS = 30_000;

/** Width and height of an image, in pixels. */
export interface ImageInfo {
  readonly width: number;
  readonly height: number;
}

/** Size, fit, format and quality of a variant. */
export interface ImageSpec extends ImageInfo {
  readonly fit: 'cover' | 'contain';
  readonly format: ImageFormat;
  readonly quality: number;
}

/** True if creating this variant of a source exceeds the work limit. */
export function exceedsWorkLimit(source: ImageInfo, { width, height, format }: ImageSpec): boolean {
  return source.width * source.height + width * height * WORK_PER_PIXEL[format] > MAX_WORK;
}

/** Error: the file is not a readable image. The message continues a sentence that begins with the field's name. */
export class BrokenImage extends Error {}

/** Returns the default output format for a media type; null if it is not an image that can be resized. */
export function formatOf(mimeType: string): ImageFormat | null {
  return FORMATS[mimeType] ?? null;
}

/** Purpose of processing. Uploads have priority over variants, because they come from members. */
export type ImageWork = 'upload' | 'variant';

/** Maximum number of images processed concurrently. At least two, so that an upload never waits for one variant. */
const SLOTS = Math.max(2, availableParallelism());
/** Maximum number of waiting images per tenant and purpose; more are refused at once. */
const MAX_WAITING = 32;

const queuesOf = oncePerPlatform((platform) => {
  const total = shareBytes(platform, 'images');
  const slotBytes = Math.ceil(total / SLOTS);
  // One slot is reserved for uploads, and no tenant's variants take more than half of all.
  const variantBytes = total - slotBytes;
  return {
    all: new FairQueue({ total, perTarget: total }),
    variants: new FairQueue({ total: variantBytes, perTarget: Math.min(total / 2, variantBytes) }),
    waiting: new Counts(),
    /** Minimum that an image reserves. It limits the number of concurrent images. */
    slotBytes,
    variantBytes,
  };
});

/**
 * Waits for memory for an image of this size. Returns a function that releases the memory; null if it was not available
 * in time, or if too many images of the tenant are waiting. Tenants take turns. An image larger than the budget uses
 * all of it.
 */
export async function waitForImageSlot(
  platform: Platform,
  work: ImageWork,
  { tenantId, pixels }: { readonly tenantId: string; readonly pixels: number },
): Promise<Release | null> {
  const { all, variants, waiting, slotBytes, variantBytes } = queuesOf(platform);
  const waiter = `${work} ${tenantId}`;
  if (waiting.of(waiter) >= MAX_WAITING) return null;
  waiting.add(waiter, 1);
  try {
    const size = Math.max(pixels * BYTES_PER_PIXEL, slotBytes);
    const entry = { tenantId, targetId: tenantId, maxWaitMs: MAX_WAIT_MS };
    if (work === 'upload') return await all.enter({ ...entry, size, lane: 0 });
    const variantSize = Math.min(size, variantBytes);
    const leaveVariants = await variants.enter({ ...entry, size: variantSize, lane: 0 });
    if (leaveVariants === null) return null;
    const leaveAll = await all.enter({ ...entry, size: variantSize, lane: 1 });
    if (leaveAll === null) leaveVariants();
    return (
      leaveAll &&
      (() => {
        leaveAll();
        leaveVariants();
      })
    );
  } finally {
    waiting.add(waiter, -1);
  }
}

/**
 * Reads the displayed width and height from the metadata of a file, without decoding it.
 * @throws BrokenImage if the metadata is unreadable, or the image has too many pixels.
 */
export async function measureImage(path: string): Promise<ImageInfo> {
  const open = await sharp();
  // Without a limit, so that the error below is thrown for too large images.
  const { autoOrient } = await open(path, { ...INPUT, limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => Promise.reject(toBrokenImage(cause)));
  const { width, height } = autoOrient;
  if (!(width > 0 && height > 0)) throw toBrokenImage(null);
  if (width * height > MAX_PIXELS) throw new BrokenImage('has more than 100 megapixels');
  return { width, height };
}

/** Decodes a whole image and discards the result. @throws BrokenImage if that fails. */
export async function checkImage(path: string): Promise<void> {
  const open = await sharp();
  const decoded = open(path, INPUT).timeout({ seconds: MAX_SECONDS }).resize({ width: 8 }).raw().toBuffer();
  await decoded.catch((cause: unknown) => Promise.reject(toBrokenImage(cause)));
}

/** Writes a resized copy of an image to a file. @throws the libvips error. */
export async function writeImage(from: string, to: string, spec: ImageSpec): Promise<void> {
  const open = await sharp();
  const { width, height, fit } = spec;
  const resized = open(from, INPUT)
    .timeout({ seconds: MAX_SECONDS })
    .autoOrient()
    .resize({ width, height, fit: fit === 'cover' ? 'cover' : 'fill' });
  await encode(resized, spec).toFile(to);
}

function encode(image: Sharp, { format, quality }: ImageSpec): Sharp {
  if (format === 'png') return image.png();
  if (format === 'avif') return image.avif({ quality, effort: AVIF_EFFORT });
  // JPEG has no transparency: without a background, transparent areas become black.
  if (format === 'jpeg') return image.flatten({ background: '#ffffff' }).jpeg({ quality, progressive: true });
  return image.webp({ quality });
}

function toBrokenImage(cause: unknown): BrokenImage {
  return new BrokenImage('is a corrupt or incomplete image', { cause });
}

type OpenImage = typeof import('sharp').default;
let loaded: Promise<OpenImage> | null = null;

/** Loads sharp on first use, which saves 20 MiB in processes without images. */
function sharp(): Promise<OpenImage> {
  loaded ??= import('sharp').then(({ default: open }) => {
    open.cache(false);
    open.concurrency(1);
    open.block({ operation: ['VipsForeignLoad'] });
    open.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });
    return open;
  });
  return loaded;
}
