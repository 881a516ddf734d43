import { type AnyRoute, createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { NotAvailable } from '../frame/Access.tsx';
import { readPanelSearch } from '../frame/panel.ts';
import { AllFeedback, PropertyFeedback, UrgentFeedback } from '../pages/feed/FeedPage.tsx';
import { readFeedSearch } from '../pages/feed/search.ts';
import { SignOut } from '../pages/sign-in/SignOut.tsx';
import { paths, ROUTES } from '../paths.ts';
import { Gate } from './Gate.tsx';

const PropertiesPage = lazyRouteComponent(() => import('../pages/properties/PropertiesPage.tsx'), 'PropertiesPage');
const UsersPage = lazyRouteComponent(() => import('../pages/users/UsersPage.tsx'), 'UsersPage');
const AdministrationPage = lazyRouteComponent(() => import('../pages/administration/AdministrationPage.tsx'), 'AdministrationPage');
const ProfilePage = lazyRouteComponent(() => import('../pages/profile/ProfilePage.tsx'), 'ProfilePage');
const AccountsPage = lazyRouteComponent(() => import('../pages/operator/AccountsPage.tsx'), 'AccountsPage');
const AllUsersPage = lazyRouteComponent(() => import('../pages/operator/AllUsersPage.tsx'), 'AllUsersPage');
const AuditLogPage = lazyRouteComponent(() => import('../pages/operator/AuditLogPage.tsx'), 'AuditLogPage');
const DemoArea = lazyRouteComponent(() => import('../demo/DemoArea.tsx'), 'DemoArea');

const root = createRootRoute({ component: Outlet });

/** The pages of a team, the same for signed-in people and for the demo. */
const pagesIn = (area: AnyRoute): AnyRoute[] => [
  createRoute({ getParentRoute: () => area, path: ROUTES.feed, validateSearch: readFeedSearch, component: AllFeedback }),
  createRoute({ getParentRoute: () => area, path: ROUTES.urgent, validateSearch: readFeedSearch, component: UrgentFeedback }),
  createRoute({ getParentRoute: () => area, path: ROUTES.properties, component: PropertiesPage }),
  createRoute({
    getParentRoute: () => area,
    path: ROUTES.propertyFeedback,
    validateSearch: readFeedSearch,
    component: PropertyFeedback,
  }),
  createRoute({ getParentRoute: () => area, path: ROUTES.users, component: UsersPage }),
  createRoute({ getParentRoute: () => area, path: ROUTES.administration, component: AdministrationPage }),
  createRoute({ getParentRoute: () => area, path: ROUTES.profile, component: ProfilePage }),
  createRoute({ getParentRoute: () => area, path: '$', component: NotAvailable }),
];

/* ── For signed-in people; the gate shows the others how to sign in ── */

const gated = createRoute({ getParentRoute: () => root, id: 'gated', validateSearch: readPanelSearch, component: Gate });
const team = gated.addChildren([
  ...pagesIn(gated),
  createRoute({ getParentRoute: () => gated, path: paths.operatorAccounts, component: AccountsPage }),
  createRoute({ getParentRoute: () => gated, path: paths.operatorUsers, component: AllUsersPage }),
  createRoute({ getParentRoute: () => gated, path: paths.auditLog, component: AuditLogPage }),
]);

/* ── The same below /demo, for anybody ── */

const demo = createRoute({ getParentRoute: () => root, path: paths.demo, validateSearch: readPanelSearch, component: DemoArea });
const sample = demo.addChildren(pagesIn(demo));

const leaving = createRoute({ getParentRoute: () => root, path: paths.signOut, component: SignOut });

/** The router over these routes; it reads the address as it is opened. */
export function openRouter() {
  return createRouter({
    routeTree: root.addChildren([team, sample, leaving]),
    // Plain text both ways: a search for 42 stays `?q=42`.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
      const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
      return text && `?${text}`;
    },
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof openRouter>;
  }
}
