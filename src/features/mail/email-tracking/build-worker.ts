/** The thread that builds large messages. Started and stopped by `tracked-mime.ts` only. */
import { serveThread } from '../../../threads/serve-thread.ts';
import { type BuildReply, type BuildRequest, handleBuildRequest } from './build-request.ts';

serveThread(async (request: BuildRequest): Promise<BuildReply> => {
  const { message } = request;
  // Structured cloning turns buffers into plain byte arrays.
  const attachments = message.attachments.map((file) => ({ ...file, content: Buffer.from(file.content) }));
  try {
    return { mime: await handleBuildRequest({ ...request, message: { ...message, attachments } }) };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return error instanceof TypeError ? { invalidReason: text } : { internalError: text };
  }
});
