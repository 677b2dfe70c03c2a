import { parseArgs } from 'node:util';

/** The databases that Tessera runs on. A cluster is measured only when it is asked for. */
export type DatabaseKind = 'embedded' | 'server' | 'cluster';

/** What a benchmark was asked for. */
export interface BenchOptions {
  /** Which databases to measure on, in this order. */
  readonly databases: readonly DatabaseKind[];
  /** Length of one round, or of the whole soak; null takes the benchmark's own. */
  readonly seconds: number | null;
  /** How many records to work on; null takes the benchmark's own. */
  readonly rows: number | null;
  /** Folder for CPU profiles of the Tessera process; null takes none. */
  readonly profile: string | null;
}

/** Registers what must be let go when the benchmark ends, however it ends; in reverse order. */
export type OnEnd = (release: () => Promise<void>) => void;

/** Measures on one database, prints its lines and says whether every aim was reached. */
export type Bench = (kind: DatabaseKind, options: BenchOptions, onEnd: OnEnd) => Promise<boolean>;

/** Where the limit of a benchmark works: on one server, too, when Tessera works on a cluster. */
export function limitKind(kind: DatabaseKind): DatabaseKind {
  return kind === 'cluster' ? 'server' : kind;
}

/** The aim of a benchmark: none on a cluster, all nodes of which are on the machine that is measured. */
export function aimOn(kind: DatabaseKind, aim: number): number {
  return kind === 'cluster' ? 0 : aim;
}

const KINDS: readonly DatabaseKind[] = ['embedded', 'server', 'cluster'];
const UNASKED: readonly DatabaseKind[] = ['embedded', 'server'];

/** Reads `<name> [--database embedded|server|cluster] [--seconds N] [--rows N] [--profile FOLDER]`. @throws for anything else. */
export function readArguments(argv: readonly string[]): { name: string; options: BenchOptions } {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      database: { type: 'string' },
      seconds: { type: 'string' },
      rows: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const databases =
    values.database === undefined ? UNASKED : KINDS.filter((kind) => values.database === kind);
  if (databases.length === 0) throw new Error('--database is embedded, server or cluster.');
  const seconds = values.seconds === undefined ? null : Number(values.seconds);
  if (seconds !== null && !(seconds > 0)) throw new Error('--seconds is a positive number.');
  const rows = values.rows === undefined ? null : Number(values.rows);
  if (rows !== null && !(Number.isInteger(rows) && rows > 0))
    throw new Error('--rows is a positive integer.');
  const options = { databases, seconds, rows, profile: values.profile ?? null };
  return { name: positionals[0] ?? '', options };
}
