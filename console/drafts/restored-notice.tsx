import { lazy, Suspense, useState } from 'react';
import { formatDate } from '../texts/formats.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { toasts } from '../ui/toasts.tsx';
import classes from './restored-notice.module.css';
import { draftTexts } from './texts.ts';
import type { Draft } from './use-draft.ts';

const { translate } = draftTexts;
const CompareDialog = lazy(async () => ({ default: (await import('./compare-dialog.tsx')).CompareDialog }));

interface RestoredNoticeProps {
  readonly draft: Pick<
    Draft<object>,
    'restoredAt' | 'closeNotice' | 'hasConflicts' | 'changes' | 'discard' | 'undo' | 'fields'
  >;
}

/** Says that unsaved changes were restored, until they are saved or somebody has closed it. */
export function RestoredNotice({ draft }: RestoredNoticeProps) {
  const [isComparing, setComparing] = useState(false);
  const { restoredAt, closeNotice, hasConflicts } = draft;
  if (restoredAt === null) return null;
  const discard = () => {
    draft.discard();
    toasts.add({ title: translate('discarded'), undo: async () => draft.undo() });
  };
  return (
    <>
      <Banner
        tone="neutral"
        isLive
        onDismiss={closeNotice}
        action={
          <div className={classes.actions}>
            <Button size="small" onPress={() => setComparing(true)}>
              {translate('compare')}
            </Button>
            <Button size="small" variant="quiet" onPress={discard}>
              {translate('discard')}
            </Button>
          </div>
        }
      >
        <p>{translate('restored', { time: formatTime(restoredAt) })}</p>
        {hasConflicts ? <p>{translate('restored.conflicts')}</p> : null}
      </Banner>
      {isComparing ? (
        <Suspense>
          <CompareDialog
            changes={draft.changes()}
            fields={draft.fields}
            onClose={() => setComparing(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}

/** Returns the time of a change; with its day, unless that is today. */
export function formatTime(time: number): string {
  const [date, now] = [new Date(time), new Date()];
  const isToday = formatDate(date, 'date') === formatDate(now, 'date');
  return formatDate(date, isToday ? 'time' : 'dateTime');
}
