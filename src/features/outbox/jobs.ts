import Type from 'typebox';
import { defineJob } from '../../jobs/jobs.ts';
import { deleteOldMessages } from './queries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long captured messages can be read; docs/operating.md tells it. */
const KEPT_DAYS = 30;

/** Removes captured messages that are older than 30 days, of all tenants, every hour. */
export const removeOldMessages = defineJob({
  name: 'outbox.remove-old-messages',
  payload: Type.Object({}),
  timeoutSeconds: 900,
  schedule: '27 * * * *',
  run: async ({ config, clock, database }) => {
    const before = new Date(clock().getTime() - KEPT_DAYS * DAY_MS);
    const deleteSome = () => deleteOldMessages(database.everyTenant, before, config.jobBatchSize);
    while ((await deleteSome()) >= config.jobBatchSize);
  },
});
