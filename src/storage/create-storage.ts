import type { Config } from '../config.ts';
import { DraftFolder } from './draft-folder.ts';
import { FairStorage } from './fair-storage.ts';
import { FolderStorage } from './folder-storage.ts';
import { S3Storage } from './s3-storage.ts';
import type { FileStorage } from './storage.ts';

/** Creates the storage of a process. Folders and connections are created on demand; tenants share a bucket fairly. */
export function createFileStorage({ dataDir, s3Url }: Pick<Config, 'dataDir' | 's3Url'>): FileStorage {
  const drafts = new DraftFolder(dataDir);
  return s3Url === null ? new FolderStorage(dataDir, drafts) : new FairStorage(new S3Storage(s3Url, drafts));
}
