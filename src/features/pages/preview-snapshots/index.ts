import type { Feature } from '../../feature.ts';
import { reference } from './reference.ts';
import { snapshotRetention, snapshots } from './resource.ts';
import { routes } from './routes.ts';

/** Links to previews of unsaved documents. */
export const previewSnapshots: Feature = {
  name: 'preview-snapshots',
  reference,
  routes,
  retentions: [snapshotRetention],
  projectContents: [{ resource: snapshots, isCopied: false }],
};
