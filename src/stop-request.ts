/**
 * The operator's request to stop the service. `main.ts` imports this file first: a signal that arrives while the code
 * is still loading, or during a long first start, must not kill the process half-way.
 */
import process from 'node:process';

const controller = new AbortController();

/**
 * Aborted by the first SIGTERM or SIGINT of `serve`, with the signal's name as the reason. Other commands end at once.
 */
export const stopRequest: AbortSignal = controller.signal;

if (process.argv[2] === 'serve')
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => controller.abort(signal));
