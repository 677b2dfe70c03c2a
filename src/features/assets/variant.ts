/** Parses the size and format that a request asks of a picture. */
import { invalidRequest } from '../../errors/platform-errors.ts';
import { isDrawing } from './file-types.ts';
import { formatOf, isTooMuchWork, type PictureInfo, type PictureOrder } from './pictures.ts';
import { MAX_SIDE, type VariantQuery } from './schema.ts';

/** A requested variant of a picture: its size and format. */
export interface PictureRequest {
  readonly order: PictureOrder;
  /** Equal for requests of the same variant. */
  readonly name: string;
}

/** Fields of an asset that tell if it is a picture, and its size. */
interface Source {
  readonly mime_type: string;
  readonly width: number | null;
  readonly height: number | null;
}

const DEFAULT_QUALITY = 80;

/**
 * Parses a query; null means the original file.
 * @throws AppError INVALID_REQUEST for a file that is not a picture, for a raster format of a vector graphic, and for a
 *   variant above the work limit.
 */
export function readPictureRequest(source: Source, query: VariantQuery): PictureRequest | null {
  const { w, h, fit, format, q } = query;
  const parameters = Object.entries({ w, h, fit, format, q }).filter(([, value]) => value !== undefined);
  if (parameters.length === 0) return null;
  const defaultFormat = formatOf(source.mime_type);
  const { width, height } = source;
  if (defaultFormat === null || width === null || height === null) {
    if (isDrawing(source.mime_type) && format === undefined) return null;
    throw invalidRequest(
      parameters.map(([field]) => ({ field, message: 'is supported for raster images only' })),
    );
  }
  const size = sizeOf({ width, height }, query);
  const chosen = format ?? defaultFormat;
  // PNG has no quality.
  const quality = chosen === 'png' ? 100 : (q ?? DEFAULT_QUALITY);
  const order = { ...size, format: chosen, quality };
  if (isTooMuchWork({ width, height }, order)) throw invalidRequest([tooMuchWork(query, chosen)]);
  return { order, name: `${order.fit}-${order.width}x${order.height}-${quality}.${chosen}` };
}

function tooMuchWork({ w, h }: VariantQuery, format: string) {
  const field = w === undefined && h === undefined ? 'format' : w === undefined ? 'h' : 'w';
  const other = format === 'avif' ? ' or for webp' : '';
  return { field, message: `would make a ${format} image that is too large: use a smaller w and h${other}` };
}

/**
 * Returns the size of a variant, which is never larger than the picture. `cover` with both sides fills the box and crops;
 * otherwise the picture keeps its aspect ratio and fits inside the box.
 */
function sizeOf(
  { width, height }: PictureInfo,
  { w, h, fit }: VariantQuery,
): Omit<PictureOrder, 'format' | 'quality'> {
  const [boxWidth, boxHeight] = [Math.min(w ?? MAX_SIDE, width), Math.min(h ?? MAX_SIDE, height)];
  if (w !== undefined && h !== undefined && fit !== 'contain')
    return { width: boxWidth, height: boxHeight, fit: 'cover' };
  const scale = Math.min(boxWidth / width, boxHeight / height);
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(width), height: scaled(height), fit: 'contain' };
}
