import Type, { type Static } from 'typebox';

/** A queue's name: a token, as `triggerParams.queueName` is. */
export const QueueName = Type.String({ pattern: '^[a-zA-Z0-9_]+$', minLength: 1, maxLength: 100 });

/** Names a queue, which needs not be made. */
export const QueueParams = Type.Object({ queueName: QueueName });

/** What is published. */
export const MessageBody = Type.Object(
  { body: Type.Unknown({ description: 'Any JSON: what runs read as `trigger.message.body`.' }) },
  { title: 'QueueMessage' },
);
export type MessageBody = Static<typeof MessageBody>;

/** The answer: the message is there, whatever happens. */
export const MessageReply = Type.Object({ message_id: Type.String() }, { title: 'QueueMessageReply' });
