/** Parts shared by all import sources: the input of a run, the import of one record, and the report. */
import type { ImportState } from './import-state.ts';
import { RejectedCall, type Target } from './target.ts';

/** Maximum number of skipped records that the report names; others are only counted. */
const MAX_NAMED = 100;

/** One run of `tessera import`. */
export interface Move {
  /** The file or address to read. */
  readonly from: string;
  readonly target: Target;
  readonly state: ImportState;
  readonly report: Report;
  /** False in a dry run, which writes nothing. */
  readonly isApplied: boolean;
  /** The credential of the source. */
  readonly token: string | undefined;
  /** Sender of templates and campaigns. */
  readonly fromEmail: string | undefined;
  /** Name of the list for subscribers of a file. */
  readonly listName: string | undefined;
}

/** Counts imported records, and collects those that were not imported. */
export class Report {
  readonly #counts = new Map<string, number>();
  readonly #changed: string[] = [];
  readonly #left: string[] = [];
  #unnamedChanges = 0;
  #unnamed = 0;

  /** Counts records of a kind, such as `lists`. */
  count(kind: string, more = 1): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + more);
  }

  /** Records something that was not imported, with the reason. */
  skip(what: string, reason: string): void {
    if (this.#left.length < MAX_NAMED) this.#left.push(`${printable(what)}: ${printable(reason)}`);
    else this.#unnamed++;
  }

  /** Records how something that is imported differs from the source. */
  change(what: string, how: string): void {
    if (this.#changed.length < MAX_NAMED) this.#changed.push(`${printable(what)} ${printable(how)}`);
    else this.#unnamedChanges++;
  }

  /** Returns the text of the report. */
  toText(isApplied: boolean): string {
    const counts = [...this.#counts].map(([kind, count]) => `  ${count} ${kind}`);
    const changed = listed('With changes:', this.#changed, this.#unnamedChanges);
    const left = listed('Not imported:', this.#left, this.#unnamed);
    return [
      isApplied ? 'Imported:' : 'To import:',
      ...(counts.length === 0 ? ['  nothing'] : counts),
      ...changed,
      ...left,
      ...(isApplied ? [] : ['This was a dry run: nothing was written. Repeat with --apply to import it.']),
      '',
    ].join('\n');
  }
}

/**
 * Imports one record, unless the state already has it. Returns its id; null in a dry run, or if the server rejects the
 * record, which is added to the report.
 */
export async function importOnce(
  { state, report, isApplied }: Move,
  { kind, key, name }: { readonly kind: string; readonly key: string; readonly name: string },
  create: () => Promise<string>,
): Promise<string | null> {
  const known = state.get(key);
  if (known === undefined && isApplied)
    try {
      await state.set(key, await create());
    } catch (error) {
      if (!(error instanceof RejectedCall)) throw error;
      report.skip(name, error.message);
      return null;
    }
  report.count(kind);
  return state.get(key) ?? null;
}

function listed(title: string, lines: readonly string[], unnamed: number): string[] {
  if (lines.length === 0) return [];
  const more = unnamed === 0 ? [] : [`  and ${unnamed} more`];
  return [title, ...lines.map((line) => `  ${line}`), ...more];
}

/** Replaces control characters, which could disturb a terminal, and shortens the text. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 300);
}
