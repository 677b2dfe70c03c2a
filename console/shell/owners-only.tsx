import type { ReactNode } from 'react';
import { useMembership, useSession } from '../session/session-context.tsx';
import { Message } from './message.tsx';
import { shellTexts } from './texts.ts';

/** Shows its content to owners of the tenant; others see who can help, and no data is loaded. */
export function OwnersOnly({ children }: { readonly children: ReactNode }) {
  const { is_tenant_admin, tenant_name } = useMembership();
  const { user } = useSession();
  if (is_tenant_admin) return children;
  return (
    <Message
      title={shellTexts.translate('forbidden.title')}
      text={shellTexts.translate('forbidden.text', { tenant: tenant_name, name: user.name })}
    />
  );
}
