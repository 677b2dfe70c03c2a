import Type from 'typebox';
import { defineActionType } from '../../../flows/action-type.ts';
import { publishMessage } from './messages.ts';
import { QueueName } from './schema.ts';

/** Publishes a message in the transaction that notes the action. The chain of runs continues through it. */
export const publishAction = defineActionType({
  key: 'publishMessage',
  name: 'Publish a message',
  description: 'Publishes a message to the automations that handle a queue.',
  params: Type.Object({
    queueName: QueueName,
    body: Type.Unknown({ description: 'Any JSON: what they read as `trigger.message.body`.' }),
  }),
  write: async ({ platform, db, now }, { queueName, body }) => {
    return { message_id: await publishMessage({ platform, db, now }, { queue: queueName, body }) };
  },
  // The id is only created on publication.
  preview: async () => ({ message_id: null }),
});
