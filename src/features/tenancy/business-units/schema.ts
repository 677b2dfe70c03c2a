import Type, { type Static } from 'typebox';
import { versionOption } from '../../../resources/body.ts';
import { units } from './resource.ts';
import { SLUG_PATTERN } from './slug.ts';

const UnitName = Type.String({ minLength: 1, maxLength: 200 });

/** A unit in responses (docs/specification/tenants.md#business-units). */
const BusinessUnit = Type.Unsafe<Static<typeof units.listReply>>({
  ...units.listReply,
  title: 'BusinessUnit',
});

/** The caller's authorized active units. */
export const AuthorizedUnits = Type.Object(
  {
    business_units: Type.Array(BusinessUnit),
    is_tenant_admin: Type.Boolean(),
    default_business_unit_id: Type.String(),
  },
  { title: 'AuthorizedUnits' },
);

/** Query of the list of units. */
export const UnitListQuery = Type.Object({
  archived: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: '`true`: only archived units; owners only.',
    }),
  ),
});

/** Body of a create. */
export const UnitCreate = Type.Object(
  {
    name: UnitName,
    slug: Type.Optional(
      Type.String({
        pattern: SLUG_PATTERN,
        description:
          'At most 60 lower-case letters, digits, hyphens, underscores. Default: derived from the name.',
      }),
    ),
  },
  { title: 'UnitCreate' },
);

/** Body of a rename. */
export const UnitRename = Type.Object({ name: UnitName, ...versionOption }, { title: 'UnitRename' });

/** Reply to writes. */
export const UnitKey = Type.Object({ bu_id: Type.String() }, { title: 'UnitKey' });

/** A signed value for the header `X-Business-Unit`. */
export const Activation = Type.Object(
  {
    token: Type.String({ description: 'Send as header `X-Business-Unit`.' }),
    bu_id: Type.String(),
    expires_at: Type.String(),
  },
  { title: 'Activation' },
);

/** The caller's memberships in all tenants (docs/specification/tenants.md#memberships-and-grants). */
export const OwnMemberships = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          tenant_id: Type.String(),
          tenant_name: Type.String(),
          tenant_code: Type.String(),
          is_tenant_admin: Type.Boolean(),
          status: Type.Enum(['active', 'inactive']),
        },
        { title: 'OwnMembership' },
      ),
    ),
  },
  { title: 'OwnMemberships' },
);
