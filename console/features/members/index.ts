import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../feature.ts';
import { tenantRoute } from '../../routes.ts';
import { texts } from './texts.ts';

/** Query parameters of the list of members. */
export type MembersSearch = { readonly search?: string; readonly page?: number; readonly invite?: boolean };

/** The list of members, with the drawer for invitations. */
export const membersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/members',
  validateSearch: ({ search, page, invite }): MembersSearch => ({
    ...(typeof search === 'string' && search !== '' ? { search } : {}),
    ...(typeof page === 'number' && page > 1 ? { page } : {}),
    ...(invite === true ? { invite } : {}),
  }),
  loader: () => texts.load(),
  component: lazyRouteComponent(() => import('./members.tsx'), 'Members'),
});

/** One member, in a drawer over the list. */
export const memberRoute = createRoute({
  getParentRoute: () => membersRoute,
  path: '$membershipId',
  component: lazyRouteComponent(() => import('./member.tsx'), 'Member'),
});

/** Members of a tenant, their invitations and their roles in business units. */
export const members: Feature = {
  routes: [membersRoute.addChildren([memberRoute])],
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
