/** The inner side of a `GuardedThread`. */
import { parentPort } from 'node:worker_threads';

/** What the thread says: that it has loaded, or its answer to the one request that it was given last. */
export type ThreadMessage<Reply> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'reply'; readonly reply: Reply };

/** Answers every request of the thread's owner with what `answer` returns; one that throws ends the thread. */
export function serveThread<Request, Reply>(answer: (request: Request) => Reply | Promise<Reply>): void {
  const send = (message: ThreadMessage<Reply>): void => parentPort?.postMessage(message);
  parentPort?.on('message', async (request: Request) =>
    send({ kind: 'reply', reply: await answer(request) }),
  );
  send({ kind: 'ready' });
}
