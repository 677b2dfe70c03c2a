import Type, { type Static } from 'typebox';
import { Said } from '../ai-replies/index.ts';
import { Message } from '../ai-threads/index.ts';

/** The body that asks for a token. */
export const EngageBody = Type.Object(
  {
    key: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Names who talks, or about what: the threads that it opens have it as their user_id.',
    }),
    payload: Type.Object(
      {
        assistant_id: Type.String(),
        thread_id: Type.Optional(Type.String({ description: 'The thread that is continued.' })),
      },
      { description: 'Further members are told to the model with each message.' },
    ),
  },
  { title: 'EngageBody' },
);
export type EngageBody = Static<typeof EngageBody>;

/** What somebody says in a conversation. */
export const ConversationBody = Type.Object({ message: Said });
export type ConversationBody = Static<typeof ConversationBody>;

/** What the assistant answers, and in which thread. */
export const ConversationReply = Type.Object({ thread_id: Type.String(), message: Message });
export type ConversationReply = Static<typeof ConversationReply>;
