import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { FEATURES } from '../features/index.ts';
import { useMembership, useSession } from '../session/session-context.tsx';
import { applyAccent } from './apply-accent.ts';
import { BottomBar } from './bottom-bar.tsx';
import { MissingTenant } from './missing.tsx';
import { Palette } from './palette.tsx';
import { RecordScreens } from './record-path.ts';
import { Sidebar } from './sidebar.tsx';
import { CONTENT_ID, SkipLink } from './skip-link.tsx';
import classes from './tenant-layout.module.css';
import { TopBar } from './top-bar.tsx';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';

const RECORD_SCREENS = FEATURES.flatMap(({ records = [] }) => records);
const NARROW_KEY = 'tessera-narrow-sidebar';

/** The frame of all screens of a tenant. A user who is not a member sees only a message. */
export function TenantLayout() {
  const { tenant } = useParams({ from: '/t/$tenant' });
  const { memberships } = useSession();
  const isMember = memberships.some(({ tenant_code }) => tenant_code === tenant);
  return isMember ? (
    <RecordScreens value={RECORD_SCREENS}>
      <Frame key={tenant} />
    </RecordScreens>
  ) : (
    <MissingTenant code={tenant} />
  );
}

function Frame() {
  const [isNarrow, setNarrow] = useState(() => localStorage.getItem(NARROW_KEY) === 'yes');
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const toggle = () => {
    localStorage.setItem(NARROW_KEY, isNarrow ? 'no' : 'yes');
    setNarrow(!isNarrow);
  };
  const content = useFocusOnNavigation();
  const { primary_color } = useMembership().brand;
  useEffect(() => {
    applyAccent(primary_color === '' ? null : primary_color);
    return () => applyAccent(null);
  }, [primary_color]);
  return (
    <div className={classes.frame}>
      <SkipLink />
      <Sidebar isNarrow={isNarrow} onToggle={toggle} />
      <div className={classes.column}>
        <TopBar onSearch={() => setPaletteOpen(true)} />
        <main ref={content} id={CONTENT_ID} className={classes.content} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <BottomBar onSearch={() => setPaletteOpen(true)} />
      <Palette isOpen={isPaletteOpen} onOpenChange={setPaletteOpen} />
    </div>
  );
}
