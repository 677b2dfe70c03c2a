/** Rules of messages in addition to their schema: blocks, sizes, and names of threads. */
import type { Issue } from '../../../errors/app-error.ts';
import type { Block, Message } from './schema.ts';

/** Longest base64 of an image: 5 MiB of data. */
const MAX_IMAGE_CHARS = Math.ceil((5 * 1024 * 1024) / 3) * 4;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const NAME_CHARS = 80;
/** Name of a thread without a text. */
export const UNNAMED = 'New thread';

/** Returns the faults of images. They are sent to models inline. */
export function imageFaults({ content }: Message, path: string): Issue[] {
  return content.flatMap((block, index) => {
    if (block.type !== 'image') return [];
    const { data } = block.source;
    const field = `${path}.content[${index}].source.data`;
    if (data.length > MAX_IMAGE_CHARS) return [{ field, message: 'must not be larger than 5 MiB' }];
    return data !== '' && BASE64.test(data) ? [] : [{ field, message: 'must be base64' }];
  });
}

/** A tool_result and its path in the request. */
export interface ToolResult {
  readonly field: string;
  readonly id: string;
}

/** Returns the tool results without an earlier tool_use in the list. `pathOf` returns the path of a message. */
export function openToolResults(
  messages: readonly Message[],
  pathOf = (index: number) => `messages[${index}]`,
): ToolResult[] {
  const seen = new Set<string>();
  return messages.flatMap(({ content }, messageIndex) =>
    content.flatMap((block, index) => {
      if (block.type === 'tool_use') seen.add(block.id);
      if (block.type !== 'tool_result' || seen.has(block.tool_use_id)) return [];
      return [{ field: `${pathOf(messageIndex)}.content[${index}].tool_use_id`, id: block.tool_use_id }];
    }),
  );
}

/** Returns the issue for a tool_result without its tool_use. */
export function unknownToolUse({ field }: ToolResult): Issue {
  return { field, message: 'must reference an earlier tool_use' };
}

/** Returns the ids of a message's tool calls, or null. */
export function toolUsesOf({ content }: Pick<Message, 'content'>): string[] | null {
  const ids = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
  return ids.length === 0 ? null : ids;
}

/** Returns the size of a message's content as stored, in bytes. */
export function bytesOf({ content }: Pick<Message, 'content'>): number {
  return Buffer.byteLength(JSON.stringify(content));
}

/** Returns the size of a message's metadata as stored, in bytes. */
export function metadataBytesOf({ metadata }: Pick<Message, 'metadata'>): number {
  return metadata === undefined ? 0 : Buffer.byteLength(JSON.stringify(metadata));
}

/** Concatenates all texts of blocks. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** Names a thread by the beginning of its first text; null if there is none. */
export function nameOf(messages: readonly Message[]): string | null {
  const [first = ''] = messages
    .map(({ content }) => textOf(content).replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
  if (first === '') return null;
  return first.length <= NAME_CHARS ? first : `${cutAtWord(first)}…`;
}

/** Cuts a text, at a space if possible. */
function cutAtWord(text: string): string {
  // Do not cut a surrogate pair.
  const cut = text
    .slice(0, NAME_CHARS)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  const space = cut.lastIndexOf(' ');
  return space > NAME_CHARS / 2 ? cut.slice(0, space) : cut;
}
