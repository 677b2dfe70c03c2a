/** Runs an import in the process of the test. */
import { join } from 'node:path';
import { openState } from '../../src/cli/moving/import-state.ts';
import { type Move, Report } from '../../src/cli/moving/move.ts';
import { createTarget } from '../../src/cli/moving/target.ts';
import { freshFolder } from './fresh-database.ts';

/** Input of a run. */
export interface ImportRun {
  /** The file or address to read. */
  readonly from: string;
  /** Path of the state file. */
  readonly state: string;
  /** False for a dry run. Default: true. */
  readonly isApplied?: boolean;
  readonly token?: string;
}

/** Runs an import into a tenant. `error` is the message that the command would end with. */
export async function runImport(
  importFrom: (move: Move) => Promise<void>,
  { url, apiKey }: { readonly url: string; readonly apiKey: string },
  { from, state, isApplied = true, token }: ImportRun,
): Promise<{ readonly error: string | null; readonly output: string }> {
  const target = createTarget(url, apiKey, `import ${from}`);
  const report = new Report();
  const options = { isApplied, token, fromEmail: undefined, listName: undefined };
  const move = { from, target, state: await openState(state, from, target.url), report, ...options };
  const error = await importFrom(move).then(
    () => null,
    (reason: Error) => reason.message,
  );
  return { error, output: report.toText(isApplied) };
}

/** Returns the path of a state file that does not exist. */
export async function newStateFile(): Promise<string> {
  return join(await freshFolder(), 'state.json');
}
