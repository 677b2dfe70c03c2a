import type { ReactNode } from 'react';
import classes from './change-list.module.css';
import { ChangedValue } from './changed-value.tsx';
import type { Change } from './changes.ts';
import { type DraftFields, fieldAt } from './draft-fields.ts';

interface ChangeListProps {
  readonly changes: readonly Change[];
  readonly fields: DraftFields;
  /** Names of the two values, such as "Saved" and "Yours". */
  readonly before: string;
  readonly after: string;
  /** Returns what is shown instead of the heading of a change, such as a checkbox; null for the heading. */
  readonly headingOf?: (change: Change, label: string) => ReactNode;
}

/** The parts in which two values differ, field by field. */
export function ChangeList({ changes, fields, before, after, headingOf }: ChangeListProps) {
  return (
    <ul className={classes.changes}>
      {changes.map((change) => {
        const field = fieldAt(fields, change.path);
        const heading = headingOf?.(change, field.label) ?? null;
        return (
          <li key={change.path.join('.')} className={classes.change}>
            {heading ?? <h3 className={classes.label}>{field.label}</h3>}
            <ChangedValue change={change} field={field} sides={{ before, after }} />
          </li>
        );
      })}
    </ul>
  );
}
