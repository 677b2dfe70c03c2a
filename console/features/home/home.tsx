import type { schemas } from '../../../sdk/src/index.ts';
import { SERVER_URL } from '../../base-path.ts';
import { AttentionList } from '../../overview/attention-list.tsx';
import { useOverview } from '../../overview/use-overview.ts';
import { useMembership, useSession } from '../../session/session-context.tsx';
import { LoadFailure } from '../../shell/load-failure.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { FirstSteps } from './first-steps.tsx';
import classes from './home.module.css';
import { Running } from './running.tsx';
import { texts } from './texts.ts';
import { Today } from './today.tsx';

const { translate } = texts;

/** The first screen of a tenant: items that need attention and figures of today; in a new tenant the first steps. */
export function Home() {
  const { user } = useSession();
  const { tenant_name } = useMembership();
  const { data, error, isFetching, refetch } = useOverview();
  const isNew = data !== undefined && isUnused(data);
  return (
    <div className={classes.home}>
      <Page>
        <PageHeader
          title={translate('title', { name: user.name })}
          description={isNew ? translate('intro', { tenant: tenant_name }) : undefined}
        />
        {data !== undefined ? (
          <Content overview={data} isNew={isNew} />
        ) : error === null ? (
          <Skeleton shape="rows" count={4} />
        ) : (
          <LoadFailure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
        )}
        <DeveloperLinks />
      </Page>
    </div>
  );
}

function Content({ overview, isNew }: { readonly overview: schemas.Overview; readonly isNew: boolean }) {
  const { setup, running, today } = overview;
  if (isNew) return <FirstSteps setup={setup} isFolded={false} />;
  return (
    <>
      <div>
        <Attention overview={overview} />
        <Running items={running} />
        <Today figures={today} />
      </div>
      <FirstSteps setup={setup} isFolded />
    </>
  );
}

function Attention({ overview }: { readonly overview: schemas.Overview }) {
  const { attention_total: total } = overview;
  return (
    <Section title={total === 0 ? translate('attention') : translate('attention.count', { count: total })}>
      <Card isFlush>
        <AttentionList overview={overview} />
      </Card>
    </Section>
  );
}

/** True for a tenant in which nothing has happened yet. */
function isUnused({ attention_total, running, today }: schemas.Overview): boolean {
  const isQuiet = Object.values(today).every(({ value, usual }) => value === 0 && usual.length === 0);
  return attention_total === 0 && running.length === 0 && isQuiet;
}

function DeveloperLinks() {
  return (
    <Section title={translate('links')}>
      <ul className={classes.links}>
        <li>
          <TextLink href={`${SERVER_URL}/docs`} isExternal>
            {translate('links.reference')}
          </TextLink>
        </li>
        <li>
          <TextLink href={`${SERVER_URL}/guides`} isExternal>
            {translate('links.guides')}
          </TextLink>
        </li>
        <li>
          <TextLink href={`${SERVER_URL}/openapi.json`} isExternal>
            {translate('links.openapi')}
          </TextLink>
        </li>
      </ul>
    </Section>
  );
}
