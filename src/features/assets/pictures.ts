/**
 * Checks and resizes pictures with sharp (libvips), in libuv's threads. Only the loaders of accepted formats are enabled,
 * so that no file is read as a vector graphic or a document.
 */
import { availableParallelism } from 'node:os';
import type { Sharp, SharpOptions } from 'sharp';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { Counts, FairQueue, type Release } from '../../work-queue/fair-queue.ts';
import type { PictureFormat } from './schema.ts';

/** Maximum size of an uploaded picture (docs/specification/assets.md#asset). */
export const MAX_PIXELS = 100_000_000;

/** Default output format of each media type that can be resized. */
const FORMATS: Readonly<Record<string, PictureFormat>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/gif': 'webp',
  'image/tiff': 'webp',
};

const LOADERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff'];

const INPUT: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true };
/** Deadline of one picture, in seconds. */
export const LONGEST_SECONDS = 30;
/** Cost of encoding one pixel by format, relative to decoding one. */
const WORK_PER_PIXEL: Readonly<Record<PictureFormat, number>> = { avif: 25, webp: 5, jpeg: 1, png: 1 };
/** Work limit of one variant, in pixels: about 10 s of CPU time. Checked in advance, because encoding cannot be stopped. */
const MAX_WORK = 200_000_000;
/** Low effort: the default takes four times as long for a large picture and saves only a tenth of the size. */
const AVIF_EFFORT = 2;

/** Memory budget of all pictures in processing, in bytes, as if all their pixels were in memory. */
const BUDGET_BYTES = 256 * 1024 * 1024;
const BYTES_PER_PIXEL = 4;
/** Longest wait of a picture for processing. */
export const MAX_WAIT_MS = 30_000;

/** Facts of a checked picture. */
export interface PictureInfo {
  readonly width: number;
  readonly height: number;
}

/** Size, fit and format of a picture to make. */
export interface PictureOrder extends PictureInfo {
  readonly fit: 'cover' | 'contain';
  readonly format: PictureFormat;
  readonly quality: number;
}

/** True if making this picture of a source would exceed the work limit of one variant. */
export function isTooMuchWork(source: PictureInfo, { width, height, format }: PictureOrder): boolean {
  return source.width * source.height + width * height * WORK_PER_PIXEL[format] > MAX_WORK;
}

/** The file is not a readable picture. The message continues a sentence that begins with the field's name. */
export class BrokenPicture extends Error {}

/** Returns the default output format for a media type; null if it is not a picture that can be resized. */
export function formatOf(mimeType: string): PictureFormat | null {
  return FORMATS[mimeType] ?? null;
}

/** Purpose of processing. Uploads have priority over variants, because they come from members. */
export type PictureWork = 'upload' | 'variant';

/** At least two pictures fit, so that an upload never waits for a variant alone. */
const PLACES = Math.max(2, availableParallelism());
const PLACE_BYTES = Math.ceil(BUDGET_BYTES / PLACES);
/** One place is reserved for uploads. */
const VARIANT_BYTES = BUDGET_BYTES - PLACE_BYTES;
/** Share of the budget that one tenant may take while others wait, in bytes. */
const TENANT_BYTES = BUDGET_BYTES / 2;
/** Maximum number of waiting pictures per tenant and purpose; more are refused at once. */
const MAX_WAITING = 32;

const turns = oncePerPlatform(() => ({
  all: new FairQueue({ inAll: BUDGET_BYTES, perTarget: BUDGET_BYTES }),
  variants: new FairQueue({ inAll: VARIANT_BYTES, perTarget: Math.min(TENANT_BYTES, VARIANT_BYTES) }),
  waiting: new Counts(),
}));

/**
 * Waits for memory for a picture of this size. Returns a function that releases the memory; null if it was not available in
 * time, or if too many pictures of the tenant are waiting. Tenants take turns. A picture larger than the budget takes all.
 */
export async function waitForPictureSlot(
  platform: Platform,
  work: PictureWork,
  { tenantId, pixels }: { readonly tenantId: string; readonly pixels: number },
): Promise<Release | null> {
  const { all, variants, waiting } = turns(platform);
  const waiter = `${work} ${tenantId}`;
  if (waiting.of(waiter) >= MAX_WAITING) return null;
  waiting.add(waiter, 1);
  try {
    const size = Math.max(pixels * BYTES_PER_PIXEL, PLACE_BYTES);
    const entry = { tenantId, targetId: tenantId, maxWaitMs: MAX_WAIT_MS };
    if (work === 'upload') return await all.enter({ ...entry, size, lane: 0 });
    const own = Math.min(size, VARIANT_BYTES);
    const leaveVariants = await variants.enter({ ...entry, size: own, lane: 0 });
    if (leaveVariants === null) return null;
    const leaveAll = await all.enter({ ...entry, size: own, lane: 1 });
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
 * @throws BrokenPicture if the metadata is unreadable, or the picture has too many pixels.
 */
export async function measurePicture(path: string): Promise<PictureInfo> {
  const open = await sharp();
  // Without a limit, so that the error below reports too large pictures.
  const { autoOrient } = await open(path, { ...INPUT, limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => Promise.reject(toBrokenPicture(cause)));
  const { width, height } = autoOrient;
  if (!(width > 0 && height > 0)) throw toBrokenPicture(null);
  if (width * height > MAX_PIXELS) throw new BrokenPicture('has more than 100 megapixels');
  return { width, height };
}

/** Decodes a whole picture and discards the result. @throws BrokenPicture if that fails. */
export async function checkPicture(path: string): Promise<void> {
  const open = await sharp();
  const decoded = open(path, INPUT)
    .timeout({ seconds: LONGEST_SECONDS })
    .resize({ width: 8 })
    .raw()
    .toBuffer();
  await decoded.catch((cause: unknown) => Promise.reject(toBrokenPicture(cause)));
}

/** Writes a resized copy of a picture to a file. @throws the libvips error. */
export async function writePicture(from: string, to: string, order: PictureOrder): Promise<void> {
  const open = await sharp();
  const { width, height, fit } = order;
  const resized = open(from, INPUT)
    .timeout({ seconds: LONGEST_SECONDS })
    .autoOrient()
    .resize({ width, height, fit: fit === 'cover' ? 'cover' : 'fill' });
  await encode(resized, order).toFile(to);
}

function encode(picture: Sharp, { format, quality }: PictureOrder): Sharp {
  if (format === 'png') return picture.png();
  if (format === 'avif') return picture.avif({ quality, effort: AVIF_EFFORT });
  // JPEG has no transparency: without a background, transparent areas become black.
  if (format === 'jpeg')
    return picture.flatten({ background: '#ffffff' }).jpeg({ quality, progressive: true });
  return picture.webp({ quality });
}

function toBrokenPicture(cause: unknown): BrokenPicture {
  return new BrokenPicture('is a corrupt or incomplete image', { cause });
}

type Open = typeof import('sharp').default;
let loaded: Promise<Open> | null = null;

/** Loads sharp on first use, which saves 20 MiB in processes without pictures. */
function sharp(): Promise<Open> {
  loaded ??= import('sharp').then(({ default: open }) => {
    open.cache(false);
    open.concurrency(1);
    open.block({ operation: ['VipsForeignLoad'] });
    open.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });
    return open;
  });
  return loaded;
}
