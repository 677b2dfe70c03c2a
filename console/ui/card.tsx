import type { ReactNode } from 'react';
import classes from './card.module.css';

interface CardProps {
  readonly children: ReactNode;
  /** The content touches the border, as tables and lists do. */
  readonly isFlush?: boolean;
}

/** A bordered surface for content that belongs together. */
export function Card({ children, isFlush = false }: CardProps) {
  return (
    <div className={classes.card} data-flush={isFlush || undefined}>
      {children}
    </div>
  );
}
