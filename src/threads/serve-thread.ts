/** The inner side of a `GuardedThread`. */
import { parentPort } from 'node:worker_threads';

/** What the thread is asked. */
export interface ThreadTask<Request> {
  readonly id: number;
  readonly request: Request;
}

/** What the thread says: that it has loaded, or the answer to one request. */
export type ThreadMessage<Reply> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'reply'; readonly id: number; readonly reply: Reply };

/** Answers every request of the thread's owner with what `answer` returns; one that throws ends the thread. */
export function serveThread<Request, Reply>(answer: (request: Request) => Reply): void {
  const send = (message: ThreadMessage<Reply>): void => parentPort?.postMessage(message);
  parentPort?.on('message', ({ id, request }: ThreadTask<Request>) => {
    send({ kind: 'reply', id, reply: answer(request) });
  });
  send({ kind: 'ready' });
}
