import type { schemas } from '../../../sdk/src/index.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { Banner } from '../../ui/banner.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { domainOf, isVerified } from './sender.ts';
import { texts } from './texts.ts';

const { translate } = texts;

interface DomainHintProps {
  readonly settings: schemas.EmailSettings;
  readonly address: string;
}

/** Says that the domain of an address cannot send yet, and leads to where that changes. */
export function DomainHint({ settings, address }: DomainHintProps) {
  const pathOf = useTenantPath();
  const domain = domainOf(address);
  const domains = settings.sending_domains.map((each) => each.domain);
  const known = settings.sending_domains.find((each) => each.domain === domain);
  const isTyping =
    !domain.includes('.') || domains.some((each) => each !== domain && each.startsWith(domain));
  if (isTyping || isVerified(settings, domain)) return null;
  const state =
    known === undefined ? 'unknown' : known.status.dkim_status === 'invalid' ? 'wrong' : 'waiting';
  return (
    <Banner
      tone="warning"
      isLive
      action={
        <LinkButton
          size="small"
          href={
            known === undefined
              ? pathOf('settings/domains', { new: true })
              : pathOf(`settings/domains/${domain}`)
          }
        >
          {translate(known === undefined ? 'hint.add' : 'hint.open')}
        </LinkButton>
      }
    >
      {translate(`hint.${state}`, { domain })}
    </Banner>
  );
}
