/** Deletes exports after their links have expired, together with their mails, which may contain the file. */
import type { Platform } from '../../platform.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import { deleteTransmissions } from '../mail/api.ts';
import { LINK_DAYS } from './links.ts';
import { deleteExport, listExpired } from './queries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A link is valid from when its file is written, at most a day after the request. */
const KEPT_DAYS = LINK_DAYS + 1;

/** Deletes old exports of all tenants. An export that cannot be deleted does not block the others. */
export async function removeOldExports(platform: Platform): Promise<void> {
  const { config, clock, database, scoped } = platform;
  const before = new Date(clock().getTime() - KEPT_DAYS * DAY_MS);
  const errors: unknown[] = [];
  for (;;) {
    const { rows, failure } = await listExpired(
      database.everyTenant('retention'),
      before,
      config.jobBatchSize,
    );
    if (failure !== undefined) errors.push(failure);
    for (const { tenant_id: tenantId, id } of rows) {
      const removed = scoped(wholeTenant(tenantId)).transaction(async (tx) => {
        await deleteTransmissions(tx, [id]);
        await deleteExport(tx, id);
      });
      await removed.catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Some old exports could not be removed.');
    if (rows.length < config.jobBatchSize) return;
  }
}
