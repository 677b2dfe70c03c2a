import create from 'operation:sending_domains.create';
import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { FormField } from '../../forms/form-field.tsx';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useEditForm } from '../../forms/use-edit-form.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { domainRoute } from './index.ts';
import { texts } from './texts.ts';

const { translate } = texts;

interface AddDomainDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer that adds a sending domain. */
export function AddDomainDrawer({ isOpen, onClose }: AddDomainDrawerProps) {
  return (
    <Drawer
      title={translate('add.title')}
      description={translate('add.text')}
      isOpen={isOpen}
      onClose={onClose}
    >
      <AddForm />
    </Drawer>
  );
}

function AddForm() {
  const api = useApi();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const form = useEditForm({
    operation: create,
    saved: {},
    call: (body: schemas.DomainCreate, once) => api.sendingDomains.create(body, once),
    onDone: async ({ domain }) => {
      await Promise.all([invalidate('domains'), invalidate('email-settings')]);
      await navigate({
        from: '/t/$tenant',
        to: domainRoute.to,
        params: (before) => ({ ...before, domain }),
      });
    },
  });
  return (
    <OperationForm form={form} action={translate('add')}>
      <FormField
        form={form}
        name="domain"
        label={translate('add.domain')}
        help={translate('add.domain.help')}
        placeholder="example.com"
        autoFocus
        isMono
      />
    </OperationForm>
  );
}
