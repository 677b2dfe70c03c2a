import create from 'operation:memberships.create';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { FormField } from '../../forms/form-field.tsx';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useApi, useMembership } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { AccessFields } from './access-fields.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

interface InviteDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer to invite a member by mail. */
export function InviteDrawer({ isOpen, onClose }: InviteDrawerProps) {
  return (
    <Drawer
      title={translate('invite.title')}
      description={translate('invite.text')}
      isOpen={isOpen}
      onClose={onClose}
    >
      <InviteForm onSent={onClose} />
    </Drawer>
  );
}

function InviteForm({ onSent }: { readonly onSent: () => void }) {
  const api = useApi();
  const invalidate = useInvalidate();
  const { default_business_unit_id: unit } = useMembership();
  const [value, onChange] = useState<Partial<schemas.MembershipCreate>>({
    invite: true,
    is_tenant_admin: false,
    grants: [{ bu_id: unit, role: 'editor' }],
  });
  const form = useForm({
    operation: create,
    call: (body: schemas.MembershipCreate) => api.memberships.create(body),
    value,
    onChange,
    onDone: async () => {
      await invalidate('members');
      toasts.add({ title: translate('invite.sent', { email: value.email ?? '' }) });
      onSent();
    },
  });
  return (
    <OperationForm form={form} action={translate('invite.send')}>
      <FormField form={form} name="email" label={translate('invite.email')} autoFocus />
      <FormField form={form} name="name" label={translate('invite.name')} />
      <AccessFields form={form} />
    </OperationForm>
  );
}
