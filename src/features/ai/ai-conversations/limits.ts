/**
 * Limits what a conversation token can send to a provider that charges by the token
 * (docs/specification/ai.md#conversations).
 */
import type { Issue } from '../../../errors/app-error.ts';
import { ruleBroken } from '../../../errors/platform-errors.ts';
import type { OpenThread } from '../ai-threads/index.ts';
import type { ConversationBody, EngageBody } from './schema.ts';

const MAX_CHARACTERS = 20_000;
const MAX_IMAGES = 5;
/** Longest base64 of all images in one message: 5 MiB of data. */
const MAX_IMAGE_CHARACTERS = Math.ceil((5 * 1024 * 1024) / 3) * 4;
/** Limited because each message sends the whole thread again. */
const MAX_THREAD_MESSAGES = 200;
const MAX_THREAD_BYTES = 16 * 1024 * 1024;

/** Largest payload as JSON, in bytes. Limited because each message sends it to the model. */
const MAX_PAYLOAD_BYTES = 64 * 1024;

/** Returns an issue for a payload that is too large. */
export function payloadSizeFaults({ payload }: EngageBody): Issue[] {
  const bytes = Buffer.byteLength(JSON.stringify(payload) ?? '');
  return bytes <= MAX_PAYLOAD_BYTES
    ? []
    : [{ field: 'payload', message: `must be at most ${MAX_PAYLOAD_BYTES} bytes as JSON` }];
}

/** Returns the faults of a message that is too large for a conversation. */
export function messageFaults({ message }: ConversationBody): Issue[] {
  const blocks = typeof message === 'string' ? [{ type: 'text' as const, text: message }] : message.content;
  const characters = sum(blocks.map((block) => (block.type === 'text' ? block.text.length : 0)));
  const images = blocks.flatMap((block) => (block.type === 'image' ? [block.source.data.length] : []));
  return [
    ...issueIf(characters > MAX_CHARACTERS, `must have at most ${MAX_CHARACTERS} characters of text`),
    ...issueIf(images.length > MAX_IMAGES, `must have at most ${MAX_IMAGES} images`),
    ...issueIf(sum(images) > MAX_IMAGE_CHARACTERS, 'must have at most 5 MiB of images'),
  ];
}

/** @throws AppError VALIDATION_ERROR if the thread is too long for a conversation. */
export function requireThreadLimit({ messageCount, bytes }: OpenThread): void {
  // Two, because the message and its answer are added.
  if (messageCount + 2 <= MAX_THREAD_MESSAGES && bytes <= MAX_THREAD_BYTES) return;
  throw ruleBroken(
    'message',
    `cannot be added: a conversation has at most ${MAX_THREAD_MESSAGES} messages and 16 MiB. Start a new conversation.`,
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function issueIf(isFault: boolean, message: string): Issue[] {
  return isFault ? [{ field: 'message', message }] : [];
}
