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
  const isTyping =
    !domain.includes('.') || domains.some((each) => each !== domain && each.startsWith(domain));
  if (isTyping || isVerified(settings, domain)) return null;
  const isKnown = domains.includes(domain);
  return (
    <Banner
      tone="warning"
      isLive
      action={
        <LinkButton
          size="small"
          href={isKnown ? pathOf(`settings/domains/${domain}`) : pathOf('settings/domains', { new: true })}
        >
          {translate(isKnown ? 'hint.open' : 'hint.add')}
        </LinkButton>
      }
    >
      {translate(isKnown ? 'hint.waiting' : 'hint.unknown', { domain })}
    </Banner>
  );
}
