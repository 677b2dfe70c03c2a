import Type, { type Static } from 'typebox';
import { nullable } from '../../../http/schemas.ts';
import { TokenBudget } from '../ai-assistants/index.ts';
import { Message } from '../ai-threads/index.ts';

const Text = Type.String({ minLength: 1, maxLength: 1_000_000 });

/** A user's input to an assistant: a text, or a message of the user. */
export const UserInput = Type.Union([Text, Message]);
/** A user's text or message to an assistant. */
export type UserInput = Static<typeof UserInput>;

/** Body of a request for an answer. Without a message, the assistant answers the last message of the thread. */
export const ReplyBody = Type.Object({ message: Type.Optional(UserInput) }, { title: 'ReplyBody' });
/** A request for an assistant's answer. */
export type ReplyBody = Static<typeof ReplyBody>;

const Day = Type.String({ description: 'ISO 8601 date or time; its UTC day counts.' });

/** First and last day of the usage, inclusive. */
export const UsageQuery = Type.Object({ from: Type.Optional(Day), to: Type.Optional(Day) });

const Tokens = { input_tokens: Type.Integer(), output_tokens: Type.Integer() };

/** Usage of models in a period. */
export const UsageReply = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        { assistant_id: Type.String(), model: Type.String(), requests: Type.Integer(), ...Tokens },
        { title: 'AiUsageEntry' },
      ),
    ),
    ...Tokens,
  },
  { title: 'AiUsage' },
);
/** A tenant's usage of models in a period. */
export type UsageReply = Static<typeof UsageReply>;

/** The tenant's budget, as set by its owner. */
export const BudgetBody = Type.Object({ monthly_token_budget: nullable(TokenBudget) }, { title: 'AiBudget' });
/** A change of a tenant's token budget. */
export type BudgetBody = Static<typeof BudgetBody>;

/** The tenant's budget, and the tokens of the current month. */
export const BudgetReply = Type.Object(
  {
    ...BudgetBody.properties,
    used_tokens: Type.Integer({ description: 'Input and output tokens this month (UTC).' }),
  },
  { title: 'AiBudgetState' },
);
/** A tenant's token budget, with the tokens used in the current month. */
export type BudgetReply = Static<typeof BudgetReply>;
