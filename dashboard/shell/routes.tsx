import type { QueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router';
import { NotAvailable } from '../frame/Access.tsx';
import { readPeriodSearch } from '../frame/numbers/period-search.ts';
import { readPanelSearch } from '../frame/panel.ts';
import { readConfigurationSearch } from '../pages/configuration/search.ts';
import { readFeedSearch } from '../pages/feed/search.ts';
import { readSubscriptionsSearch } from '../pages/operator/search.ts';
import { readPaySearch } from '../pages/pay/search.ts';
import { readPropertiesSearch } from '../pages/properties/search.ts';
import { SignOut } from '../pages/sign-in/SignOut.tsx';
import { paths, ROUTES } from '../paths.ts';
import { fetchAhead, Later, loadedLater } from '../ui/page/Later.tsx';
import { Gate } from './Gate.tsx';
import { PageNotLoaded, WholePageNotLoaded } from './PageNotLoaded.tsx';

/* The feed pages, in the frame's chunk. The router doesn't wait for them, because sign-in doesn't need them. */

const inFrame = (name: 'AllFeedback' | 'UrgentFeedback' | 'PropertyFeedback') => {
  const Page = loadedLater(() => import('./team-chunk.ts'), name);
  const Shown = () => (
    <Later failed={<PageNotLoaded />}>
      <Page />
    </Later>
  );
  return Object.assign(Shown, { fetch: () => fetchAhead(Page) });
};
const [AllFeedback, UrgentFeedback, PropertyFeedback] = [inFrame('AllFeedback'), inFrame('UrgentFeedback'), inFrame('PropertyFeedback')];

const PropertiesPage = loadedLater(() => import('../pages/properties/PropertiesPage.tsx'), 'PropertiesPage');
const AccountOverview = loadedLater(() => import('../pages/overview/OverviewPage.tsx'), 'AccountOverview');
const PropertyOverview = loadedLater(() => import('../pages/overview/OverviewPage.tsx'), 'PropertyOverview');
const ConfigurationPage = loadedLater(() => import('../pages/configuration/ConfigurationPage.tsx'), 'ConfigurationPage');
const UsersPage = loadedLater(() => import('../pages/users/UsersPage.tsx'), 'UsersPage');
const AdministrationPage = loadedLater(() => import('../pages/administration/AdministrationPage.tsx'), 'AdministrationPage');
const BrandPage = loadedLater(() => import('../pages/brand/BrandPage.tsx'), 'BrandPage');
const DeliveriesPage = loadedLater(() => import('../pages/deliveries/DeliveriesPage.tsx'), 'DeliveriesPage');
const TopicsPage = loadedLater(() => import('../pages/topics/TopicsPage.tsx'), 'TopicsPage');
const ApiKeysPage = loadedLater(() => import('../pages/api-keys/ApiKeysPage.tsx'), 'ApiKeysPage');
const WebhooksPage = loadedLater(() => import('../pages/webhooks/WebhooksPage.tsx'), 'WebhooksPage');
const ProfilePage = loadedLater(() => import('../pages/profile/ProfilePage.tsx'), 'ProfilePage');
const PayPage = loadedLater(() => import('../pages/pay/PayPage.tsx'), 'PayPage');
const AccountsPage = loadedLater(() => import('../pages/operator/AccountsPage.tsx'), 'AccountsPage');
const AllUsersPage = loadedLater(() => import('../pages/operator/AllUsersPage.tsx'), 'AllUsersPage');
const SubscriptionsPage = loadedLater(() => import('../pages/operator/SubscriptionsPage.tsx'), 'SubscriptionsPage');
const MessagesPage = loadedLater(() => import('../pages/operator/MessagesPage.tsx'), 'MessagesPage');
const MailsPage = loadedLater(() => import('../pages/operator/MailsPage.tsx'), 'MailsPage');
const AuditLogPage = loadedLater(() => import('../pages/operator/AuditLogPage.tsx'), 'AuditLogPage');
const Docs = loadedLater(() => import('../pages/docs/Docs.tsx'), 'Docs');
const DemoArea = loadedLater(() => import('../demo/DemoArea.tsx'), 'DemoArea');

/* The payment page has its own headers (docs/rules.md#security-headers), so opening or leaving it loads a document. */

const isPay = (pathname: string): boolean => pathname.replace(/\/$/, '').toLowerCase() === paths.pay;
/** True if this document was loaded as the payment page. */
const isPayDocument = isPay(globalThis.location?.pathname ?? '');

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Outlet,
  beforeLoad: ({ location: { pathname, publicHref } }) => {
    if (isPay(pathname) !== isPayDocument) throw redirect({ href: publicHref, reloadDocument: true });
  },
});

/** The pages of a team, the same for signed-in people and for the demo. */
const pagesIn = (area: AnyRoute): AnyRoute[] => [
  createRoute({ getParentRoute: () => area, path: ROUTES.feed, validateSearch: readFeedSearch, component: AllFeedback }),
  createRoute({ getParentRoute: () => area, path: ROUTES.urgent, validateSearch: readFeedSearch, component: UrgentFeedback }),
  createRoute({ getParentRoute: () => area, path: ROUTES.overview, validateSearch: readPeriodSearch, component: AccountOverview }),
  createRoute({ getParentRoute: () => area, path: ROUTES.properties, validateSearch: readPropertiesSearch, component: PropertiesPage }),
  createRoute({
    getParentRoute: () => area,
    path: ROUTES.propertyFeedback,
    validateSearch: readFeedSearch,
    component: PropertyFeedback,
  }),
  createRoute({
    getParentRoute: () => area,
    path: ROUTES.propertyOverview,
    validateSearch: readPeriodSearch,
    component: PropertyOverview,
  }),
  createRoute({
    getParentRoute: () => area,
    path: ROUTES.propertyConfiguration,
    validateSearch: readConfigurationSearch,
    component: ConfigurationPage,
  }),
  createRoute({ getParentRoute: () => area, path: ROUTES.users, component: UsersPage }),
  createRoute({ getParentRoute: () => area, path: ROUTES.administration, component: AdministrationPage }),
  createRoute({ getParentRoute: () => area, path: ROUTES.brand, component: BrandPage }),
  createRoute({ getParentRoute: () => area, path: ROUTES.deliveries, component: DeliveriesPage }),
  createRoute({ getParentRoute: () => area, path: ROUTES.webhooks, component: WebhooksPage }),
  createRoute({ getParentRoute: () => area, path: ROUTES.apiKeys, component: ApiKeysPage }),
  createRoute({ getParentRoute: () => area, path: ROUTES.topics, component: TopicsPage }),
  createRoute({ getParentRoute: () => area, path: ROUTES.profile, component: ProfilePage }),
  createRoute({ getParentRoute: () => area, path: '$', component: NotAvailable }),
];

/* ── For signed-in people; the gate shows sign-in to everyone else ── */

const gated = createRoute({ getParentRoute: () => root, id: 'gated', validateSearch: readPanelSearch, component: Gate });
const team = gated.addChildren([
  ...pagesIn(gated),
  createRoute({ getParentRoute: () => gated, path: paths.pay, validateSearch: readPaySearch, component: PayPage }),
  createRoute({ getParentRoute: () => gated, path: paths.operatorAccounts, component: AccountsPage }),
  createRoute({ getParentRoute: () => gated, path: paths.operatorUsers, component: AllUsersPage }),
  createRoute({ getParentRoute: () => gated, path: paths.operatorMessages, component: MessagesPage }),
  createRoute({ getParentRoute: () => gated, path: paths.operatorMails, component: MailsPage }),
  createRoute({
    getParentRoute: () => gated,
    path: paths.operatorSubscriptions,
    validateSearch: readSubscriptionsSearch,
    component: SubscriptionsPage,
  }),
  createRoute({ getParentRoute: () => gated, path: paths.auditLog, component: AuditLogPage }),
]);

/* ── The same below /demo, for everyone ── */

const demo = createRoute({
  getParentRoute: () => root,
  path: paths.demo,
  validateSearch: readPanelSearch,
  // The first render must match the document, so load its data and page.
  loader: async ({ context: { queries } }) => {
    const [{ loadFirstRender }] = await Promise.all([import('../demo/first-render.ts'), AllFeedback.fetch()]);
    await loadFirstRender(queries);
  },
  component: DemoArea,
  errorComponent: WholePageNotLoaded,
});
const sample = demo.addChildren(pagesIn(demo));

/* ── For everyone ── */

const docs = [paths.docs, `${paths.docs}/$page`].map((path) =>
  createRoute({ getParentRoute: () => root, path, component: Docs, errorComponent: WholePageNotLoaded }),
);

const signOut = createRoute({ getParentRoute: () => root, path: paths.signOut, component: SignOut });

/** Creates the router at the page's address, or in the build with a history in memory. */
export function openRouter(queries: QueryClient, history?: RouterHistory) {
  if (!history) trimAddress();
  return createRouter({
    ...(history && { history }),
    context: { queries },
    routeTree: root.addChildren([team, sample, ...docs, signOut]),
    defaultErrorComponent: PageNotLoaded,
    // Plain text both ways: a search for 42 stays `?q=42`.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const parameters = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
      const text = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])).toString();
      return text && `?${text}`;
    },
  });
}

/** Removes slashes from the end of the path. Pages, the gate and the navigation compare paths, so each page has one. */
function trimAddress(): void {
  const { pathname, search, hash } = location;
  const path = pathname.replace(/\/+$/, '');
  // A path that starts with two slashes would be another host.
  if (/^\/[^/]/.test(path) && path !== pathname) history.replaceState(history.state, '', `${path}${search}${hash}`);
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof openRouter>;
  }
}
