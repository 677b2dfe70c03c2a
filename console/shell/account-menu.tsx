import { useSession } from '../session/session-context.tsx';
import { useSignOut } from '../session/use-sign-out.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Menu, type MenuGroup } from '../ui/menu.tsx';
import { PlainButton } from '../ui/plain-button.tsx';
import { shellTexts } from './texts.ts';
import classes from './top-bar.module.css';

const { translate } = shellTexts;

/** The user's menu: account, security, sign out. */
export function AccountMenu() {
  const { user } = useSession();
  const signOut = useSignOut();
  const groups: MenuGroup[] = [
    {
      title: user.email,
      entries: [
        { id: 'account', title: translate('account.profile'), icon: 'user', href: '/account' },
        { id: 'security', title: translate('account.security'), icon: 'shield', href: '/account/security' },
      ],
    },
    {
      entries: [
        { id: 'out', title: translate('account.sign-out'), icon: 'log-out', onAction: () => void signOut() },
      ],
    },
  ];
  return (
    <Menu
      label={translate('account.label', { name: user.name })}
      groups={groups}
      trigger={
        <PlainButton className={classes.account} label={translate('account.label', { name: user.name })}>
          <Avatar name={user.name} />
        </PlainButton>
      }
    />
  );
}
