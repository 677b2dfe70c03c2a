import Type from 'typebox';
import { FORBIDDEN, NOT_FOUND } from '../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { TestReply } from '../../../outbound/webhook-test.ts';
import { settingsWriteOptions } from '../../email-settings/api.ts';
import { testEventWebhook } from './test-event.ts';

/** The test of an event webhook (docs/specification/email-events.md#event-webhooks). */
export const routes: readonly Route[] = [
  defineRoute({
    ...settingsWriteOptions,
    id: 'event_webhooks.test',
    method: 'POST',
    path: '/api/email_settings/event_webhooks/{name}/test',
    summary: 'Sends a sample event to the target once',
    description: 'Not a delivery: no retries. Requires the admin role on Default.',
    errors: [FORBIDDEN, NOT_FOUND],
    params: Type.Object({ name: Type.String() }),
    reply: TestReply,
    handler: (ctx, { params }) => testEventWebhook(ctx, params.name),
  }),
];
