import { RunningOperations } from '../operations/lazy-running-operations.ts';
import { useMembership } from '../session/session-context.tsx';
import { Icon } from '../ui/icon.tsx';
import { PlainButton } from '../ui/plain-button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Bell } from './bell.tsx';
import { Breadcrumb } from './breadcrumb.tsx';
import { shellTexts } from './texts.ts';
import classes from './top-bar.module.css';
import { UnitSwitch } from './unit-switch.tsx';

const { translate } = shellTexts;
const PALETTE_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ K' : 'Ctrl K';

/** The bar above all screens of a tenant: breadcrumb, search, business unit, what needs attention, account. */
export function TopBar({ onSearch }: { readonly onSearch: () => void }) {
  const { tenant_name } = useMembership();
  return (
    <header className={classes.bar}>
      <Breadcrumb />
      <span className={classes.tenant}>{tenant_name}</span>
      <PlainButton className={classes.search} onPress={onSearch}>
        <Icon name="search" />
        <span className={classes.searchText}>{translate('search')}</span>
        <span className={classes.key} aria-hidden="true">
          {PALETTE_KEY}
        </span>
      </PlainButton>
      <RunningOperations />
      <UnitSwitch />
      <Bell />
      <AccountMenu />
    </header>
  );
}
