/**
 * The file of an export: compressed parts in the database, which all processes can read. They are deleted with their
 * records, and backups include them (docs/decisions). Each attempt writes its own parts.
 */
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { type Attempt, findPart, insertPart } from './queries.ts';
import type { ExportRow } from './tables.ts';

/** Size in characters after which a part ends. The last page of rows may make it larger. */
const PART_CHARACTERS = 1024 * 1024;
/** Fast compression: stronger compression would slow down the export, which reads the next page meanwhile. */
const GZIP_OPTIONS = { level: constants.Z_BEST_SPEED };

/** Writes the file of an attempt. */
export class ExportFileWriter {
  readonly #db: ScopedDb;
  readonly #attempt: Attempt;
  #text = '';
  #parts = 0;
  #bytes = 0;
  #storing: Promise<void> = Promise.resolve();

  constructor(db: ScopedDb, attempt: Attempt) {
    this.#db = db;
    this.#attempt = attempt;
  }

  /** Adds text; waits while the previous part is being stored. Rejects if storing failed. */
  async add(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length >= PART_CHARACTERS) await this.#finishPart();
  }

  /** Stores the rest and returns the length of the file in bytes. */
  async end(): Promise<number> {
    if (this.#text !== '') await this.#finishPart();
    await this.#storing;
    return this.#bytes;
  }

  /** Waits until nothing is being stored. Never rejects. */
  async waitForStorage(): Promise<void> {
    await this.#storing.catch(() => {});
  }

  async #finishPart(): Promise<void> {
    await this.#storing;
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    this.#bytes += bytes.length;
    this.#parts += 1;
    this.#storing = this.#store(bytes, this.#parts);
    // The error is thrown where it is awaited; it may reject earlier.
    this.#storing.catch(() => {});
  }

  async #store(bytes: Buffer, part: number): Promise<void> {
    const data = await promisify(gzip)(bytes, GZIP_OPTIONS);
    const { id, attempts } = this.#attempt;
    await insertPart(this.#db, { export_id: id, attempt: attempts, part, data });
  }
}

/** Yields a file part by part. @throws Error if it is deleted while it is read. */
export async function* readFile(
  db: ScopedDb,
  file: Attempt & { readonly file_bytes: NonNullable<ExportRow['file_bytes']> },
): AsyncGenerator<Buffer> {
  let left = file.file_bytes;
  for (let part = 1; left > 0; part += 1) {
    const data = await findPart(db, file, part);
    if (data === undefined) throw new Error('The file of an export was removed while it was read.');
    const bytes = await promisify(gunzip)(data);
    left -= bytes.length;
    yield bytes;
  }
}
