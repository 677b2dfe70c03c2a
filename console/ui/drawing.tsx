import type { ReactNode } from 'react';
import classes from './drawing.module.css';

/** Subject of a drawing. */
export type DrawingName = 'list' | 'message' | 'people' | 'search' | 'flow' | 'key';

interface DrawingProps {
  readonly name: DrawingName;
}

/** A decorative drawing in two tones, 120 by 80 px, for empty screens. */
export function Drawing({ name }: DrawingProps) {
  return (
    <svg
      className={classes.drawing}
      width="120"
      height="80"
      viewBox="0 0 120 80"
      aria-hidden="true"
      focusable="false"
    >
      {SHAPES[name]}
    </svg>
  );
}

const sheet = <rect className={classes.sheet} x="24.5" y="8.5" width="71" height="63" rx="6" />;

const SHAPES: Readonly<Record<DrawingName, ReactNode>> = {
  list: (
    <>
      {sheet}
      <path className={classes.line} d="M48 24h36M48 40h28M48 56h32" />
      <path className={classes.accent} d="M36 24h2M36 40h2M36 56h2" />
    </>
  ),
  message: (
    <>
      <rect className={classes.sheet} x="20.5" y="14.5" width="79" height="52" rx="6" />
      <path className={classes.accent} d="m22 20 33 24q5 4 10 0l33-24" />
      <path className={classes.line} d="M34 56h20" />
    </>
  ),
  people: (
    <>
      <circle className={classes.sheet} cx="76" cy="30" r="11.5" />
      <path className={classes.sheet} d="M60 64.5a16 16 0 0 1 32 0z" />
      <circle className={classes.front} cx="48" cy="28" r="13.5" />
      <path className={classes.front} d="M28 67.5a20 20 0 0 1 40 0z" />
    </>
  ),
  search: (
    <>
      {sheet}
      <path className={classes.line} d="M36 24h44M36 40h16M36 56h12" />
      <circle className={classes.front} cx="74" cy="48" r="13.5" />
      <path className={classes.accent} d="m84 58 12 12" />
    </>
  ),
  flow: (
    <>
      <path className={classes.line} d="M60 26v14M60 40H32v12M60 40h28v12" />
      <rect className={classes.front} x="42.5" y="8.5" width="35" height="18" rx="5" />
      <rect className={classes.sheet} x="14.5" y="52.5" width="35" height="18" rx="5" />
      <rect className={classes.sheet} x="70.5" y="52.5" width="35" height="18" rx="5" />
    </>
  ),
  key: (
    <>
      <circle className={classes.front} cx="40" cy="40" r="17.5" />
      <circle className={classes.line} cx="40" cy="40" r="5" />
      <path className={classes.line} d="M58 40h40M84 40v12M96 40v9" />
    </>
  ),
};
