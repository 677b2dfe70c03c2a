import { useState } from 'react';
import { useMembership } from '../session/session-context.tsx';
import { Drawer } from '../ui/drawer.tsx';
import { Icon } from '../ui/icon.tsx';
import { PlainButton } from '../ui/plain-button.tsx';
import { PlainLink } from '../ui/plain-link.tsx';
import classes from './bottom-bar.module.css';
import { navigationOf } from './navigation.ts';
import { NavigationLinks } from './sidebar.tsx';
import { useTenantPath } from './tenant-path.ts';
import { TenantSwitch } from './tenant-switch.tsx';
import { shellTexts } from './texts.ts';
import { usePlace } from './use-place.ts';

const { translate } = shellTexts;
/** The groups with a place in the bar, and their icons. The sheet has the others, too. */
const ICONS = { overview: 'house', people: 'users', connections: 'link' } as const;

/** The navigation on phones: the first screen of some groups, the search, and a sheet with everything. */
export function BottomBar({ onSearch }: { readonly onSearch: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const membership = useMembership();
  const place = usePlace();
  const pathOf = useTenantPath();
  return (
    <nav className={classes.bar} aria-label={translate('navigation')}>
      {navigationOf(membership).map(({ name, entries: [first] }) =>
        first === undefined || !isInBar(name) ? null : (
          <PlainLink
            key={name}
            href={pathOf(first.path)}
            isCurrent={place?.group.name === name}
            className={classes.item}
          >
            <Icon name={ICONS[name]} size={20} />
            <span className={classes.text}>{translate(`group.${name}`)}</span>
          </PlainLink>
        ),
      )}
      <PlainButton className={classes.item} onPress={onSearch}>
        <Icon name="search" size={20} />
        <span className={classes.text}>{translate('search.short')}</span>
      </PlainButton>
      <PlainButton className={classes.item} onPress={() => setOpen(true)}>
        <Icon name="menu" size={20} />
        <span className={classes.text}>{translate('menu')}</span>
      </PlainButton>
      <Drawer title={translate('menu')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <TenantSwitch />
        <NavigationLinks onFollow={() => setOpen(false)} />
      </Drawer>
    </nav>
  );
}

function isInBar(name: string): name is keyof typeof ICONS {
  return name in ICONS;
}
