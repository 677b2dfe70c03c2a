import type { ReactNode } from 'react';
import classes from './change-list.module.css';
import type { Change } from './changes.ts';
import { type DraftFields, fieldAt } from './draft-fields.ts';

interface ChangeListProps {
  readonly changes: readonly Change[];
  readonly fields: DraftFields;
  /** Names of the two values, such as "Saved" and "Yours". */
  readonly before: string;
  readonly after: string;
  /** Returns what is shown instead of the heading of a change, such as a checkbox with its label. */
  readonly headingOf?: (change: Change, label: string) => ReactNode;
}

/** The parts in which two values differ, field by field. */
export function ChangeList({ changes, fields, before, after, headingOf }: ChangeListProps) {
  return (
    <ul className={classes.changes}>
      {changes.map((change) => {
        const { label, format } = fieldAt(fields, change.path);
        return (
          <li key={change.path.join('.')} className={classes.change}>
            {headingOf === undefined ? <h3 className={classes.label}>{label}</h3> : headingOf(change, label)}
            <dl className={classes.values}>
              <dt>{before}</dt>
              <dd>{format(change.before)}</dd>
              <dt>{after}</dt>
              <dd data-after>{format(change.after)}</dd>
            </dl>
          </li>
        );
      })}
    </ul>
  );
}
