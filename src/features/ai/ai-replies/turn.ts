/**
 * A turn of a conversation: a user's message and the assistant's answer. When the answer is complete, both are added to
 * the thread atomically. The tokens are counted even if the answer fails.
 */
import { invalidRequest, ruleBroken } from '../../../errors/platform-errors.ts';
import type { ModelAnswer } from '../../../model-provider/answer.ts';
import {
  type AskOptions,
  askModel,
  type ModelQuestion,
  requireProvider,
} from '../../../model-provider/ask-model.ts';
import type { Platform } from '../../../platform.ts';
import type { Writer } from '../../../resources/statements.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { Release } from '../../../work-queue/fair-queue.ts';
import { type AssistantConfig, getAssistant } from '../ai-assistants/index.ts';
import {
  addMessages,
  imageFaults,
  type Message,
  type OpenThread,
  openThread,
  readMessages,
  requireToolUses,
  type ThreadVersion,
} from '../ai-threads/index.ts';
import { requireBudget } from './budget.ts';
import { tokensOfQuestion, tokensOfText } from './estimate.ts';
import { adaptMessages, isBlank, normalizeMessages } from './normalize-messages.ts';
import { addUsage } from './queries.ts';
import { reserveQuestionMemory } from './question-memory.ts';
import { retrieve, type Source } from './retrieval.ts';
import type { UserInput } from './schema.ts';

/** The context of a turn. */
export interface TurnContext extends Writer {
  readonly platform: Platform;
}

/** The assistant and its thread, or null for no thread. */
export interface QuestionTarget {
  readonly assistant: AssistantConfig;
  readonly thread: OpenThread | null;
}

/** A question that is ready to be sent. */
export interface Question {
  readonly assistantId: string;
  /** The assistant's unit. */
  readonly unitId: string;
  /** Releases the memory of its messages. `ask` always calls it. */
  readonly release: Release;
  readonly question: ModelQuestion;
  readonly sources: readonly Source[];
}

/** A turn that has begun. */
export interface Turn extends Question {
  readonly thread: ThreadVersion;
  /** The new messages, which are not stored yet. */
  readonly newMessages: readonly Message[];
}

/** Output of a question: texts as they arrive, and finally the answer as a message. */
export type TurnPart = { readonly text: string } | { readonly message: Message };

/** Converts a user's input to a message. @throws AppError INVALID_REQUEST for another role or an invalid image. */
export function toMessage(input: UserInput): Message {
  if (typeof input === 'string') return { role: 'user', content: [{ type: 'text', text: input }] };
  if (input.role !== 'user') throw invalidRequest([{ field: 'message.role', message: 'must be user' }]);
  const faults = imageFaults(input, 'message');
  if (faults.length > 0) throw invalidRequest(faults);
  return input;
}

/**
 * Begins a turn in a thread. @throws AppError NOT_FOUND for the thread or its assistant, LLM_NOT_CONFIGURED,
 * INVALID_REQUEST, VALIDATION_ERROR if there is nothing to answer, RATE_LIMITED if there is no memory for its messages,
 * TOKEN_BUDGET_EXCEEDED.
 */
export async function beginTurn(ctx: TurnContext, threadId: string, input?: UserInput): Promise<Turn> {
  const thread = await openThread(ctx, threadId);
  const added = input === undefined ? [] : [toMessage(input)];
  await requireToolUses(ctx.db, threadId, added);
  const target = { assistant: await getAssistant(ctx.db, thread.assistantId), thread };
  return { ...(await prepareQuestion(ctx, target, added)), thread, newMessages: added };
}

/** Prepares a question. The caller must pass it to `ask`. @throws the errors of `beginTurn`. */
export async function prepareQuestion(
  ctx: { readonly platform: Platform; readonly db: ScopedDb; readonly now: Date },
  { assistant, thread }: QuestionTarget,
  added: readonly Message[],
  context?: string,
): Promise<Question> {
  requireProvider(ctx.platform);
  await requireBudget(ctx.db, ctx.now, assistant);
  const release = await reserveQuestionMemory(ctx.platform, ctx.db.tenantId, thread?.bytes ?? 0);
  try {
    const earlier = thread === null ? [] : await readMessages(ctx.db, thread);
    const messages = normalizeMessages([...earlier, ...added].map(toProviderMessage));
    if (messages.length === 0)
      throw ruleBroken('message', 'is required: the thread has no message to answer');
    const { system, sources } = await retrieve(ctx, assistant, messages);
    const fullSystem = context === undefined ? system : `${system}\n\n${context}`;
    const { id: assistantId, unitId } = assistant;
    return { assistantId, unitId, question: toQuestion(assistant, fullSystem, messages), sources, release };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Asks, counts the tokens and yields the answer. The tokens of an incomplete answer are estimated; otherwise a client
 * that disconnects early would use no budget. @throws AppError LLM_PROVIDER_ERROR.
 */
export async function* ask(
  { platform, db, now }: TurnContext,
  { assistantId, unitId, question, sources, release }: Question,
  options: Omit<AskOptions, 'tenantId'>,
): AsyncGenerator<TurnPart> {
  const count = (inputTokens: number, outputTokens: number) =>
    addUsage(db, now, { assistantId, unitId, model: question.model, inputTokens, outputTokens });
  let characters = 0;
  let isUncounted = true;
  try {
    for await (const part of askModel(platform, question, { ...options, tenantId: db.tenantId })) {
      if ('text' in part) {
        characters += part.text.length;
        yield part;
        continue;
      }
      release();
      isUncounted = false;
      await count(part.answer.inputTokens, part.answer.outputTokens);
      yield { message: toAnswer(part.answer, sources) };
    }
  } catch (error) {
    // A provider that fails before its first text charges nothing, unless the client disconnected.
    if (characters === 0 && !options.signal.aborted) isUncounted = false;
    throw error;
  } finally {
    release();
    if (isUncounted) await count(tokensOfQuestion(question), tokensOfText(characters));
  }
}

/** Returns the whole answer. @throws AppError LLM_PROVIDER_ERROR. */
export async function askForAnswer(
  ctx: TurnContext,
  question: Question,
  signal: AbortSignal,
): Promise<Message> {
  for await (const part of ask(ctx, question, { isStreamed: false, signal }))
    if ('message' in part) return part.message;
  throw new Error('A model gave no answer and no error.');
}

/**
 * Adds the new messages and the answer to the thread. @throws AppError VERSION_CONFLICT if the thread was changed
 * meanwhile.
 */
export async function endTurn(ctx: Writer, { thread, newMessages }: Turn, answer: Message): Promise<void> {
  await addMessages(ctx, thread, [...newMessages, answer]);
}

/** Providers refuse unknown members and empty texts. */
function toProviderMessage({ role, content }: Message): Message {
  return {
    role,
    content: content
      .filter((block) => !isBlank(block))
      .map((block) =>
        block.type === 'tool_result'
          ? { ...block, content: block.content.filter((text) => !isBlank(text)) }
          : block,
      ),
  };
}

function toQuestion(
  { llmConfiguration: { model, max_tokens, temperature, tools } }: AssistantConfig,
  system: string,
  messages: readonly Message[],
): ModelQuestion {
  const hasTools = tools !== undefined && tools.length > 0;
  return {
    model,
    max_tokens,
    temperature,
    // Some providers refuse an empty one.
    ...(system.trim() === '' ? {} : { system }),
    messages: adaptMessages(messages, hasTools),
    ...(hasTools ? { tools } : {}),
  };
}

function toAnswer({ content }: ModelAnswer, sources: readonly Source[]): Message {
  return {
    role: 'assistant',
    content: [...content],
    ...(sources.length === 0 ? {} : { metadata: { sources } }),
  };
}
