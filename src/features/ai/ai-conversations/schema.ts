import Type, { type Static } from 'typebox';
import { ImageBlock, Message, TextBlock } from '../ai-threads/index.ts';

/** Body of a request for a token. */
export const EngageBody = Type.Object(
  {
    key: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Names who talks, or about what: the threads that it opens have it as their user_id.',
    }),
    payload: Type.Unknown({
      description:
        'Any JSON, which is told to the model with each message. Of an object, `assistant_id` names the assistant (without it: the only one called `key`, else the only one that there is) and `thread_id` the thread that is continued.',
    }),
  },
  { title: 'EngageBody' },
);
export type EngageBody = Static<typeof EngageBody>;

const onlyThese = { additionalProperties: false } as const;

/**
 * A message from a browser: texts and images only. Tool calls, tool results and metadata come from the platform and
 * from callers with an API key, so models and readers can rely on them.
 */
const BrowserMessage = Type.Object(
  {
    role: Type.Enum(['user']),
    content: Type.Array(
      Type.Union([
        Type.Object(TextBlock.properties, { ...onlyThese, title: 'ConversationTextBlock' }),
        Type.Object(
          {
            ...ImageBlock.properties,
            source: Type.Object(ImageBlock.properties.source.properties, {
              ...onlyThese,
              title: 'ConversationImageSource',
            }),
          },
          { ...onlyThese, title: 'ConversationImageBlock' },
        ),
      ]),
      { maxItems: 100, description: 'At most 20,000 characters of text, and 5 images of 5 MiB together.' },
    ),
  },
  { ...onlyThese, title: 'ConversationMessage' },
);

/** Body of a message in a conversation. */
export const ConversationBody = Type.Object(
  {
    message: Type.Union([Type.String({ minLength: 1, maxLength: 1_000_000 }), BrowserMessage]),
  },
  { title: 'ConversationMessageCreate' },
);
export type ConversationBody = Static<typeof ConversationBody>;

/** The assistant's answer, with its thread. */
export const ConversationReply = Type.Object(
  { thread_id: Type.String(), message: Message },
  { title: 'ConversationReply' },
);
export type ConversationReply = Static<typeof ConversationReply>;
