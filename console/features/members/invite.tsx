import { useState } from 'react';
import { Form } from '../../forms/form.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { useApi, useMembership } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { type Access, AccessFields, toGrants } from './access-fields.tsx';
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
  const { default_business_unit_id } = useMembership();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [access, setAccess] = useState<Access>({
    isOwner: false,
    roles: { [default_business_unit_id]: 'editor' },
  });
  const submission = useSubmit(['email', 'name', 'grants'], async () => {
    await api.memberships.create({ email, name, invite: true, ...toGrants(access) });
    await invalidate('members');
    toasts.add({ title: translate('invite.sent', { email }) });
    onSent();
  });
  return (
    <Form submission={submission} action={translate('invite.send')}>
      <TextField
        label={translate('invite.email')}
        type="email"
        value={email}
        onChange={setEmail}
        error={submission.errorOf('email')}
        isRequired
        autoFocus
      />
      <TextField
        label={translate('invite.name')}
        value={name}
        onChange={setName}
        error={submission.errorOf('name')}
        isRequired
      />
      <AccessFields value={access} onChange={setAccess} error={submission.errorOf('grants')} />
    </Form>
  );
}
