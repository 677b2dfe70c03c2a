import type { ReactNode } from 'react';
import classes from './description-list.module.css';

/** A fact of a {@link DescriptionList}. */
export interface Description {
  readonly term: string;
  /** Null is shown as a dash. */
  readonly value: ReactNode;
}

interface DescriptionListProps {
  readonly items: readonly Description[];
}

/** Facts about one thing: terms with their values next to them, or below them on phones. */
export function DescriptionList({ items }: DescriptionListProps) {
  return (
    <dl className={classes.list}>
      {items.map(({ term, value }) => (
        <div key={term} className={classes.item}>
          <dt className={classes.term}>{term}</dt>
          <dd className={classes.value}>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
