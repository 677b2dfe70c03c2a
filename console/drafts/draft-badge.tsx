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

/** Says in a list, or beside the title of a screen, that an item has unsaved changes. */
export function DraftBadge({ type, itemKey }: DraftBadgeProps) {
  const { tenant = '' } = useParams({ strict: false });
  const drafts = draftsOf(useSession().user.id);
  const key = { tenant, type, key: itemKey ?? '' };
  const hasDraft = useSyncExternalStore(drafts.subscribe, () => drafts.has(key));
  return hasDraft ? <Badge>{draftTexts.translate('draft')}</Badge> : null;
}
