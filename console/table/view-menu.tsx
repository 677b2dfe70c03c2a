import { lazy, Suspense, useEffect } from 'react';
import { IconButton } from '../ui/icon-button.tsx';
import { Popover } from '../ui/popover.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { whenIdle } from '../ui/when-idle.tsx';
import { tableTexts } from './texts.ts';
import type { ViewOptionsProps } from './view-options.tsx';

const load = () => import('./view-options.tsx');
const ViewOptions = lazy(async () => ({ default: (await load()).ViewOptions }));

/** The button that opens the options of the view. */
export function ViewMenu(props: ViewOptionsProps) {
  // After the rows, but before it is needed.
  useEffect(() => void whenIdle().then(load), []);
  return (
    <Popover
      placement="bottom end"
      trigger={
        <IconButton icon="sliders-horizontal" label={tableTexts.translate('view')} variant="secondary" />
      }
    >
      <Suspense fallback={<Skeleton />}>
        <ViewOptions {...props} />
      </Suspense>
    </Popover>
  );
}
