import changePassword from 'operation:auth.change_password';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { FormField } from '../../forms/form-field.tsx';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useAction } from '../../forms/use-action.ts';
import { useForm } from '../../forms/use-form.ts';
import { useUserApi } from '../../session/session-context.tsx';
import { useRefreshSession } from '../../session/use-refresh-session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { AccountPage } from './account-page.tsx';
import { browserOf } from './browser-name.ts';
import classes from './security.module.css';
import { texts } from './texts.ts';

const { translate } = texts;
const SESSIONS = ['sessions'];

/** The user's password, and the browsers that are signed in. */
export function Security() {
  return (
    <AccountPage>
      <Section title={translate('password')}>
        <PasswordForm />
      </Section>
      <Section title={translate('sessions')} description={translate('sessions.text')}>
        <Sessions />
      </Section>
    </AccountPage>
  );
}

function PasswordForm() {
  const api = useUserApi();
  const client = useQueryClient();
  const refreshSession = useRefreshSession();
  const [value, onChange] = useState<Partial<schemas.PasswordChange>>({});
  const form = useForm({
    operation: changePassword,
    call: (body: schemas.PasswordChange) => api.auth.changePassword(body),
    value,
    onChange,
    onDone: async () => {
      await Promise.all([refreshSession(), client.invalidateQueries({ queryKey: SESSIONS })]);
      onChange({});
      toasts.add({ title: translate('password.saved') });
    },
  });
  const min = form.fields.password?.min ?? 0;
  return (
    <OperationForm form={form} action={translate('password.save')}>
      <FormField
        form={form}
        name="current_password"
        label={translate('password.current')}
        autoComplete="current-password"
      />
      <FormField
        form={form}
        name="password"
        label={translate('password.new')}
        help={translate('password.help', { min })}
        autoComplete="new-password"
      />
    </OperationForm>
  );
}

function Sessions() {
  const api = useUserApi();
  const { data } = useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) => api.browserSessions.list({ signal }),
  });
  if (data === undefined) return <Skeleton count={3} />;
  return (
    <Card isFlush>
      <ul className={classes.list}>
        {data.results.map((session) => (
          <li key={session.id} className={classes.session}>
            <SessionRow session={session} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function SessionRow({ session }: { readonly session: schemas.BrowserSession }) {
  const { id, is_current, last_seen_at, ip_address, user_agent } = session;
  const api = useUserApi();
  const client = useQueryClient();
  const { run, isPending } = useAction(async () => {
    await api.browserSessions.delete(id);
    await client.invalidateQueries({ queryKey: SESSIONS });
    toasts.add({ title: translate('session.ended') });
  });
  return (
    <>
      <Icon name="monitor" size={20} className={classes.icon} />
      <div className={classes.words}>
        <span className={classes.browser}>{browserOf(user_agent ?? '') ?? translate('session.unknown')}</span>
        <span className={classes.seen}>
          <RelativeTime value={last_seen_at} /> · {translate('session.from', { address: ip_address })}
        </span>
      </div>
      {is_current ? (
        <Badge tone="success">{translate('session.current')}</Badge>
      ) : (
        <Button size="small" onPress={run} isPending={isPending}>
          {translate('session.end')}
        </Button>
      )}
    </>
  );
}
