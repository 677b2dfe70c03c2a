import { SERVER_URL } from '../../base-path.ts';
import { useMembership, useSession } from '../../session/session-context.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import classes from './home.module.css';
import { MemberSteps } from './member-steps.tsx';
import { OwnerSteps } from './owner-steps.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** The first steps in a tenant. */
export function Home() {
  const { user } = useSession();
  const { is_tenant_admin, tenant_name } = useMembership();
  return (
    <Page width="narrow">
      <PageHeader
        title={translate('title', { name: user.name })}
        description={translate('intro', { tenant: tenant_name })}
      />
      {is_tenant_admin ? <OwnerSteps /> : <MemberSteps />}
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
    </Page>
  );
}
