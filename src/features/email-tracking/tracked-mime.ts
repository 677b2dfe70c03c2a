/**
 * A message as bytes, with the pixel and the counted links in its HTML. What is large is built in a thread that tenants
 * share by turns: it takes a tenth of a second and more, in which this one would answer nobody.
 */
import type { MailMessage } from '../../mail/message.ts';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { SharedThread } from '../../threads/shared-thread.ts';
import { type BuildReply, type BuildRequest, buildRequested } from './build-request.ts';
import type { TrackOptions } from './track-html.ts';
import { linkMakers } from './tracking-tokens.ts';

/** What is built at once, characters and octets of files together: handing it to a thread would take longer. */
const MOST_AT_ONCE = 64 * 1024;
/** For what a template renders at most, with the largest files. */
const DEADLINE_MS = 30_000;
/** Those that wait were counted by their bytes before they came here. */
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
 * Builds and signs a message whose HTML has no tracking yet.
 * @throws TypeError as `buildMime`; Error when the thread could not build it.
 */
export async function buildTrackedMime(
  platform: Platform,
  message: MailMessage,
  tracking: TrackOptions,
): Promise<Buffer> {
  const request = { message, tracking, links: linkMakers(platform) };
  if (sizeOf(message) <= MOST_AT_ONCE) return buildRequested(request);
  const reply = await thread(platform).run(tracking.tenantId, request);
  if (typeof reply === 'string') throw new Error(`building the message ${reply}`);
  if ('fault' in reply) throw new Error(reply.fault);
  if ('refused' in reply) throw new TypeError(reply.refused);
  const { buffer, byteOffset, length } = reply.mime;
  return Buffer.from(buffer, byteOffset, length);
}

function sizeOf({ html = '', text = '', attachments }: MailMessage): number {
  return attachments.reduce((sum, { content }) => sum + content.length, html.length + text.length);
}
