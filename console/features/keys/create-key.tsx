import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { SERVER_URL } from '../../base-path.ts';
import { Form } from '../../forms/form.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { useApi, useMembership } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { SecretField } from '../../ui/secret-field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import classes from './create-key.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

interface CreateKeyDrawerProps {
  readonly isOpen: boolean;
  readonly members: readonly schemas.MemberName[];
  readonly onClose: () => void;
}

/** The drawer that creates a key and then shows it, once. */
export function CreateKeyDrawer({ isOpen, members, onClose }: CreateKeyDrawerProps) {
  const [created, setCreated] = useState<string | null>(null);
  const close = () => {
    setCreated(null);
    onClose();
  };
  return (
    <Drawer
      title={translate(created === null ? 'create.title' : 'created.title')}
      isOpen={isOpen}
      onClose={close}
    >
      {created === null ? (
        <CreateForm members={members} onCreated={setCreated} />
      ) : (
        <CreatedKey apiKey={created} onDone={close} />
      )}
    </Drawer>
  );
}

interface CreateFormProps extends Pick<CreateKeyDrawerProps, 'members'> {
  readonly onCreated: (apiKey: string) => void;
}

function CreateForm({ members, onCreated }: CreateFormProps) {
  const api = useApi();
  const invalidate = useInvalidate();
  const { membership_id: own } = useMembership();
  const [name, setName] = useState('');
  const [member, setMember] = useState(own);
  const submission = useSubmit(['name', 'membership_id'], async () => {
    const { api_key } = await api.apiKeys.create({ name, membership_id: member });
    await invalidate('keys');
    onCreated(api_key);
  });
  return (
    <Form submission={submission} action={translate('create.action')}>
      <TextField
        label={translate('create.name')}
        help={translate('create.name.help')}
        value={name}
        onChange={setName}
        error={submission.errorOf('name')}
        isRequired
        autoFocus
      />
      <Select
        label={translate('create.member')}
        help={translate('create.member.help')}
        value={member}
        onChange={setMember}
        error={submission.errorOf('membership_id')}
        options={members.map((each) => ({
          id: each.membership_id,
          title: each.membership_id === own ? `${each.name} (${translate('you')})` : each.name,
        }))}
      />
    </Form>
  );
}

function CreatedKey({ apiKey, onDone }: { readonly apiKey: string; readonly onDone: () => void }) {
  return (
    <div className={classes.created}>
      <SecretField label={translate('created.key')} help={translate('created.text')} value={apiKey} />
      <SecretField
        label={translate('created.try')}
        value={`curl ${SERVER_URL}/api/tenant/info -H 'X-API-Key: ${apiKey}'`}
      />
      <div className={classes.actions}>
        <Button variant="primary" onPress={onDone}>
          {translate('created.done')}
        </Button>
      </div>
    </div>
  );
}
