/** File storage in a bucket of an S3-compatible service (docs/specification/running.md#configuration). */
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Bucket } from '../config-values.ts';
import { reportUnavailable, retryTransient } from './bucket-retries.ts';
import { type DraftFolder, FILES_FOLDER } from './draft-folder.ts';
import { STORAGE_SLOTS } from './fair-storage.ts';
import type { ByteRange, Draft, FileStorage, LocalFile, OpenFile } from './storage.ts';

/** Time limits for a connection and for silence within a request, in ms. */
const CONNECT_MS = 5_000;
const SILENCE_MS = 30_000;
/** Logger without output: callers report errors, and the library would write to standard output. */
const QUIET = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
/** Connections to the service, including those for removals. */
const CONNECTIONS = STORAGE_SLOTS.total + 20;
/** Number of keys removed concurrently. */
const REMOVALS_AT_ONCE = 16;

type Library = typeof import('@aws-sdk/client-s3');

/** The library and a client, loaded on first use. */
interface Service extends Library {
  readonly client: S3Client;
}

/**
 * Files under `<prefix>assets/` of a bucket. Each is written by one PutObject with a known length; the object is
 * visible only when complete, so there are no partial uploads to remove.
 */
export class S3Storage implements FileStorage {
  readonly #bucket: Bucket;
  readonly #drafts: DraftFolder;
  #service: Promise<Service> | null = null;
  #client: S3Client | null = null;

  constructor(bucket: Bucket, drafts: DraftFolder) {
    this.#bucket = bucket;
    this.#drafts = drafts;
  }

  draft(): Promise<Draft> {
    return this.#drafts.draft();
  }

  async store(name: string, draft: Draft): Promise<void> {
    const { client, PutObjectCommand } = await this.#open();
    const { size } = await stat(draft.path);
    // The library does not retry a call whose body is a stream, so each attempt reads the draft from its beginning.
    await retryTransient(async () => {
      const Body = createReadStream(draft.path);
      try {
        await client.send(new PutObjectCommand({ ...this.#object(name), Body, ContentLength: size }));
      } finally {
        Body.destroy();
      }
    });
    await draft.discard();
  }

  async sizeOf(name: string): Promise<number | null> {
    const { client, HeadObjectCommand } = await this.#open();
    const head = await nullIfMissing(() => client.send(new HeadObjectCommand(this.#object(name))));
    return head && (head.ContentLength ?? 0);
  }

  async open(name: string, range?: ByteRange): Promise<OpenFile | null> {
    const { client, GetObjectCommand } = await this.#open();
    const Range = range && { Range: `bytes=${range.start}-${range.end}` };
    const found = await nullIfMissing(() =>
      client.send(new GetObjectCommand({ ...this.#object(name), ...Range })),
    );
    if (found === null) return null;
    if (!(found.Body instanceof Readable)) throw new Error('The response of the bucket has no body.');
    const totalSize = /\/(\d+)$/.exec(found.ContentRange ?? '')?.[1];
    return { size: Number(totalSize ?? found.ContentLength ?? 0), body: found.Body };
  }

  async local(name: string): Promise<LocalFile | null> {
    const found = await this.open(name);
    if (found === null) return null;
    const draft = await this.draft();
    try {
      await pipeline(found.body, createWriteStream(draft.path, { flags: 'wx', mode: 0o600 }));
    } catch (error) {
      await draft.discard();
      throw error;
    }
    return { path: draft.path, release: () => draft.discard() };
  }

  /** Removes objects one by one, because not every service supports multi-object deletion. */
  async removeFolder(folder: string): Promise<void> {
    const { client, ListObjectsV2Command, DeleteObjectCommand } = await this.#open();
    const { Bucket, Key: Prefix } = this.#object(`${folder}/`);
    for (let isMore = true; isMore; ) {
      // Always list the first page: the objects of the previous one are removed.
      const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix }));
      const keys = (page.Contents ?? []).flatMap(({ Key }) => Key ?? []);
      for (let from = 0; from < keys.length; from += REMOVALS_AT_ONCE)
        await Promise.all(
          keys
            .slice(from, from + REMOVALS_AT_ONCE)
            .map((Key) => client.send(new DeleteObjectCommand({ Bucket, Key }))),
        );
      isMore = page.IsTruncated === true && keys.length > 0;
    }
  }

  removeDrafts(before: Date): Promise<void> {
    return this.#drafts.removeOld(before);
  }

  close(): void {
    this.#client?.destroy();
  }

  #object(name: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#bucket.name, Key: `${this.#bucket.prefix}${FILES_FOLDER}/${name}` };
  }

  #open(): Promise<Service> {
    this.#service ??= this.#load();
    return this.#service;
  }

  async #load(): Promise<Service> {
    const library = await import('@aws-sdk/client-s3');
    const { endpoint, region, isInPath, accessKeyId, secretAccessKey } = this.#bucket;
    this.#client = new library.S3Client({
      endpoint,
      region,
      forcePathStyle: isInPath,
      logger: QUIET,
      credentials: { accessKeyId, secretAccessKey },
      // Additional checksums use trailers, which few services support.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        socketTimeout: SILENCE_MS,
        httpAgent: { keepAlive: true, maxSockets: CONNECTIONS },
        httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS },
      },
    });
    return { ...library, client: this.#client };
  }
}

async function nullIfMissing<T>(find: () => Promise<T>): Promise<T | null> {
  try {
    return await reportUnavailable(find);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound');
}
