/** Messages of a thread as a provider takes them: whatever a caller left open would be refused for ever otherwise. */
import type { Message } from '../ai-threads/index.ts';

type Block = Message['content'][number];
type ToolUse = Extract<Block, { type: 'tool_use' }>;
type ToolResult = Extract<Block, { type: 'tool_result' }>;

const NO_RESULT = 'There is no result: the conversation went on without it.';
const NO_REASON = 'It failed.';
const BEGIN = '(The assistant begins.)';
/** Providers take more characters for blanks than JavaScript does. */
const BLANK = /^[\s\p{Cc}\p{Cf}]*$/u;
/** Providers refuse other ids and names, which some models invent. */
const UNUSABLE = /[^A-Za-z0-9_-]/g;

/**
 * Returns the messages of a thread, which itself stays as it is, so that each provider takes them:
 *
 * - Each call of a tool has a result before anything else that was said, a synthetic one if none was given; results
 *   without a call are left out. Calls have ids of their own, and ids and names that providers accept.
 * - There are no blank texts, and no blanks at the end of an answer that the model is to continue.
 * - Roles alternate; users call no tools, and assistants have neither results nor images.
 */
export function answerable(messages: readonly Message[]): Message[] {
  const made: Message[] = [];
  const ids = new UsedIds();
  let open: Call[] = [];
  for (const { role, content, ...more } of merged(messages.map(withoutRefused))) {
    const said = content.filter((block) => block.type !== 'tool_result');
    if (role === 'user') {
      const results = [...resultsOf(content, open), ...said];
      open = [];
      if (results.length > 0) made.push({ ...more, role, content: results });
      continue;
    }
    if (said.length === 0) continue;
    if (open.length > 0) made.push({ role: 'user', content: resultsOf([], open) });
    const own = said.map((block) => (block.type === 'tool_use' ? ids.use(block) : block));
    open = said.flatMap((block, at) => callsIn(block, own[at]));
    made.push({ ...more, role, content: own });
  }
  if (open.length > 0) made.push({ role: 'user', content: resultsOf([], open) });
  return withoutLastBlanks(merged(made));
}

/**
 * Returns messages as providers take them that insist on a user who begins, and on tools for calls of tools: without
 * tools, calls and results become texts.
 */
export function acceptable(messages: readonly Message[], hasTools: boolean): Message[] {
  const sent = hasTools
    ? [...messages]
    : messages.map((message) => ({ ...message, content: message.content.map(asText) }));
  if (sent[0]?.role !== 'assistant') return sent;
  return [{ role: 'user', content: [{ type: 'text', text: BEGIN }] }, ...sent];
}

function asText(block: Block): Block {
  if (block.type === 'tool_use')
    return { type: 'text', text: `(Tool ${block.name}: ${JSON.stringify(block.input)})` };
  if (block.type !== 'tool_result') return block;
  const result = block.content.map(({ text }) => text).join('\n');
  return { type: 'text', text: `(Result of the tool: ${result})` };
}

function withoutRefused({ role, content, ...more }: Message): Message {
  const refused: Block['type'][] = role === 'user' ? ['tool_use'] : ['tool_result', 'image'];
  return {
    ...more,
    role,
    content: content.filter((block) => !refused.includes(block.type) && !isBlank(block)),
  };
}

/** Joins messages of the same role. Calls of tools end an answer: their results come next. */
function merged(messages: readonly Message[]): Message[] {
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

/** A call of a tool by its own id, and by the one that is sent to the provider. */
interface Call {
  readonly own: string;
  readonly sent: string;
}

function callsIn(block: Block, sent: Block | undefined): Call[] {
  return block.type === 'tool_use' && sent?.type === 'tool_use' ? [{ own: block.id, sent: sent.id }] : [];
}

/** Ids of a thread's calls: each is used once. */
class UsedIds {
  /** The last number behind each id; counting from it keeps long threads of equal ids linear. */
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
  const rest = new Map([...byCall].map(([id, own]) => [id, own.values()]));
  return calls.map(({ own, sent }) => {
    // Of calls with the same id each has the next result.
    const result = rest.get(own)?.next().value;
    if (result === undefined) return failed(sent, NO_RESULT);
    // A failure without a text is refused.
    if (result.is_error && result.content.length === 0) return failed(sent, NO_REASON);
    return { ...result, tool_use_id: sent };
  });
}

function failed(id: string, text: string): ToolResult {
  return { type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text }], is_error: true };
}

/** True for a text of blanks alone. */
export function isBlank(block: Block): boolean {
  return block.type === 'text' && BLANK.test(block.text);
}

function withoutLastBlanks(messages: Message[]): Message[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text') return messages;
  const content = [...last.content.slice(0, -1), { ...block, text: block.text.trimEnd() }];
  return [...messages.slice(0, -1), { ...last, content }];
}
