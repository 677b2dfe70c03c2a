/** The reporter of a worker process: sends the results of `node:test` to the runner. */
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import type { Report } from './messages.ts';

/** The worker itself is the test at level 0; each file is a suite at level 1. */
const FILE_LEVEL = 1;

/** Reads the events of a process and yields nothing: the runner prints. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const names: string[] = [];
  let cpu = process.cpuUsage();
  for await (const event of events) {
    if (event.type === 'test:dequeue') {
      const { name, nesting } = event.data;
      names.splice(nesting, names.length, name);
      if (nesting === FILE_LEVEL) cpu = process.cpuUsage();
      if (nesting > FILE_LEVEL) send({ type: 'started', test: fullName(names) });
    }
    if (event.type !== 'test:complete' || event.data.nesting < FILE_LEVEL) continue;
    names.splice(event.data.nesting, names.length, event.data.name);
    if (event.data.nesting === FILE_LEVEL) {
      const { user, system } = process.cpuUsage(cpu);
      send({
        type: 'file-ended',
        file: event.data.name,
        error: ownError(event),
        cpuMs: (user + system) / 1000,
      });
    } else {
      const result = resultOf(event, fullName(names));
      if (result !== null) send({ type: 'ended', result });
    }
  }
  yield '';
}

type Completed = Extract<TestEvent, { type: 'test:complete' }>;

function resultOf(event: Completed, test: string): Extract<Report, { type: 'ended' }>['result'] | null {
  const { details, skip } = event.data;
  const error = ownError(event);
  if (error !== null) return { test, outcome: 'failed', error };
  if (skip !== undefined && skip !== false) return { test, outcome: 'skipped', error: null };
  return details.type === 'suite' || !details.passed ? null : { test, outcome: 'passed', error: null };
}

/** Returns the error of a test or suite; null if it passed, or failed only because of a test inside it. */
function ownError({ data: { details } }: Completed): string | null {
  if (details.passed) return null;
  const { error } = details;
  if (error === undefined) return 'failed without an error';
  if ('failureType' in error && error.failureType === 'subtestsFailed') return null;
  return inspect(error.cause instanceof Error ? error.cause : error, { depth: 6 });
}

function fullName(names: readonly string[]): string {
  return names.slice(FILE_LEVEL + 1).join(' > ');
}

function send(report: Report): void {
  process.send?.(report);
}
