import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import classes from './selection-bar.module.css';
import { tableTexts } from './texts.ts';
import type { SelectionState } from './use-selection.ts';

const { translate } = tableTexts;

interface SelectionBarProps {
  readonly selection: SelectionState;
  readonly total: number;
  /** Buttons for actions on the selected rows. */
  readonly children: ReactNode;
}

/** The number of selected rows, and actions for them. */
export function SelectionBar({ selection, total, children }: SelectionBarProps) {
  const { count, isAll, selectAll, clear } = selection;
  return (
    <section className={classes.bar} aria-label={translate('selection')}>
      <span className={classes.count} role="status">
        {translate('selection.count', { count })}
      </span>
      {isAll || count >= total ? null : (
        <Button size="small" variant="quiet" onPress={selectAll}>
          {translate('selection.all', { total })}
        </Button>
      )}
      {children}
      <IconButton icon="x" size="small" label={translate('selection.clear')} onPress={clear} />
    </section>
  );
}
