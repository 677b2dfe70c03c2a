import type { ReactNode } from 'react';
import { Drawing, type DrawingName } from './drawing.tsx';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  readonly drawing?: DrawingName;
  /** One sentence: what will be here. */
  readonly title: string;
  /** The button that creates the first one. */
  readonly action?: ReactNode;
  /** A {@link TextLink} to the guide. */
  readonly link?: ReactNode;
}

/** A list or screen without content: what it is for, and how to begin. */
export function EmptyState({ drawing = 'list', title, action, link }: EmptyStateProps) {
  return (
    <div className={classes.state}>
      <Drawing name={drawing} />
      <p className={classes.title}>{title}</p>
      {action}
      {link === undefined ? null : <p className={classes.link}>{link}</p>}
    </div>
  );
}
