/** What sending an e-mail would do, counted without sending (docs/specification/campaigns.md#who-receives). */
import { sql } from 'kysely';
import type { Issue } from '../../../errors/app-error.ts';
import type { MemberContext } from '../../../http/context.ts';
import { normalizeAddress } from '../../../mail/address.ts';
import {
  type EmailSettings,
  getEmailSettings,
  isSuppressed,
  normalizeDomain,
} from '../../email-settings/index.ts';
import { areMembersCurrent } from '../../subscriber-groups/index.ts';
import { groupsOf } from '../sending/begin.ts';
import { hasLeft } from '../sending/has-left.ts';
import { unitScope } from '../sending/unit-scope.ts';
import { readContent } from './content.ts';
import { findEmail } from './service.ts';

/** Whom it would reach, whom not and why, and what keeps it from being sent. */
export interface Preflight {
  readonly recipients: number;
  readonly excluded: Readonly<
    Record<'inactive' | 'unsubscribed' | 'suppressed' | 'sandbox' | 'duplicate', number>
  >;
  readonly problems: Issue[];
}

/** Counts. @throws AppError as `findEmail`. */
export async function preflight(ctx: MemberContext, code: string, id: string): Promise<Preflight> {
  const { db, platform } = ctx;
  const { email } = await findEmail(ctx, code, id);
  const unitDb = platform.scoped(unitScope(email.tenant_id, email.owner_bu_id));
  // One to nobody can be sent as it is.
  const problems = groupsOf(email).length === 0 ? [] : (await readContent(platform, unitDb, email)).problems;
  const settings = await getEmailSettings(db);
  const counted = await countAudience(ctx, groupsOf(email), email.subscription_type_id, settings);
  const { recipients, ...excluded } = counted;
  const isCurrent = await areMembersCurrent(db, groupsOf(email), ctx.now);
  return { recipients, excluded, problems: isCurrent ? [...problems] : [...problems, COMPUTING] };
}

/** Sending would wait. */
const COMPUTING: Issue = {
  field: 'audience_ids',
  message: 'names an audience that is still being computed: these are not yet all',
};

type Counted = Preflight['excluded'] & Pick<Preflight, 'recipients'>;

const NOBODY: Counted = {
  ...{ recipients: 0, inactive: 0, unsubscribed: 0, suppressed: 0, sandbox: 0, duplicate: 0 },
};

/** Each address once, the other times it is a duplicate; somebody with several reasons counts under the first. */
async function countAudience(
  { db, platform }: MemberContext,
  groups: readonly string[],
  typeId: string | null,
  settings: EmailSettings,
): Promise<Counted> {
  if (groups.length === 0) return NOBODY;
  const rules = settings.whitelist_recipient_rules.filter(({ active }) => active);
  const addresses = rules.flatMap(({ email_address }) =>
    email_address ? normalizeAddress(email_address) : [],
  );
  const domains = rules.flatMap(({ domain_name }) =>
    domain_name ? (normalizeDomain(domain_name) ?? []) : [],
  );
  // Mail of a type goes by what each has chosen of it, as when it is sent.
  const isKeptBack = await isSuppressed(platform, db, sql.ref('s.address_key'), typeId !== null);
  const { rows } = await db.raw(
    (tenantId) => sql<Counted>`
    with people as materialized (
      select m.subscriber_id as id, count(*) as memberships from subscriber_group_members m
      where m.tenant_id = ${tenantId}::uuid and m.group_id = any(${groups}::uuid[]) group by m.subscriber_id
    ), judged as materialized (
      select s.address_key, people.memberships, case
        when not s.active then 'inactive'
        when ${hasLeft(tenantId, typeId)} then 'unsubscribed'
        when ${isKeptBack} then 'suppressed'
        when ${settings.sandbox_mode} and not (s.address_key = any(${addresses}::text[])
          or split_part(s.address_key, '@', 2) = any(${domains}::text[])) then 'sandbox'
        end as reason
      from people join subscribers s on s.tenant_id = ${tenantId}::uuid and s.id = people.id
    )
    select count(distinct address_key) filter (where reason is null)::int as recipients,
      count(*) filter (where reason = 'inactive')::int as inactive,
      count(*) filter (where reason = 'unsubscribed')::int as unsubscribed,
      count(*) filter (where reason = 'suppressed')::int as suppressed,
      count(*) filter (where reason = 'sandbox')::int as sandbox,
      (coalesce(sum(memberships) filter (where reason is null), 0) - count(distinct address_key) filter (where reason is null))::int as duplicate
    from judged`,
  );
  return rows[0] ?? NOBODY;
}
