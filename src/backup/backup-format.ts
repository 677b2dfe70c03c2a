/**
 * Backup format: gzipped JSON lines. The first line is the header with the migrations. Then follow the tables in an
 * order that satisfies foreign keys: a line with name and columns, and the rows as arrays of PostgreSQL's text values
 * (as in COPY, so every type is restored exactly). The last line has the number of rows.
 */
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

/** Version of the line format; the schema has its own migrations. */
export const FORMAT_VERSION = 1;

const Header = Type.Object({
  tessera_backup: Type.Integer(),
  /** Version of the program that wrote the backup. */
  version: Type.String(),
  created_at: Type.String(),
  /** Names of the applied migrations, in order. */
  migrations: Type.Array(Type.String()),
  /** Keys with which the secrets are encrypted; the backup does not contain the keys themselves. */
  keys: Type.Array(Type.Object({ key_id: Type.String(), check_value: Type.String() })),
});
/** The header line. */
export type BackupHeader = Static<typeof Header>;

const TableLine = Type.Object({ table: Type.String(), columns: Type.Array(Type.String()) });
/** First line of a table. */
export type TableLine = Static<typeof TableLine>;

const EndLine = Type.Object({ rows: Type.Integer() });
/** Last line, which proves that the backup is complete. */
export type EndLine = Static<typeof EndLine>;

const validators = { header: Compile(Header), table: Compile(TableLine), end: Compile(EndLine) };

/**
 * Thrown for a file that is not a backup, is truncated, or does not match the database. The message is one line for the
 * operator.
 */
export class BackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message.replaceAll(/\s*[\r\n]+\s*/g, ' '), options);
    this.name = 'BackupError';
  }
}

/** Parses the header. @throws BackupError if the file is not a backup, or has a newer format. */
export function readHeader(line: string): BackupHeader {
  const value = parse(line);
  if (!validators.header.Check(value)) throw new BackupError('This is not a backup of Tessera.');
  if (value.tessera_backup > FORMAT_VERSION)
    throw new BackupError(`The backup was written by a newer Tessera (${value.version}). Update Tessera.`);
  return value;
}

/** Parses a later line: a row of the last table, the start of the next one, or the end. @throws BackupError */
export function readLine(line: string): string | TableLine | EndLine {
  if (line.startsWith('[')) return line;
  const value = parse(line);
  if (validators.table.Check(value) || validators.end.Check(value)) return value;
  throw new BackupError('The backup is damaged.');
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
