/**
 * Where files are kept: in the data folder, or in a bucket. Names are paths of our own making (`<tenant>/<asset>/original`),
 * never of a caller's. A file is put together as a draft on this machine's disk and is then kept as a whole: nobody ever reads
 * half of one, and a process that dies leaves a draft at most, which `removeDrafts` sweeps.
 */
import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { DraftFolder } from './draft-folder.ts';
import { FairStorage } from './fair-storage.ts';
import { FolderStorage } from './folder-storage.ts';
import { S3Storage } from './s3-storage.ts';

/** A file in the making, on this machine's disk. */
export interface Draft {
  /** There is nothing there yet. */
  readonly path: string;
  /** Forgets it, whether or not it was kept. Never rejects. */
  discard(): Promise<void>;
}

/** Bytes of a file, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What is read of a file. */
export interface OpenFile {
  /** Of all of it. */
  readonly size: number;
  /** What was asked for: of a short file at once. */
  readonly body: Readable | Buffer;
}

/** A file as programs read it that want a path. */
export interface LocalFile {
  readonly path: string;
  /** Lets it go. Never rejects. */
  release(): Promise<void>;
}

/** Keeps files by their names. */
export interface FileStorage {
  /** A place for a file in the making. */
  draft(): Promise<Draft>;
  /** Makes a draft the file of this name, in place of another if there is one. The draft is gone then. */
  keep(name: string, draft: Draft): Promise<void>;
  /** How large a file is; null when there is none. */
  sizeOf(name: string): Promise<number | null>;
  /** A file, or a range that it has; null when there is none. */
  open(name: string, range?: ByteRange): Promise<OpenFile | null>;
  /** A file on this machine's disk; null when there is none. */
  local(name: string): Promise<LocalFile | null>;
  /** Removes all files below a folder; that there are none is as well. */
  removeFolder(folder: string): Promise<void>;
  /** Removes drafts on this machine that nobody has written to since then. */
  removeDrafts(before: Date): Promise<void>;
  close(): void;
}

/** The storage of a process, which makes folders and connections when they are needed; tenants take turns at a bucket. */
export function createFileStorage({ dataDir, s3Url }: Pick<Config, 'dataDir' | 's3Url'>): FileStorage {
  const drafts = new DraftFolder(dataDir);
  return s3Url === null ? new FolderStorage(dataDir, drafts) : new FairStorage(new S3Storage(s3Url, drafts));
}
