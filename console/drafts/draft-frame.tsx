import { useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { lazyWhenIdle } from '../ui/when-idle.tsx';
import classes from './draft-frame.module.css';
import { RestoredNotice } from './restored-notice.tsx';
import type { Draft } from './use-draft.ts';
import { useUndoKeys } from './use-undo-keys.ts';

const ConflictDialog = lazy(async () => ({
  default: (await import('./conflict-dialog.tsx')).ConflictDialog,
}));

// After the fields, which work without it.
const KeptDrafts = lazyWhenIdle(async () => (await import('./kept-drafts.tsx')).KeptDrafts);
const KeepButtons = lazyWhenIdle(async () => (await import('./kept-drafts.tsx')).KeepButtons);

interface DraftFrameProps<Value extends object> {
  readonly draft: Draft<Value>;
  /** The fields of the item. */
  readonly children: ReactNode;
}

/**
 * Surrounds the fields of a draft: the notices about restored and kept drafts, the keys of undo and redo, and the
 * question when others have changed the same.
 */
export function DraftFrame<Value extends object>({ draft, children }: DraftFrameProps<Value>) {
  const area = useUndoKeys(draft);
  const { question, fields } = draft;
  const { tenant = '' } = useParams({ strict: false });
  // Drafts of the server that are the value of this page.
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const [kept, setKept] = useState<object | null>(null);
  const take = (savedAt: string, own?: object) => {
    setTaken(new Set([...taken, savedAt]));
    if (own !== undefined) setKept(own);
  };
  return (
    <div ref={area} className={classes.frame}>
      <RestoredNotice draft={draft} />
      {tenant === '' ? null : <KeptDrafts draft={draft} taken={taken} onTaken={take} />}
      {children}
      {tenant === '' ? null : <KeepButtons draft={draft} kept={kept} onTaken={take} />}
      {question === null ? null : (
        <Suspense>
          <ConflictDialog {...question} fields={fields} />
        </Suspense>
      )}
    </div>
  );
}
