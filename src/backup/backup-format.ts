/**
 * A backup: gzipped lines of JSON. The first says what it is and which schema it has; then come tables in an order that
 * foreign keys allow, each with its name and columns, followed by its rows as arrays of PostgreSQL's own texts (as COPY
 * writes them, so that every type comes back exactly); the last tells how many rows there are.
 */
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

/** Of the layout of lines; the schema has its migrations. */
export const FORMAT_VERSION = 1;

const Header = Type.Object({
  tessera_backup: Type.Integer(),
  /** Of the program that wrote it. */
  version: Type.String(),
  created_at: Type.String(),
  /** In order. */
  migrations: Type.Array(Type.String()),
  /** The keys that its secrets are sealed with; nothing in here opens them. */
  keys: Type.Array(Type.Object({ key_id: Type.String(), check_value: Type.String() })),
});
/** The first line. */
export type BackupHeader = Static<typeof Header>;

const TableLine = Type.Object({ table: Type.String(), columns: Type.Array(Type.String()) });
/** Begins a table. */
export type TableLine = Static<typeof TableLine>;

const EndLine = Type.Object({ rows: Type.Integer() });
/** Shows that nothing is missing. */
export type EndLine = Static<typeof EndLine>;

const validators = { header: Compile(Header), table: Compile(TableLine), end: Compile(EndLine) };

/** The file is no backup, is cut off, or does not fit. The message is one line for the operator. */
export class BackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message.replaceAll(/\s*[\r\n]+\s*/g, ' '), options);
    this.name = 'BackupError';
  }
}

/** The first line. @throws BackupError when the file is none of ours, or of a later format. */
export function readHeader(line: string): BackupHeader {
  const value = parse(line);
  if (!validators.header.Check(value)) throw new BackupError('This is not a backup of Tessera.');
  if (value.tessera_backup > FORMAT_VERSION)
    throw new BackupError(`The backup was written by Tessera ${value.version}, a newer one. Update Tessera.`);
  return value;
}

/** A later line: a row of the last table, the beginning of the next, or the end. @throws BackupError */
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
