/** Attachments: as requested, and as stored until the mail is sent. */
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { invalidRequest } from '../../../errors/platform-errors.ts';
import type { RequestContext, TenantContext } from '../../../http/context.ts';
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { type AssetInfo, findPublicFile, isPublicAddress, listAssets } from '../../assets/api.ts';
import { ATTACHMENTS_TOO_LARGE, MAX_ATTACHMENT_BYTES } from './request-check.ts';
import type { StoredAttachment } from './tables.ts';

/**
 * An attachment of a caller or template: one of `url`, `data` and `asset_id`. For an asset, name and type are optional.
 */
export interface AttachmentInput {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly url?: string | undefined;
  readonly data?: string | undefined;
  readonly asset_id?: string | undefined;
}

type Assets = ReadonlyMap<string, AssetInfo>;

const ROOT = 'content.attachments';
const NO_ASSET = 'must reference an existing asset';

/**
 * Reads the attachments of a checked request.
 * @throws AppError INVALID_REQUEST naming forbidden addresses and missing assets, or if the files of known size are too
 *   large in total.
 */
export async function readAttachments(
  { platform, db }: Pick<RequestContext, 'platform'> & TenantContext,
  inputs: readonly AttachmentInput[],
): Promise<StoredAttachment[]> {
  const assets = await findAssets(db, inputs);
  const found = await Promise.all(
    inputs.map(async ({ url, asset_id: id }, index): Promise<Issue[]> => {
      if (id !== undefined && !assets.has(id))
        return [{ field: `${ROOT}[${index}].asset_id`, message: NO_ASSET }];
      const message = url === undefined ? null : await checkUrl(platform, url);
      return message === null ? [] : [{ field: `${ROOT}[${index}].url`, message }];
    }),
  );
  const issues = found.flat();
  if (issues.length > 0) throw invalidRequest(issues);
  const stored = inputs.map((each) => toStored(each, assets));
  const bytes = stored.reduce(
    (sum, { data = '', size = 0 }) => sum + Buffer.byteLength(data, 'base64') + size,
    0,
  );
  if (bytes > MAX_ATTACHMENT_BYTES) throw invalidRequest([{ field: ROOT, message: ATTACHMENTS_TOO_LARGE }]);
  return stored;
}

/** Returns the attachments of a template; a file that is missing at sending time fails the messages. */
export async function storedAttachments(
  db: ScopedDb,
  inputs: readonly AttachmentInput[],
): Promise<StoredAttachment[]> {
  const assets = await findAssets(db, inputs);
  return inputs.map((each) => toStored(each, assets));
}

function findAssets(db: ScopedDb, inputs: readonly AttachmentInput[]): Promise<Assets> {
  return listAssets(
    db,
    inputs.flatMap(({ asset_id: id }) => id ?? []),
  );
}

/** Returns the fault of a URL. URLs of this installation need no outbound call. */
async function checkUrl(platform: Platform, url: string): Promise<string | null> {
  if (!isPublicAddress(platform, url)) return platform.outbound.checkTarget(url);
  try {
    return (await findPublicFile(platform, url)) === null ? NO_ASSET : null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [issue] = error.issues ?? [];
    return issue === undefined ? error.message : `has a ${issue.field} that ${issue.message}`;
  }
}

function toStored(
  { name, type, url, data, asset_id: assetId }: AttachmentInput,
  assets: Assets,
): StoredAttachment {
  if (assetId === undefined)
    return { name: name ?? '', type: type ?? '', ...(url === undefined ? { data: data ?? '' } : { url }) };
  const asset = assets.get(assetId) ?? { name: assetId, mime_type: 'application/octet-stream', size: 0 };
  return { name: name ?? asset.name, type: type ?? asset.mime_type, assetId, size: asset.size };
}
