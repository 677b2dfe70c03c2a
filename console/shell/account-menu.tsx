import { useSession } from '../session/session-context.tsx';
import { Menu, type MenuGroup } from '../ui/menu.tsx';
import { PlainButton } from '../ui/plain-button.tsx';
import { Initials } from './initials.tsx';
import { shellTexts } from './texts.ts';
import classes from './top-bar.module.css';

const { translate } = shellTexts;

/** The user's menu: account, security, sign out. */
export function AccountMenu() {
  const { user } = useSession();
  const groups: MenuGroup[] = [
    {
      title: user.email,
      entries: [
        { id: 'account', title: translate('account.profile'), icon: 'user', href: '/account' },
        { id: 'security', title: translate('account.security'), icon: 'shield', href: '/account/security' },
      ],
    },
  ];
  return (
    <Menu
      label={translate('account.label', { name: user.name })}
      groups={groups}
      trigger={
        <PlainButton className={classes.account} label={translate('account.label', { name: user.name })}>
          <Initials name={user.name} isRound />
        </PlainButton>
      }
    />
  );
}
