/**
 * Pictures by sharp (libvips), in the threads of libuv: checked when they arrive, and made in other sizes and formats. Only
 * the loaders of the formats that are taken are open, so that a file cannot pass for a drawing or a document.
 */
import { availableParallelism } from 'node:os';
import type { Sharp, SharpOptions } from 'sharp';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { Counts, FairQueue, type Leave } from '../../work-queue/fair-queue.ts';
import type { PictureFormat } from './schema.ts';

/** More are refused when they arrive (docs/specification/assets.md#asset). */
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
/** Work of one new pixel by format, compared with one pixel that is read. */
const WORK_PER_PIXEL: Readonly<Record<PictureFormat, number>> = { avif: 25, webp: 5, jpeg: 1, png: 1 };
/** Work limit of one variant, in pixels: about 10 s of a processor. An encoder cannot be stopped, so it must not start. */
const MAX_WORK = 200_000_000;
/** Little effort: the usual one takes an AVIF of a large picture four times as long, for a tenth of its size. */
const AVIF_EFFORT = 2;

/** Bytes that pictures under way may take together, by what their pixels take when they are all in memory. */
const BUDGET_BYTES = 256 * 1024 * 1024;
const BYTES_PER_PIXEL = 4;
/** Longest wait of a picture for processing. */
export const MAX_WAIT_MS = 30_000;

/** Facts of a checked picture. */
export interface PictureFacts {
  readonly width: number;
  readonly height: number;
}

/** Size, fit and format of a picture to make. */
export interface PictureOrder extends PictureFacts {
  readonly fit: 'cover' | 'contain';
  readonly format: PictureFormat;
  readonly quality: number;
}

/** True if making this picture of a source would exceed the work limit of one variant. */
export function isTooMuchWork(source: PictureFacts, { width, height, format }: PictureOrder): boolean {
  return source.width * source.height + width * height * WORK_PER_PIXEL[format] > MAX_WORK;
}

/** The file is no picture that can be shown; the message follows the name of a field. */
export class BrokenPicture extends Error {}

/** The format in which a picture of this type is shown by itself; null for what is no picture. */
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
/** Places that one tenant may take while others wait, in bytes. */
const TENANT_BYTES = BUDGET_BYTES / 2;
/** Pictures of one tenant that may wait; more are refused at once. */
const MAX_WAITING = 32;

const turns = oncePerPlatform(() => ({
  all: new FairQueue({ inAll: BUDGET_BYTES, perTarget: BUDGET_BYTES }),
  variants: new FairQueue({ inAll: VARIANT_BYTES, perTarget: Math.min(TENANT_BYTES, VARIANT_BYTES) }),
  waiting: new Counts(),
}));

/**
 * Waits until there is memory for a picture of so many pixels; null when there was none in time, or when too many pictures of the
 * tenant wait. Tenants take turns. A picture that is larger than its budget takes all of it.
 */
export async function takePictureTurn(
  platform: Platform,
  work: PictureWork,
  { tenantId, pixels }: { readonly tenantId: string; readonly pixels: number },
): Promise<Leave | null> {
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
 * Width and height by what a file says of itself, turned as it is shown: nothing is decoded.
 * @throws BrokenPicture for what says nothing, or has too many pixels.
 */
export async function measurePicture(path: string): Promise<PictureFacts> {
  const open = await sharp();
  // Without a limit, so that what is too large is told as such.
  const { autoOrient } = await open(path, { ...INPUT, limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => Promise.reject(broken(cause)));
  const { width, height } = autoOrient;
  if (!(width > 0 && height > 0)) throw broken(null);
  if (width * height > MAX_PIXELS) throw new BrokenPicture('has more than 100 megapixels');
  return { width, height };
}

/** Decodes all of a picture and keeps nothing. @throws BrokenPicture when that fails. */
export async function checkPicture(path: string): Promise<void> {
  const open = await sharp();
  const decoded = open(path, INPUT)
    .timeout({ seconds: LONGEST_SECONDS })
    .resize({ width: 8 })
    .raw()
    .toBuffer();
  await decoded.catch((cause: unknown) => Promise.reject(broken(cause)));
}

/** Writes a picture of another to a file. @throws what libvips says. */
export async function makePicture(from: string, to: string, order: PictureOrder): Promise<void> {
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
  // What is transparent would be black.
  if (format === 'jpeg')
    return picture.flatten({ background: '#ffffff' }).jpeg({ quality, progressive: true });
  return picture.webp({ quality });
}

function broken(cause: unknown): BrokenPicture {
  return new BrokenPicture('is a picture that cannot be read: it is broken or cut off', { cause });
}

type Open = typeof import('sharp').default;
let loaded: Promise<Open> | null = null;

/** Loaded with the first picture: a process that has none saves 20 MiB. */
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
