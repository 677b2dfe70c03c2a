import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { Form } from '../../forms/form.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { useApi } from '../../session/session-context.tsx';
import { useRefreshSession } from '../../session/use-refresh-session.ts';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { unitsRoute } from './index.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** The drawers that create and rename a unit; the URL says which one is open. */
export function UnitDrawers({ units }: { readonly units: readonly schemas.BusinessUnit[] }) {
  const { new: isNew = false, edit } = unitsRoute.useSearch();
  const navigate = useNavigate({ from: unitsRoute.fullPath });
  const close = () => void navigate({ search: {} });
  const edited = units.find((unit) => unit.bu_id === edit);
  return (
    <>
      <Drawer title={translate('create.title')} isOpen={isNew} onClose={close}>
        <CreateForm onDone={close} />
      </Drawer>
      <Drawer
        title={translate('rename.title', { name: edited?.name ?? '' })}
        isOpen={edited !== undefined}
        onClose={close}
      >
        {edited === undefined ? null : <RenameForm unit={edited} onDone={close} />}
      </Drawer>
    </>
  );
}

function CreateForm({ onDone }: { readonly onDone: () => void }) {
  const api = useApi();
  const invalidate = useInvalidate();
  const refreshSession = useRefreshSession();
  const [name, setName] = useState('');
  const [slug, setSlug] = useState('');
  const submission = useSubmit(['name', 'slug'], async () => {
    await api.businessUnits.create({ name, ...(slug === '' ? {} : { slug }) });
    await Promise.all([invalidate('units'), refreshSession()]);
    toasts.add({ title: translate('created', { name }) });
    onDone();
  });
  return (
    <Form submission={submission} action={translate('create.action')}>
      <TextField
        label={translate('create.name')}
        value={name}
        onChange={setName}
        error={submission.errorOf('name')}
        isRequired
        autoFocus
      />
      <TextField
        label={translate('create.slug')}
        help={translate('create.slug.help')}
        value={slug}
        onChange={setSlug}
        error={submission.errorOf('slug')}
      />
    </Form>
  );
}

interface RenameFormProps {
  readonly unit: schemas.BusinessUnit;
  readonly onDone: () => void;
}

function RenameForm({ unit, onDone }: RenameFormProps) {
  const api = useApi();
  const invalidate = useInvalidate();
  const refreshSession = useRefreshSession();
  const [name, setName] = useState(unit.name);
  const submission = useSubmit(['name'], async () => {
    await api.businessUnits.rename(unit.bu_id, { name });
    await Promise.all([invalidate('units'), refreshSession()]);
    toasts.add({ title: translate('renamed', { name }) });
    onDone();
  });
  return (
    <Form submission={submission} action={translate('rename.action')}>
      <TextField
        label={translate('create.name')}
        value={name}
        onChange={setName}
        error={submission.errorOf('name')}
        isRequired
        autoFocus
      />
    </Form>
  );
}
