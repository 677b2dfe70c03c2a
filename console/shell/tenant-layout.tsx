import { Outlet } from '@tanstack/react-router';

/** The frame of all screens of a tenant. */
export function TenantLayout() {
  return <Outlet />;
}
