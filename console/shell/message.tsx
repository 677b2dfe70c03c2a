import { Link, useParams } from '@tanstack/react-router';
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
  // Screens of a tenant have the frame's `main` around them.
  const { tenant } = useParams({ strict: false });
  const Landmark = tenant === undefined ? 'main' : 'div';
  return (
    <Landmark className={classes.message}>
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
    </Landmark>
  );
}
