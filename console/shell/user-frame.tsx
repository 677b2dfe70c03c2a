import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../session/session-context.tsx';
import { Icon } from '../ui/icon.tsx';
import { AccountMenu } from './account-menu.tsx';
import { CONTENT_ID, SkipLink } from './skip-link.tsx';
import { shellTexts } from './texts.ts';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';
import classes from './user-frame.module.css';

interface UserFrameProps {
  /** Shows the way back to a tenant. */
  readonly hasBackLink?: boolean;
  readonly children: ReactNode;
}

/** The frame of screens that concern the user alone: their tenants and their account. */
export function UserFrame({ hasBackLink = false, children }: UserFrameProps) {
  const { memberships } = useSession();
  const content = useFocusOnNavigation();
  return (
    <div>
      <SkipLink />
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
      <main ref={content} id={CONTENT_ID} className={classes.content} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
