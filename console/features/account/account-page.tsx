import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { UserFrame } from '../../shell/user-frame.tsx';
import { LinkTabs } from '../../ui/link-tabs.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** The frame of both screens of the account. */
export function AccountPage({ children }: { readonly children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <UserFrame hasBackLink>
      <PageHeader title={translate('title')} />
      <LinkTabs
        label={translate('title')}
        current={pathname}
        tabs={[
          { href: '/account', title: translate('profile') },
          { href: '/account/security', title: translate('security') },
        ]}
      />
      {children}
    </UserFrame>
  );
}
