import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { Form } from '../../forms/form.tsx';
import { useAction } from '../../forms/use-action.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useUserApi } from '../../session/session-context.tsx';
import { useRefreshSession } from '../../session/use-refresh-session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
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
const MIN_LENGTH = 8;

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
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const submission = useSubmit(['current_password', 'password'], async () => {
    await api.auth.changePassword({ current_password: current, password });
    await Promise.all([refreshSession(), client.invalidateQueries({ queryKey: SESSIONS })]);
    setCurrent('');
    setPassword('');
    toasts.add({ title: translate('password.saved') });
  });
  return (
    <Form submission={submission} action={translate('password.save')}>
      <PasswordField
        label={translate('password.current')}
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        error={submission.errorOf('current_password')}
        isRequired
      />
      <PasswordField
        label={translate('password.new')}
        help={translate('password.help', { min: MIN_LENGTH })}
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        error={submission.errorOf('password')}
        isRequired
      />
    </Form>
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
