/** Worker side of a `GuardedThread`. */
import { parentPort } from 'node:worker_threads';

/** A message of the thread: it has loaded, or its reply to the current request. */
export type ThreadMessage<Reply> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'reply'; readonly reply: Reply };

/** Replies to each request with the result of `answer`; an error ends the thread. */
export function serveThread<Request, Reply>(answer: (request: Request) => Reply | Promise<Reply>): void {
  const send = (message: ThreadMessage<Reply>): void => parentPort?.postMessage(message);
  parentPort?.on('message', async (request: Request) =>
    send({ kind: 'reply', reply: await answer(request) }),
  );
  send({ kind: 'ready' });
}
