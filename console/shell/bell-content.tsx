import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { AttentionList } from '../overview/attention-list.tsx';
import type { useOverview } from '../overview/use-overview.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { TextLink } from '../ui/text-link.tsx';
import classes from './bell.module.css';
import { LoadFailure } from './load-failure.tsx';
import { useTenantPath } from './tenant-path.ts';
import { shellTexts } from './texts.ts';

const { translate } = shellTexts;

interface BellContentProps {
  readonly query: ReturnType<typeof useOverview>;
  /** Closes the popover when a link in it was followed. */
  readonly onFollow: () => void;
}

/** The items of the bell's popover. */
export function BellContent({ query, onFollow }: BellContentProps) {
  const pathOf = useTenantPath();
  const { data, error, isFetching, refetch } = query;
  const { href } = useLocation();
  const [openedAt] = useState(href);
  useEffect(() => {
    if (href !== openedAt) onFollow();
  }, [href, openedAt, onFollow]);
  return (
    <div className={classes.content}>
      <header className={classes.header}>
        <h2 className={classes.title}>{translate('bell.title')}</h2>
        <TextLink href={pathOf('')}>{translate('bell.home')}</TextLink>
      </header>
      {data !== undefined ? (
        <AttentionList overview={data} isCompact />
      ) : error === null ? (
        <Skeleton count={3} />
      ) : (
        <LoadFailure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      )}
    </div>
  );
}
