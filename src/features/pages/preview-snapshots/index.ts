import type { Feature } from '../../feature.ts';
import { examples } from './examples.ts';
import { snapshotRetention, snapshots } from './resource.ts';
import { routes } from './routes.ts';

/** Links to previews of unsaved documents. */
export const previewSnapshots: Feature = {
  name: 'preview-snapshots',
  examples,
  tags: { 'Pages: previews': 'Links to unsaved states of documents.' },
  routes,
  retentions: [snapshotRetention],
  projectContents: [{ resource: snapshots, isCopied: false }],
};
