import verify from 'operation:sending_domains.verify';
import type { schemas } from '../../../sdk/src/index.ts';
import { useAccessReason } from '../../forms/use-access-reason.ts';
import { useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Button } from '../../ui/button.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

interface CheckButtonProps {
  readonly domain: string;
  /** Called with the records after the result is on the page. */
  readonly onChecked: (records: readonly schemas.DnsRecord[]) => void;
}

/** Checks the DNS records of a domain again. */
export function CheckButton({ domain, onChecked }: CheckButtonProps) {
  const api = useApi();
  const invalidate = useInvalidate();
  const disabledReason = useAccessReason(verify);
  const { run, isPending } = useAction(async () => {
    const { dns_records } = await api.sendingDomains.verify(domain);
    await Promise.all([invalidate('domains'), invalidate('email-settings')]);
    onChecked(dns_records);
  });
  return (
    <Button
      variant="primary"
      icon="refresh-cw"
      onPress={run}
      isPending={isPending}
      disabledReason={disabledReason}
    >
      {translate('check')}
    </Button>
  );
}
