/** Part of the overview: failing webhooks. */
import { type FindAttention, NO_ATTENTION } from '../../../overview/overview-part.ts';
import { toAttention } from '../../../work-queue/failing-webhooks.ts';
import { listFailingWebhooks } from './queries.ts';

/** Finds the webhooks whose deliveries fail, for owners, who alone see them. */
export const findFailingWebhooks: FindAttention = async ({ db, caller }, limit) =>
  caller.isTenantAdmin ? toAttention('entity_webhook', await listFailingWebhooks(db, limit)) : NO_ATTENTION;
