import type { ReactNode } from 'react';
import classes from './page.module.css';

interface PageProps {
  /** Tables take the `wide` page, forms and text the `narrow` one of 640 px. */
  readonly width?: 'wide' | 'narrow';
  readonly children: ReactNode;
}

/** The content of a screen. The frame adds the margins around it. */
export function Page({ width = 'wide', children }: PageProps) {
  return (
    <div className={classes.page} data-width={width}>
      {children}
    </div>
  );
}
