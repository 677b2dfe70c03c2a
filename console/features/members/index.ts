import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { draftTexts } from '../../drafts/texts.ts';
import type { Feature } from '../../feature.ts';
import { tenantRoute } from '../../routes.ts';
import { loadTableTexts } from '../../table/load-texts.ts';
import { readTableSearch, type TableSearch } from '../../table/table-search.ts';
import { texts } from './texts.ts';

/** Query parameters of the list of members. */
export type MembersSearch = TableSearch & { readonly invite?: boolean };

/** The list of members, with the drawer for invitations. */
export const membersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/members',
  staticData: { screen: 'members/members', isTenantWide: true },
  validateSearch: (raw): MembersSearch => ({
    ...readTableSearch(raw),
    ...(raw.invite === true ? { invite: true } : {}),
  }),
  loader: () => Promise.all([texts.load(), loadTableTexts(), draftTexts.load()]),
  component: lazyRouteComponent(() => import('./members.tsx'), 'Members'),
});

/** One member, in a drawer over the list. */
export const memberRoute = createRoute({
  getParentRoute: () => membersRoute,
  path: '$membershipId',
  staticData: { screen: 'members/member' },
  component: lazyRouteComponent(() => import('./member.tsx'), 'Member'),
});

/** Members of a tenant, their invitations and their roles in business units. */
export const members: Feature = {
  routes: [membersRoute.addChildren([memberRoute])],
  records: [{ kind: 'tenant_membership', pathOf: (id) => `settings/members/${id}`, isForOwners: true }],
  navigation: [
    {
      group: 'settings',
      title: { en: 'Members', de: 'Mitglieder' },
      icon: 'users',
      path: 'settings/members',
      isForOwners: true,
    },
  ],
  commands: [
    {
      title: { en: 'Invite member', de: 'Mitglied einladen' },
      icon: 'user-plus',
      keywords: { en: 'user team colleague add', de: 'Benutzer Team Kollege hinzufügen' },
      path: 'settings/members',
      search: { invite: true },
      isForOwners: true,
    },
  ],
};
