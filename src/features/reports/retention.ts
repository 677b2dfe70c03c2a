/** Exports go when their links are over, with their mails: these hold what is attached. */
import type { Platform } from '../../platform.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import { deleteTransmissions } from '../mail/api.ts';
import { LINK_DAYS } from './links.ts';
import { deleteExport, listOld } from './queries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A link begins when its file is written, at most a day after it was asked for. */
const KEPT_DAYS = LINK_DAYS + 1;

/** Removes what is old, of all tenants. What cannot be removed does not keep the rest. */
export async function removeOldExports(platform: Platform): Promise<void> {
  const { config, clock, database, scoped } = platform;
  const before = new Date(clock().getTime() - KEPT_DAYS * DAY_MS);
  const errors: unknown[] = [];
  for (;;) {
    const { rows, failure } = await listOld(database.everyTenant('retention'), before, config.jobBatchSize);
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
