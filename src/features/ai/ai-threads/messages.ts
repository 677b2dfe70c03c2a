/** What a message is, beside its schema: rules of its blocks, its size, and the text that people see of it. */
import type { Issue } from '../../../errors/app-error.ts';
import type { Block, Message } from './schema.ts';

/** A picture's longest base64: of 5 MiB. */
const MAX_IMAGE_CHARS = Math.ceil((5 * 1024 * 1024) / 3) * 4;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const NAME_CHARS = 80;
/** What a thread is called until it has a text. */
export const UNNAMED = 'New thread';

/** What is wrong with pictures, each of which stands whole in what a model is sent. */
export function imageFaults({ content }: Message, place: string): Issue[] {
  return content.flatMap((block, index) => {
    if (block.type !== 'image') return [];
    const { data } = block.source;
    const field = `${place}.content[${index}].source.data`;
    if (data.length > MAX_IMAGE_CHARS) return [{ field, message: 'must not be larger than 5 MiB' }];
    return data !== '' && BASE64.test(data) ? [] : [{ field, message: 'must be base64' }];
  });
}

/** A tool_result, and where it stands. */
export interface ToolResult {
  readonly field: string;
  readonly id: string;
}

/** The tool results that no tool_use before them in the same list explains; `placeOf` tells where a message stands. */
export function openToolResults(
  messages: readonly Message[],
  placeOf = (at: number) => `messages[${at}]`,
): ToolResult[] {
  const known = new Set<string>();
  return messages.flatMap(({ content }, at) =>
    content.flatMap((block, index) => {
      if (block.type === 'tool_use') known.add(block.id);
      if (block.type !== 'tool_result' || known.has(block.tool_use_id)) return [];
      return [{ field: `${placeOf(at)}.content[${index}].tool_use_id`, id: block.tool_use_id }];
    }),
  );
}

/** What a caller is told of a tool_result without its tool_use. */
export function unknownToolUse({ field }: ToolResult): Issue {
  return { field, message: 'names no earlier tool_use' };
}

/** The tools that a message asks for; null: none. */
export function toolUsesOf({ content }: Pick<Message, 'content'>): string[] | null {
  const ids = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
  return ids.length === 0 ? null : ids;
}

/** What a message's content takes as it is stored. */
export function bytesOf({ content }: Pick<Message, 'content'>): number {
  return Buffer.byteLength(JSON.stringify(content));
}

/** What is noted beside a message takes. */
export function metadataBytesOf({ metadata }: Pick<Message, 'metadata'>): number {
  return metadata === undefined ? 0 : Buffer.byteLength(JSON.stringify(metadata));
}

/** All texts of some blocks. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** What a thread with these messages is called: how its first text begins; null: it has none. */
export function nameOf(messages: readonly Message[]): string | null {
  const [first = ''] = messages
    .map(({ content }) => textOf(content).replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
  if (first === '') return null;
  return first.length <= NAME_CHARS ? first : `${cutAtWord(first)}…`;
}

/** The beginning of a text, up to a space where there is one. */
function cutAtWord(text: string): string {
  // A character outside the first plane is not cut into halves.
  const cut = text
    .slice(0, NAME_CHARS)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  const space = cut.lastIndexOf(' ');
  return space > NAME_CHARS / 2 ? cut.slice(0, space) : cut;
}
