/** Messages of a thread as a provider takes them: whatever a caller left open would be refused for ever otherwise. */
import type { Message } from '../ai-threads/index.ts';

type Block = Message['content'][number];
type ToolResult = Extract<Block, { type: 'tool_result' }>;

const NO_RESULT = 'There is no result: the conversation went on without it.';

/**
 * The same messages with an answer to each call of a tool (a synthetic one where none was given, before anything else that was said),
 * without results of calls that there are not, texts of blanks alone, and blanks at the end of an answer to go on with. The thread
 * itself stays as it is.
 */
export function answerable(messages: readonly Message[]): Message[] {
  const made: Message[] = [];
  let open: string[] = [];
  for (const { role, content, ...more } of messages) {
    const said = content.filter((block) => block.type !== 'tool_result' && !isBlank(block));
    if (role === 'user') {
      const results = [...resultsOf(content, open), ...said];
      open = [];
      if (results.length > 0) made.push({ ...more, role, content: results });
      continue;
    }
    if (said.length === 0) continue;
    if (open.length > 0) made.push({ role: 'user', content: resultsOf([], open) });
    open = said.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    made.push({ ...more, role, content: said });
  }
  if (open.length > 0) made.push({ role: 'user', content: resultsOf([], open) });
  return withoutLastBlanks(made);
}

/** A result for each call, in the order of the calls. */
function resultsOf(content: readonly Block[], calls: readonly string[]): ToolResult[] {
  return [...new Set(calls)].map((id) => {
    const given = content.find(
      (block): block is ToolResult => block.type === 'tool_result' && block.tool_use_id === id,
    );
    return (
      given ?? {
        type: 'tool_result',
        tool_use_id: id,
        content: [{ type: 'text', text: NO_RESULT }],
        is_error: true,
      }
    );
  });
}

function isBlank(block: Block): boolean {
  return block.type === 'text' && block.text.trim() === '';
}

function withoutLastBlanks(messages: Message[]): Message[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text') return messages;
  const content = [...last.content.slice(0, -1), { ...block, text: block.text.trimEnd() }];
  return [...messages.slice(0, -1), { ...last, content }];
}
