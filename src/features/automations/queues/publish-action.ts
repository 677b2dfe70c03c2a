import Type from 'typebox';
import { defineActionType } from '../../../flows/action-type.ts';
import { publishMessage } from './messages.ts';
import { QueueName } from './schema.ts';

/** Publishes a message in the transaction that stores the action's result. The message continues the chain of runs. */
export const publishAction = defineActionType({
  key: 'publishMessage',
  name: 'Publish a message',
  description:
    'Publishes a message to a queue. Each active automation with a trigger for this queue starts a run. Result: `{message_id}`.',
  params: Type.Object({
    queueName: QueueName,
    body: Type.Unknown({ description: 'Any JSON value. Runs read it as `trigger.message.body`.' }),
  }),
  write: async ({ platform, db, now }, { queueName, body }) => {
    return { message_id: await publishMessage({ platform, db, now }, { queue: queueName, body }) };
  },
  // A dry run has no message id, because publishing creates it.
  preview: async () => ({ message_id: null }),
});
