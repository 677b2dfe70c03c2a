import { lazy, Suspense, useEffect, useState } from 'react';
import { operationTexts } from '../operations/texts.ts';
import { overviewTexts } from '../overview/texts.ts';
import { useOverview } from '../overview/use-overview.ts';
import { Icon } from '../ui/icon.tsx';
import { PlainButton } from '../ui/plain-button.tsx';
import { Popover } from '../ui/popover.tsx';
import { whenIdle } from '../ui/when-idle.tsx';
import classes from './bell.module.css';
import { shellTexts } from './texts.ts';

const { translate } = shellTexts;
const MAX_SHOWN = 99;
const BellContent = lazy(async () => {
  const [{ BellContent: Content }] = await Promise.all([
    import('./bell-content.tsx'),
    overviewTexts.load(),
    operationTexts.load(),
  ]);
  return { default: Content };
});

/** The number of items that need attention, and the items in a popover. It is read after the data of the screen. */
export function Bell() {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => void whenIdle().then(() => setIdle(true)), []);
  const query = useOverview(isIdle);
  const count = query.data?.attention_total ?? 0;
  const shown = count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count);
  return (
    <Popover
      placement="bottom end"
      isFlush
      trigger={
        <PlainButton className={classes.bell} label={translate('bell', { count, shown })}>
          <Icon name="bell" />
          {count === 0 ? null : (
            <span className={classes.count} aria-hidden="true">
              {shown}
            </span>
          )}
        </PlainButton>
      }
    >
      {({ close }) => (
        <Suspense>
          <BellContent query={query} onFollow={close} />
        </Suspense>
      )}
    </Popover>
  );
}
