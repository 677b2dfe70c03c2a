import type { Static } from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { MemberContext, RequestContext } from '../../../http/context.ts';
import { createRecord } from '../../../resources/records.ts';
import { generateToken, parseToken } from '../../../secrets/tenant-tokens.ts';
import { PREVIEW_SNAPSHOTS } from '../../../stored-bytes/kinds.ts';
import { requireStorageQuota } from '../../../stored-bytes/storage-quota.ts';
import { storedBytes } from '../../../stored-bytes/stored-bytes.ts';
import { closedTenants } from '../../../tenancy/closed-tenants.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { findModelAndUid } from '../documents/index.ts';
import { isContentId, shareLockProject } from '../projects/index.ts';
import { findSnapshot } from './queries.ts';
import { LIFETIME_HOURS, snapshots } from './resource.ts';
import type { SnapshotBody } from './schema.ts';

/** Prefix of snapshot tokens. */
const PREVIEW_TOKEN = 'tsp';
const LIFETIME_MS = LIFETIME_HOURS * 60 * 60 * 1000;

/**
 * Stores a state of a document. Anyone with the returned token can read it.
 * @throws AppError NOT_FOUND for the project, FORBIDDEN, RATE_LIMITED.
 */
export async function createSnapshot(
  ctx: MemberContext,
  projectId: string,
  documentId: string,
  { snapshot }: Static<typeof SnapshotBody>,
): Promise<{ token: string }> {
  const { db } = ctx;
  if (!isContentId(documentId)) throw new AppError(NOT_FOUND);
  const { owner_bu_id: ownerId } = await shareLockProject(db, projectId);
  const document = await findModelAndUid(db, projectId, documentId);
  const { token, digest } = generateToken(PREVIEW_TOKEN, db.tenantId);
  const columns = {
    document_id: documentId,
    document_model_id: document?.document_model_id ?? null,
    uid: document?.uid ?? null,
    snapshot,
  };
  await requireStorageQuota(ctx.platform, db, PREVIEW_SNAPSHOTS);
  await createRecord(ctx, snapshots, columns, { key: [projectId, digest.toString('hex')], ownerId });
  const bytes = Buffer.byteLength(snapshot);
  db.afterCommit(() => storedBytes(ctx.platform).add(db.tenantId, PREVIEW_SNAPSHOTS, bytes, ctx.now));
  return { token };
}

/** Returns the snapshot of a token. @throws AppError NOT_FOUND for an unknown or expired token. */
export async function readSnapshot({ platform, now }: RequestContext, token: string) {
  const parts = parseToken(PREVIEW_TOKEN, token);
  if (parts === null || closedTenants(platform).has(parts.tenantId)) throw new AppError(NOT_FOUND);
  const since = new Date(now.getTime() - LIFETIME_MS);
  const row = await findSnapshot(
    platform.scoped(wholeTenant(parts.tenantId)),
    parts.digest.toString('hex'),
    since,
  );
  if (row === undefined) throw new AppError(NOT_FOUND);
  return { token, ...snapshots.view(row) };
}
