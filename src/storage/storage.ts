/**
 * File storage in the data folder or in a bucket. Names are internal paths (`<tenant>/<asset>/original`), never input
 * of a caller. A file is written as a draft on the local disk and then stored as a whole, so no reader sees a partial
 * file. A killed process leaves at most a draft, which `removeDrafts` removes.
 */
import type { Readable } from 'node:stream';

/** A draft file on the local disk. */
export interface Draft {
  /** Path for the file, which does not exist yet. */
  readonly path: string;
  /** Deletes the draft if it still exists. Never rejects. */
  discard(): Promise<void>;
}

/** Byte range of a file, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An open file. */
export interface OpenFile {
  /** Size of the whole file in bytes. */
  readonly size: number;
  /** The requested bytes; a buffer for a short file. */
  readonly body: Readable | Buffer;
}

/** A file on the local disk, for code that needs a path. */
export interface LocalFile {
  readonly path: string;
  /** Releases the file. Never rejects. */
  release(): Promise<void>;
}

/** Stores files by name. */
export interface FileStorage {
  /** Creates a draft. */
  draft(): Promise<Draft>;
  /** Moves a draft to this name, and replaces an existing file. */
  store(name: string, draft: Draft): Promise<void>;
  /** Returns the size of a file in bytes; null: it does not exist. */
  sizeOf(name: string): Promise<number | null>;
  /** Opens a file, or a valid range of it; null: it does not exist. */
  open(name: string, range?: ByteRange): Promise<OpenFile | null>;
  /** Returns the file on the local disk; null: it does not exist. */
  local(name: string): Promise<LocalFile | null>;
  /** Removes all files below a folder; succeeds if there are none. */
  removeFolder(folder: string): Promise<void>;
  /** Removes local drafts last written before the given time. */
  removeDrafts(before: Date): Promise<void>;
  close(): void;
}
