import type { ReactNode } from 'react';
import classes from './badge.module.css';

/** Meaning of a status. */
export type Tone = 'neutral' | 'success' | 'warning' | 'danger' | 'info';

interface BadgeProps {
  readonly tone?: Tone;
  /** The status in one or two words. */
  readonly children: ReactNode;
}

/** A status, shown as word, shape and colour. */
export function Badge({ tone = 'neutral', children }: BadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" focusable="false">
        {SHAPES[tone]}
      </svg>
      <span className={classes.text}>{children}</span>
    </span>
  );
}

/** Shapes that differ without colour: ring, filled circle, triangle, diamond, half circle. */
const SHAPES: Readonly<Record<Tone, ReactNode>> = {
  neutral: <circle cx="5" cy="5" r="3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  success: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  warning: <path d="M5 1 9.4 9H.6z" fill="currentColor" stroke="currentColor" strokeLinejoin="round" />,
  danger: (
    <path d="M5 .5 9.5 5 5 9.5.5 5z" fill="currentColor" stroke="currentColor" strokeLinejoin="round" />
  ),
  info: (
    <>
      <circle cx="5" cy="5" r="3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M5 1.5a3.5 3.5 0 0 1 0 7z" fill="currentColor" />
    </>
  ),
};
