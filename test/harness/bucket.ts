/** A bucket of an S3-compatible server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import S3rver from '@20minutes/s3rver';

const BUCKET = 'files';
/** The server's only access key. */
const KEY = 'S3RVER';

/** A bucket that is removed after the file's tests. */
export interface TestBucket {
  /** Value for S3_URL. */
  readonly url: string;
  /** Stops the server. */
  stop(): Promise<void>;
}

/**
 * Starts a server with an empty bucket. By default it does not check signatures, because it computes those of list
 * requests without the slash after the bucket that clients include, and would refuse every list.
 */
export async function startBucket({ checksSignatures = false } = {}): Promise<TestBucket> {
  const directory = await mkdtemp(join(tmpdir(), 'tessera-bucket-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
    allowMismatchedSignatures: !checksSignatures,
  });
  const { port } = await server.run();
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= server.close();
    return stopped;
  };
  after(async () => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  });
  return { url: `http://${KEY}:${KEY}@127.0.0.1:${port}/${BUCKET}/of/tests`, stop };
}
