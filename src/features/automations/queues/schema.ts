import Type, { type Static } from 'typebox';

/** A queue's name: a token, like `triggerParams.queueName`. */
export const QueueName = Type.String({
  pattern: '^[a-zA-Z0-9_]+$',
  minLength: 1,
  maxLength: 100,
  description: 'The name of a queue: letters, digits and `_`. Queues need not be created.',
});

/** Path parameters of a queue. */
export const QueueParams = Type.Object({ queueName: QueueName });

/** Body of a published message. */
export const MessageBody = Type.Object(
  { body: Type.Unknown({ description: 'Any JSON; runs read it as `trigger.message.body`.' }) },
  { title: 'QueueMessage' },
);
/** A message to publish to a queue. */
export type MessageBody = Static<typeof MessageBody>;

/** Reply: the message is stored. */
export const MessageReply = Type.Object({ message_id: Type.String() }, { title: 'QueueMessageReply' });
