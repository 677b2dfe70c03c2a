/** Parses the size and format of a requested image variant. */
import { invalidRequest } from '../../errors/platform-errors.ts';
import { isVectorImage } from './file-types.ts';
import { exceedsWorkLimit, formatOf, type ImageInfo, type ImageSpec } from './images.ts';
import { MAX_SIDE, type VariantQuery } from './schema.ts';

/** A requested variant of an image. */
export interface ImageRequest {
  readonly spec: ImageSpec;
  /** File name of the variant, equal for requests of the same variant. */
  readonly name: string;
}

/** Fields of an asset that determine if it is an image, and its size. */
interface Source {
  readonly mime_type: string;
  readonly width: number | null;
  readonly height: number | null;
}

const DEFAULT_QUALITY = 80;

/**
 * Parses a query; null means the original file.
 * @throws AppError INVALID_REQUEST for a file that is not an image, for a raster format of a vector graphic, and for a
 *   variant above the work limit.
 */
export function readImageRequest(source: Source, query: VariantQuery): ImageRequest | null {
  const { w, h, fit, format, q } = query;
  const parameters = Object.entries({ w, h, fit, format, q }).filter(([, value]) => value !== undefined);
  if (parameters.length === 0) return null;
  const defaultFormat = formatOf(source.mime_type);
  const { width, height } = source;
  if (defaultFormat === null || width === null || height === null) {
    if (isVectorImage(source.mime_type) && format === undefined) return null;
    throw invalidRequest(
      parameters.map(([field]) => ({ field, message: 'is supported for raster images only' })),
    );
  }
  const size = sizeOf({ width, height }, query);
  const chosen = format ?? defaultFormat;
  // PNG has no quality.
  const quality = chosen === 'png' ? 100 : (q ?? DEFAULT_QUALITY);
  const spec = { ...size, format: chosen, quality };
  if (exceedsWorkLimit({ width, height }, spec)) throw invalidRequest([tooMuchWork(query, chosen)]);
  return { spec, name: `${spec.fit}-${spec.width}x${spec.height}-${quality}.${chosen}` };
}

function tooMuchWork({ w, h }: VariantQuery, format: string) {
  const field = w === undefined && h === undefined ? 'format' : w === undefined ? 'h' : 'w';
  const other = format === 'avif' ? ', or format webp' : '';
  return { field, message: `needs too much processing as ${format}: use a smaller w and h${other}` };
}

/**
 * Returns the size of a variant, which is never larger than the image. `cover` with both sides fills the box and crops;
 * otherwise the image keeps its aspect ratio and fits inside the box.
 */
function sizeOf(
  { width, height }: ImageInfo,
  { w, h, fit }: VariantQuery,
): Omit<ImageSpec, 'format' | 'quality'> {
  const [boxWidth, boxHeight] = [Math.min(w ?? MAX_SIDE, width), Math.min(h ?? MAX_SIDE, height)];
  if (w !== undefined && h !== undefined && fit !== 'contain')
    return { width: boxWidth, height: boxHeight, fit: 'cover' };
  const scale = Math.min(boxWidth / width, boxHeight / height);
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(width), height: scaled(height), fit: 'contain' };
}
