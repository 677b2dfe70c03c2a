import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../session/session-context.tsx';
import { Icon } from '../ui/icon.tsx';
import { AccountMenu } from './account-menu.tsx';
import { shellTexts } from './texts.ts';
import classes from './user-frame.module.css';

interface UserFrameProps {
  /** Shows the way back to a tenant. */
  readonly hasBackLink?: boolean;
  readonly children: ReactNode;
}

/** The frame of screens that concern the user alone: their tenants and their account. */
export function UserFrame({ hasBackLink = false, children }: UserFrameProps) {
  const { memberships } = useSession();
  return (
    <div>
      <header className={classes.bar}>
        {hasBackLink && memberships.length > 0 ? (
          <Link className={classes.back} to="/">
            <Icon name="arrow-left" />
            {shellTexts.translate('back')}
          </Link>
        ) : (
          <span className={classes.product}>{shellTexts.translate('product')}</span>
        )}
        <AccountMenu />
      </header>
      <main className={classes.content}>{children}</main>
    </div>
  );
}
