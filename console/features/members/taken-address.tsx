import { useState } from 'react';
import { type schemas, TesseraError } from '../../../sdk/src/index.ts';
import type { Issue } from '../../forms/check-fields.ts';
import { useApi } from '../../session/session-context.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { formatDate } from '../../texts/formats.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { ResendButton } from './resend-button.tsx';
import { isInvited, statusOf } from './status.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** The member who has the address of a refused invitation. */
interface TakenAddress {
  /** Null if no address was refused, or the member could not be found. */
  readonly member: schemas.Membership | null;
  /** Explains a refusal because of the address. */
  readonly explain: (error: TesseraError, email: string) => Promise<Issue | null>;
}

/** Finds the member whose address somebody has tried to invite. */
export function useTakenAddress(): TakenAddress {
  const api = useApi();
  const [member, setMember] = useState<schemas.Membership | null>(null);
  const explain = async ({ code }: TesseraError, email: string): Promise<Issue | null> => {
    if (code !== 'DUPLICATE_MEMBERSHIP') return null;
    const found = await findMember(api, email);
    setMember(found);
    return { field: 'email', message: describe(found) };
  };
  return { member, explain };
}

/** Returns the member with an address; null if there is none, or the list cannot be read. */
async function findMember(api: ReturnType<typeof useApi>, email: string): Promise<schemas.Membership | null> {
  try {
    const { results } = await api.memberships.list({ search: email, limit: 100, count: 'false' });
    return results.find((each) => each.email.toLowerCase() === email.toLowerCase()) ?? null;
  } catch (cause) {
    if (!(cause instanceof TesseraError)) throw cause;
    return null;
  }
}

function describe(member: schemas.Membership | null): string {
  if (member === null) return translate('taken.active');
  const status = statusOf(member);
  const { expires_at } = member.invitation ?? {};
  const date = expires_at === undefined ? '' : formatDate(new Date(expires_at), 'date');
  return translate(`taken.${status}`, { date });
}

interface TakenActionsProps {
  readonly member: schemas.Membership;
  readonly onResent: () => void;
}

/** Opens the member who has the address, or sends the open invitation again. */
export function TakenActions({ member, onResent }: TakenActionsProps) {
  const pathOf = useTenantPath();
  return (
    <>
      <LinkButton size="small" href={pathOf(`settings/members/${member.membership_id}`)}>
        {translate('taken.open')}
      </LinkButton>
      {isInvited(member) ? <ResendButton member={member} size="small" onSent={onResent} /> : null}
    </>
  );
}
