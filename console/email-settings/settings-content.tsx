import type { ReactNode } from 'react';
import type { schemas } from '../../sdk/src/index.ts';
import { LoadFailure } from '../shell/load-failure.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useEmailSettings } from './use-email-settings.ts';

interface SettingsContentProps {
  readonly children: (settings: schemas.EmailSettings) => ReactNode;
}

/** Content made of the email settings: before they have loaded, placeholders or the reason of a failure. */
export function SettingsContent({ children }: SettingsContentProps) {
  const { data, error, isFetching, refetch } = useEmailSettings();
  if (data !== undefined) return children(data);
  if (error === null) return <Skeleton shape="fields" count={4} />;
  return <LoadFailure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />;
}
