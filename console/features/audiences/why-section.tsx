import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { LoadFailure } from '../../shell/load-failure.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { audienceRoute } from './index.ts';
import { texts } from './texts.ts';

const { translate } = texts;
// After the page: most of its code.
const Explanation = lazy(async () => ({ default: (await import('./explanation.tsx')).Explanation }));
const SubscriberChoice = lazy(async () => ({
  default: (await import('./subscriber-choice.tsx')).SubscriberChoice,
}));

/** Answers why somebody is in an audience or not. The URL keeps whom the question is about. */
export function WhySection({ audience }: { readonly audience: schemas.Audience }) {
  const { explain, ...others } = audienceRoute.useSearch();
  const navigate = useNavigate({ from: audienceRoute.fullPath });
  return (
    <Section title={translate('why')} description={translate('why.text')}>
      <Suspense fallback={<Skeleton shape="fields" count={1} />}>
        <SubscriberChoice
          onChange={(id) =>
            void navigate({ search: id === null ? others : { ...others, explain: id }, replace: true })
          }
        />
      </Suspense>
      {explain === undefined ? null : <Answer audience={audience} subscriberId={explain} />}
    </Section>
  );
}

interface AnswerProps {
  readonly audience: schemas.Audience;
  readonly subscriberId: string;
}

function Answer({ audience: { id, version, filters = {} }, subscriberId }: AnswerProps) {
  const { data, error, refetch, isFetching } = useTenantQuery(
    ['audiences', id, 'explain', subscriberId, version],
    (api, options) => api.audiences.explain(id, { subscriber_id: subscriberId }, options),
  );
  if (data === undefined)
    return error === null ? (
      <Skeleton shape="rows" count={2} />
    ) : (
      <LoadFailure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
    );
  return (
    <Suspense fallback={<Skeleton shape="rows" count={2} />}>
      <Explanation explanation={data} filters={filters} />
    </Suspense>
  );
}
