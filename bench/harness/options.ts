import { parseArgs } from 'node:util';

/** The two databases that Tessera runs on. */
export type DatabaseKind = 'embedded' | 'server';

/** What a benchmark was asked for. */
export interface BenchOptions {
  /** Which databases to measure on, in this order. */
  readonly databases: readonly DatabaseKind[];
  /** Length of one round, or of the whole soak; null takes the benchmark's own. */
  readonly seconds: number | null;
  /** Folder for CPU profiles of the Tessera process; null takes none. */
  readonly profile: string | null;
}

/** Registers what must be let go when the benchmark ends, however it ends; in reverse order. */
export type OnEnd = (release: () => Promise<void>) => void;

/** Measures on one database, prints its lines and says whether every aim was reached. */
export type Bench = (kind: DatabaseKind, options: BenchOptions, onEnd: OnEnd) => Promise<boolean>;

const KINDS: readonly DatabaseKind[] = ['embedded', 'server'];

/** Reads `<name> [--database embedded|server] [--seconds N] [--profile FOLDER]`. @throws for anything else. */
export function readArguments(argv: readonly string[]): { name: string; options: BenchOptions } {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { database: { type: 'string' }, seconds: { type: 'string' }, profile: { type: 'string' } },
  });
  const databases = KINDS.filter((kind) => values.database === undefined || values.database === kind);
  if (databases.length === 0) throw new Error('--database is embedded or server.');
  const seconds = values.seconds === undefined ? null : Number(values.seconds);
  if (seconds !== null && !(seconds > 0)) throw new Error('--seconds is a positive number.');
  return { name: positionals[0] ?? '', options: { databases, seconds, profile: values.profile ?? null } };
}
