import Type from 'typebox';
import { defineJob } from '../../../jobs/jobs.ts';
import { formsWithRetention } from '../forms/index.ts';
import { eraseBefore } from './erasure.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Erases submissions after their form's retention period. An error in one form does not stop the others. */
export const eraseExpiredSubmissions = defineJob({
  name: 'form-submissions.erase-expired',
  payload: Type.Object({}),
  timeoutSeconds: 3600,
  schedule: '41 3 * * *',
  run: async (platform) => {
    const errors: unknown[] = [];
    const now = platform.clock().getTime();
    try {
      for await (const form of formsWithRetention(platform.database.everyTenant('retention'))) {
        const { tenant_id: tenantId, code: formCode, retention_days: days } = form;
        const before = new Date(now - days * DAY_MS);
        await eraseBefore(platform, { tenantId, formCode }, before).catch((error: unknown) =>
          errors.push(error),
        );
      }
    } catch (error) {
      errors.push(error);
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Some expired submissions could not be erased.');
  },
});
