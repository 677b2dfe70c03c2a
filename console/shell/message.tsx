import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './message.module.css';

interface MessageProps {
  readonly title: string;
  readonly text: string;
  readonly action?: { readonly title: string } & (
    | { readonly href: string }
    | { readonly onAction: () => void }
  );
  /** Small text below the action, such as a request id. */
  readonly children?: ReactNode;
}

/** A message in the middle of an empty screen: what happened, and what to do. */
export function Message({ title, text, action, children }: MessageProps) {
  return (
    <div className={classes.message}>
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.text}>{text}</p>
      {action && 'href' in action ? (
        <Link className={classes.action} to={action.href}>
          {action.title}
        </Link>
      ) : null}
      {action && 'onAction' in action ? (
        <button type="button" className={classes.action} onClick={action.onAction}>
          {action.title}
        </button>
      ) : null}
      {children}
    </div>
  );
}
