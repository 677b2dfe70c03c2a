import { AppError } from '../../../errors/app-error.ts';
import { FORBIDDEN } from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { hasRoleInAnyUnit } from '../../../tenancy/caller.ts';
import { AUTOMATION_INPUTS_FULL } from '../automations/index.ts';
import { publishMessage, requireMessageQuota } from './messages.ts';
import { MessageBody, MessageReply, QueueParams } from './schema.ts';

/** Messages for automations (docs/specification/automations.md#queues). */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'queue_messages.publish',
    method: 'POST',
    path: '/api/queues/{queueName}/messages',
    summary: 'Publishes a message to the automations of a queue',
    description: 'Queues need no setup. A message waits up to 7 days for an active automation.',
    tag: 'Automations',
    access: 'editor',
    params: QueueParams,
    body: MessageBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    status: 202,
    errors: [AUTOMATION_INPUTS_FULL],
    reply: MessageReply,
    write: async ({ caller, platform, db, now }, { params, body }) => {
      if (!hasRoleInAnyUnit(caller, 'editor')) throw new AppError(FORBIDDEN);
      await requireMessageQuota({ platform, db, now });
      const message = { queue: params.queueName, body: body.body };
      return { message_id: await publishMessage({ platform, db, now }, message) };
    },
  }),
];
