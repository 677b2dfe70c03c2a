/**
 * Repairs the messages of a thread for providers, which refuse threads with, for example, tool calls without results.
 */
import type { Message } from '../ai-threads/index.ts';

type Block = Message['content'][number];
type ToolUse = Extract<Block, { type: 'tool_use' }>;
type ToolResult = Extract<Block, { type: 'tool_result' }>;

const NO_RESULT = 'There is no result: the conversation went on without it.';
const NO_REASON = 'It failed.';
const OPENING_TEXT = '(The assistant begins.)';
/** Providers treat more characters as blank than JavaScript does. */
const BLANK = /^[\s\p{Cc}\p{Cf}]*$/u;
/** Providers refuse other ids and names, which some models invent. */
const UNUSABLE = /[^A-Za-z0-9_-]/g;

/**
 * Returns the messages of a thread in a form that every provider accepts. The stored thread does not change.
 *
 * - Each tool call is followed by its result, or by a synthetic one. Results without a call are removed. Calls have
 *   unique ids, and ids and names consist of accepted characters.
 * - Blank texts are removed. If the last message is an answer, which the model continues, blanks at its end are
 *   removed.
 * - Roles alternate. Tool calls of users, and results and images of assistants, are removed.
 */
export function normalizeMessages(messages: readonly Message[]): Message[] {
  const normalized: Message[] = [];
  const ids = new UsedIds();
  let openCalls: Call[] = [];
  for (const { role, content, ...more } of mergeRoles(messages.map(withoutUnsupported))) {
    const blocks = content.filter((block) => block.type !== 'tool_result');
    if (role === 'user') {
      const results = [...resultsOf(content, openCalls), ...blocks];
      openCalls = [];
      if (results.length > 0) normalized.push({ ...more, role, content: results });
      continue;
    }
    if (blocks.length === 0) continue;
    if (openCalls.length > 0) normalized.push({ role: 'user', content: resultsOf([], openCalls) });
    const sentBlocks = blocks.map((block) => (block.type === 'tool_use' ? ids.use(block) : block));
    openCalls = blocks.flatMap((block, index) => callsIn(block, sentBlocks[index]));
    normalized.push({ ...more, role, content: sentBlocks });
  }
  if (openCalls.length > 0) normalized.push({ role: 'user', content: resultsOf([], openCalls) });
  return trimLastAnswer(mergeRoles(normalized));
}

/**
 * Adapts messages to providers that require a user's message first and declared tools for tool calls. Without tools,
 * calls and results become texts.
 */
export function adaptMessages(messages: readonly Message[], hasTools: boolean): Message[] {
  const sent = hasTools
    ? [...messages]
    : messages.map((message) => ({ ...message, content: message.content.map(asText) }));
  if (sent[0]?.role !== 'assistant') return sent;
  return [{ role: 'user', content: [{ type: 'text', text: OPENING_TEXT }] }, ...sent];
}

function asText(block: Block): Block {
  if (block.type === 'tool_use')
    return { type: 'text', text: `(Tool ${block.name}: ${JSON.stringify(block.input)})` };
  if (block.type !== 'tool_result') return block;
  const result = block.content.map(({ text }) => text).join('\n');
  return { type: 'text', text: `(Result of the tool: ${result})` };
}

function withoutUnsupported({ role, content, ...more }: Message): Message {
  const unsupported: Block['type'][] = role === 'user' ? ['tool_use'] : ['tool_result', 'image'];
  return {
    ...more,
    role,
    content: content.filter((block) => !unsupported.includes(block.type) && !isBlank(block)),
  };
}

/** Joins consecutive messages of the same role. Tool calls end an answer, because their results follow. */
function mergeRoles(messages: readonly Message[]): Message[] {
  const runs: [Message, ...Message[]][] = [];
  for (const message of messages) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isSame = last?.role === message.role && !last.content.some(({ type }) => type === 'tool_use');
    if (run && isSame) run.push(message);
    else runs.push([message]);
  }
  return runs.map((run) => ({ ...run[0], content: run.flatMap(({ content }) => content) }));
}

/** A tool call: its id in the thread and the id that is sent to the provider. */
interface Call {
  readonly threadId: string;
  readonly sentId: string;
}

function callsIn(block: Block, sent: Block | undefined): Call[] {
  return block.type === 'tool_use' && sent?.type === 'tool_use'
    ? [{ threadId: block.id, sentId: sent.id }]
    : [];
}

/** Makes the ids of a thread's calls unique. */
class UsedIds {
  /** The last suffix of each id. Continuing from it keeps long threads of equal ids linear. */
  readonly #last = new Map<string, number>();

  use(block: ToolUse): ToolUse {
    const clean = block.id.replaceAll(UNUSABLE, '_');
    let id = clean;
    for (let count = this.#last.get(clean) ?? 1; this.#last.has(id); id = `${clean}_${count}`) {
      count += 1;
      this.#last.set(clean, count);
    }
    this.#last.set(id, 1);
    return { ...block, id, name: block.name.replaceAll(UNUSABLE, '_') };
  }
}

/** Returns a result for each call, in the order of the calls. */
function resultsOf(content: readonly Block[], calls: readonly Call[]): ToolResult[] {
  const results = content.filter((block) => block.type === 'tool_result');
  const byCall = Map.groupBy(results, ({ tool_use_id }) => tool_use_id);
  const remaining = new Map([...byCall].map(([id, group]) => [id, group.values()]));
  return calls.map(({ threadId, sentId }) => {
    // Calls with the same id get the results in order.
    const result = remaining.get(threadId)?.next().value;
    if (result === undefined) return failedResult(sentId, NO_RESULT);
    // Providers refuse a failure without a text.
    if (result.is_error && result.content.length === 0) return failedResult(sentId, NO_REASON);
    return { ...result, tool_use_id: sentId };
  });
}

function failedResult(id: string, text: string): ToolResult {
  return { type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text }], is_error: true };
}

/** True for a text block that has only blanks. */
export function isBlank(block: Block): boolean {
  return block.type === 'text' && BLANK.test(block.text);
}

function trimLastAnswer(messages: Message[]): Message[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text') return messages;
  const content = [...last.content.slice(0, -1), { ...block, text: block.text.trimEnd() }];
  return [...messages.slice(0, -1), { ...last, content }];
}
