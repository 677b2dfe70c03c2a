/**
 * The file of an export: parts in the database, compressed. There every process reaches them, they are removed with what
 * they belong to, and are in backups (docs/decisions). Each attempt writes its own: one that was given up disturbs none.
 */
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { type Attempt, findPart, insertPart } from './queries.ts';
import type { ExportRow } from './tables.ts';

/** Characters after which a part is cut; one row, or a page of them, may make it longer. */
const PART_CHARACTERS = 1024 * 1024;
/** Quickly: that the next page is read meanwhile makes a second core worth more than the last few per cent. */
const LEVEL = { level: constants.Z_BEST_SPEED };

/** Writes what an attempt comes to. */
export class FileWriter {
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

  /** Adds text; waits when the part before it is still being stored. Rejects when one could not be. */
  async add(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length >= PART_CHARACTERS) await this.#cut();
  }

  /** Stores the rest, and tells how long the file is in bytes. */
  async end(): Promise<number> {
    if (this.#text !== '') await this.#cut();
    await this.#storing;
    return this.#bytes;
  }

  /** Waits until nothing is being stored. Never rejects. */
  async settled(): Promise<void> {
    await this.#storing.catch(() => {});
  }

  async #cut(): Promise<void> {
    await this.#storing;
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    this.#bytes += bytes.length;
    this.#parts += 1;
    this.#storing = this.#store(bytes, this.#parts);
    // Whoever awaits it learns of a failure; it may fail before.
    this.#storing.catch(() => {});
  }

  async #store(bytes: Buffer, part: number): Promise<void> {
    const data = await promisify(gzip)(bytes, LEVEL);
    const { id, attempts } = this.#attempt;
    await insertPart(this.#db, { export_id: id, attempt: attempts, part, data });
  }
}

/** A file as it was written, part after part. @throws Error when it is removed meanwhile. */
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
