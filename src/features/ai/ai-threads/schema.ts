import Type, { type Static } from 'typebox';

/** A text. */
export const TextBlock = Type.Object(
  { type: Type.Literal('text'), text: Type.String() },
  { title: 'TextBlock' },
);

/** An image, inline in the message. */
export const ImageBlock = Type.Object(
  {
    type: Type.Literal('image'),
    source: Type.Object(
      {
        type: Type.Literal('base64'),
        media_type: Type.String({
          pattern: '^image/[a-z0-9.+-]{1,100}$',
          description: 'For example image/png.',
        }),
        data: Type.String({ description: 'Base64, at most 5 MiB.' }),
      },
      { title: 'ImageSource' },
    ),
  },
  { title: 'ImageBlock' },
);

const ToolUseBlock = Type.Object(
  {
    type: Type.Literal('tool_use'),
    id: Type.String({ minLength: 1, maxLength: 200 }),
    name: Type.String({ minLength: 1, maxLength: 128 }),
    input: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'ToolUseBlock' },
);

const ToolResultBlock = Type.Object(
  {
    type: Type.Literal('tool_result'),
    tool_use_id: Type.String({ description: 'Id of an earlier tool_use.' }),
    content: Type.Array(TextBlock),
    is_error: Type.Optional(Type.Boolean()),
  },
  { title: 'ToolResultBlock' },
);

/** A part of a message (docs/specification/ai.md#threads). */
export const Block = Type.Union([TextBlock, ImageBlock, ToolUseBlock, ToolResultBlock]);
/** A part of a message, such as a text or a tool call. */
export type Block = Static<typeof Block>;

/** A message of a thread. Its content is stored and returned unchanged. */
export const Message = Type.Object(
  {
    role: Type.Enum(['user', 'assistant']),
    content: Type.Array(Block, { maxItems: 10_000 }),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Metadata, hidden from models. Answers with knowledge have `sources`.',
      }),
    ),
  },
  { title: 'Message' },
);
/** A message of a thread. */
export type Message = Static<typeof Message>;

/** The user of the thread, as the caller identifies them. */
export const UserId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,200}$',
  description: 'Letters, digits, hyphens and underscores.',
});

const Messages = Type.Array(Message, { maxItems: 10_000 });
/** Below the maximum of PostgreSQL's integer, so that the version can still be raised. */
const ThreadVersion = Type.Integer({ minimum: 0, maximum: 2_000_000_000 });

/** Body that opens a thread. */
export const ThreadCreate = Type.Object(
  {
    version: ThreadVersion,
    created_at: Type.String({ format: 'date-time' }),
    assistant_id: Type.String(),
    user_id: UserId,
    messages: Messages,
  },
  { title: 'ThreadCreate' },
);
/** A request that opens a thread. */
export type ThreadCreate = Static<typeof ThreadCreate>;

/** Body that appends to a thread. */
export const ThreadReplace = Type.Object(
  {
    version: ThreadVersion,
    messages: Type.Array(Message, {
      maxItems: 10_000,
      description: 'Messages to add. If they start with all messages of the thread, only the rest is added.',
    }),
  },
  { title: 'ThreadReplace' },
);
/** A request that appends messages to a thread. */
export type ThreadReplace = Static<typeof ThreadReplace>;
