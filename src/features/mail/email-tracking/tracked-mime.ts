/**
 * Serializes a message with the pixel and tracked links in its HTML. Large messages take 0.1 s or more, so a shared
 * thread builds them, tenants in turn, and the event loop stays free.
 */
import type { MailMessage } from '../../../mail/message.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { SharedThread } from '../../../threads/shared-thread.ts';
import { type BuildReply, type BuildRequest, handleBuildRequest } from './build-request.ts';
import type { TrackOptions } from './track-html.ts';
import { linkSigners } from './tracking-tokens.ts';

/** Size up to which a message is built in this thread, as text characters plus attachment bytes. */
const MAX_INLINE_SIZE = 64 * 1024;
/** Enough for the largest rendered template with the largest attachments, in ms. */
const DEADLINE_MS = 30_000;
/** The sender limits the bytes of waiting messages before this queue. */
const MAX_WAITING = 10_000;
const MAX_WAIT_MS = 120_000;
const HEAP_MB = 512;

const thread = oncePerPlatform((platform) => {
  const created = new SharedThread<BuildRequest, BuildReply>({
    script: new URL('./build-worker.ts', import.meta.url),
    heapMb: HEAP_MB,
    deadlineMs: DEADLINE_MS,
    maxWaitMs: MAX_WAIT_MS,
    maxWaiting: MAX_WAITING,
  });
  platform.onClose(() => created.close());
  return created;
});

/**
 * Builds and signs a message whose HTML is not tracked yet.
 * @throws TypeError like `buildMime`; Error when the thread fails.
 */
export async function buildTrackedMime(
  platform: Platform,
  message: MailMessage,
  tracking: TrackOptions,
): Promise<Buffer> {
  const request = { message, tracking, links: linkSigners(platform) };
  if (sizeOf(message) <= MAX_INLINE_SIZE) return handleBuildRequest(request);
  const reply = await thread(platform).run(tracking.tenantId, request);
  if (typeof reply === 'string') throw new Error(`Building the message ${reply}.`);
  if ('internalError' in reply) throw new Error(reply.internalError);
  if ('invalidReason' in reply) throw new TypeError(reply.invalidReason);
  const { buffer, byteOffset, length } = reply.mime;
  return Buffer.from(buffer, byteOffset, length);
}

function sizeOf({ html = '', text = '', attachments }: MailMessage): number {
  return attachments.reduce((sum, { content }) => sum + content.length, html.length + text.length);
}
