import Type, { type Static } from 'typebox';
import { ImageBlock, Message, TextBlock } from '../ai-threads/index.ts';

/** Body of a request for a token. */
export const EngageBody = Type.Object(
  {
    key: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Identifies the user or topic; stored as `user_id` of new threads.',
    }),
    payload: Type.Unknown({
      description:
        'Any JSON, passed to the model with each message. In an object, `assistant_id` selects the assistant (default: the only one named `key`, else the only one) and `thread_id` the thread to continue.',
    }),
  },
  { title: 'EngageBody' },
);
/** A request for a conversation token. */
export type EngageBody = Static<typeof EngageBody>;

const closed = { additionalProperties: false } as const;

/**
 * A message from a browser: texts and images only. Tool calls, tool results and metadata come from the platform and
 * from callers with an API key, so models and readers can rely on them.
 */
const BrowserMessage = Type.Object(
  {
    role: Type.Enum(['user']),
    content: Type.Array(
      Type.Union([
        Type.Object(TextBlock.properties, { ...closed, title: 'ConversationTextBlock' }),
        Type.Object(
          {
            ...ImageBlock.properties,
            source: Type.Object(ImageBlock.properties.source.properties, {
              ...closed,
              title: 'ConversationImageSource',
            }),
          },
          { ...closed, title: 'ConversationImageBlock' },
        ),
      ]),
      { maxItems: 100, description: 'At most 20,000 characters of text and 5 images (5 MiB in total).' },
    ),
  },
  { ...closed, title: 'ConversationMessage' },
);

/** Body of a message in a conversation. */
export const ConversationBody = Type.Object(
  {
    message: Type.Union([Type.String({ minLength: 1, maxLength: 1_000_000 }), BrowserMessage]),
  },
  { title: 'ConversationMessageCreate' },
);
/** A visitor's message to an assistant. */
export type ConversationBody = Static<typeof ConversationBody>;

/** The assistant's answer, with its thread. */
export const ConversationReply = Type.Object(
  { thread_id: Type.String(), message: Message },
  { title: 'ConversationReply' },
);
/** An assistant's answer to a visitor. */
export type ConversationReply = Static<typeof ConversationReply>;
