import { useParams } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { useSession } from '../session/session-context.tsx';
import { Badge } from '../ui/badge.tsx';
import { draftsOf } from './draft-store.ts';
import { draftTexts } from './texts.ts';

interface DraftBadgeProps {
  readonly type: string;
  /** Null for a new item. */
  readonly itemKey: string | null;
}

/** Badge for an item with unsaved changes, in a list or next to a title. */
export function DraftBadge({ type, itemKey }: DraftBadgeProps) {
  const { tenant = '' } = useParams({ strict: false });
  const drafts = draftsOf(useSession().user.id);
  const key = { tenant, type, key: itemKey ?? '' };
  const hasDraft = useSyncExternalStore(drafts.subscribe, () => drafts.has(key));
  return hasDraft ? <Badge>{draftTexts.translate('draft')}</Badge> : null;
}
